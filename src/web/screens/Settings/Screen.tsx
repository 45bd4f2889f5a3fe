import { useCommands } from '../../core/commands.ts';
import { CommandScreen } from '../../frame/CommandScreen.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { noParams, sectionNamed } from './sections.ts';

/** `/settings`: the section that the address names, the profile without one. */
export function Screen() {
  const { registry } = useCommands();
  const [search] = useViewSearch();
  const section = sectionNamed(search);
  return (
    <CommandScreen command={registry.sections.find((one) => one.section === section)} params={noParams} />
  );
}
