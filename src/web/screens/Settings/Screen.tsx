import { useCommands } from '../../core/commands.ts';
import { useWhole } from '../../core/use-whole.ts';
import { CommandScreen } from '../../frame/CommandScreen.tsx';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { noParams, sectionNamed } from './sections.ts';

/** `/settings`: the section that the address names, the profile without one. */
export function Screen() {
  const { registry } = useCommands();
  const [search] = useViewSearch();
  const section = sectionNamed(search);
  const isWhole = useWhole();
  const command = registry.sections.find((one) => one.section === section);
  if (command === undefined && !isWhole) return <ScreenPending />;
  return <CommandScreen command={command} params={noParams} />;
}
