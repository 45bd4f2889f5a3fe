import { useCommands } from '../core/commands.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { Button } from '../kit/Button.tsx';
import { useView } from '../workspace/view.ts';

/** Closes the tab of a view that has nothing left to show, as Esc does there. */
export function CloseTab() {
  const { run } = useCommands();
  const { tab } = useView();
  return (
    <Button size="sm" variant="secondary" onClick={() => run('workspace.closeTab', { tab })}>
      Close tab
      <KeysOf id="workspace.leave" />
    </Button>
  );
}
