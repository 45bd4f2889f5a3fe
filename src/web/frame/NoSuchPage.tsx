import { Compass } from 'lucide-react';
import { useCommands } from '../core/commands.ts';
import { useWorkspace } from '../workspace/port.ts';
import { Hints } from '../keyboard/Hints.tsx';
import { CloseTab } from './CloseTab.tsx';
import { Button } from '../kit/Button.tsx';
import { State } from '../kit/State.tsx';
import { StatusLine } from '../kit/StatusLine.tsx';
import { ViewBody } from '../kit/ViewBody.tsx';
import { useEnded } from '../workspace/use-ended.ts';
import { useView } from '../workspace/view.ts';

/** An address that leads nowhere. */
export function NoSuchPage() {
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  const { tab } = useView();
  useEnded('no such page');
  return (
    <>
      <ViewBody>
        <State
          icon={<Compass size={22} strokeWidth={1.75} aria-hidden="true" />}
          title="No such page"
          level={1}
          actions={
            <>
              <Button size="sm" variant="secondary" onClick={() => workspace.redirect(registry.href('home'))}>
                Go home
              </Button>
              <CloseTab />
            </>
          }
        >
          There is no page at {workspace.hrefOf(tab)}.
        </State>
      </ViewBody>
      <StatusLine mode="NO PAGE">
        <Hints hints={[]} />
      </StatusLine>
    </>
  );
}
