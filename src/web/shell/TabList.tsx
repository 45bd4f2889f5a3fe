import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { plainTitle } from '../../registry/commands/command.ts';
import { objectOfRoute } from '../../registry/commands/kind-commands.ts';
import { useCommands } from '../core/commands.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { Icon } from '../kit/icons.tsx';
import { Optional } from '../kit/Optional.tsx';
import { useMenuOverlay } from '../kit/use-overlay.ts';
import { useWorkspace } from '../workspace/port.ts';
import { iconOf } from '../workspace/titles.ts';
import type { Tab } from '../workspace/tree.ts';
import { UnsavedDot } from './UnsavedDot.tsx';
import type { TabLook } from './use-tab-look.ts';
import { lazyPart } from '../kit/lazy-part.ts';

const PickerMenu = lazyPart(async () => (await import('../kit/PickerMenu.tsx')).PickerMenu);

const moreLook =
  'flex flex-none items-center gap-1.5 px-2 text-text-3 hover:bg-row-hover focus-visible:-outline-offset-2 narrow:px-3';

interface TabListProps {
  readonly tabs: readonly Tab[];
  readonly active: string;
  /** How many of the tabs have no room in the bar. */
  readonly hidden: number;
  readonly look: (tab: Tab) => TabLook;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** The name of the button; it has what the button says. */
function nameOf(tabs: number, hidden: number): string {
  if (tabs === 1) return 'Tab and tile';
  return hidden === 0 ? `All ${tabs} tabs` : `All ${tabs} tabs, +${hidden} without room`;
}

/** All tabs of the tile as a list, for those that have no room in the bar, and what can be done with tabs and tiles. */
export function TabList({ tabs, active, hidden, look, isOpen, setOpen }: TabListProps) {
  const { moment, registry, run } = useCommands();
  const { workspace } = useWorkspace();
  const button = useRef<HTMLButtonElement>(null);
  useMenuOverlay(isOpen);
  const shown = objectOfRoute(registry.match(tabs.find(({ id }) => id === active)?.href ?? ''));
  const commands = isOpen
    ? registry
        .at('tab-menu', { ...moment.context(), overlay: 'none' }, moment.may())
        // In the menu of a list what acts on objects would mean the row under the cursor.
        .filter((command) => command.type !== 'action' || command.actsOn === undefined || shown !== undefined)
    : [];
  return (
    <>
      <button
        ref={button}
        type="button"
        className={moreLook}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={nameOf(tabs.length, hidden)}
        title={tabs.length === 1 ? 'Tab and tile' : 'All tabs'}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown size={13} strokeWidth={1.75} aria-hidden="true" />
        {tabs.length > 1 && <span className="md:hidden">{tabs.length} tabs</span>}
        {hidden > 0 && <span className="narrow:hidden">+{hidden}</span>}
      </button>
      {isOpen && (
        <Optional what="The list of tabs" onMissing={() => setOpen(false)}>
          <PickerMenu
            anchor={button}
            label="Tabs"
            placeholder="Search tabs..."
            emptyText="No tab matches"
            entries={[
              ...tabs.map((tab) => {
                const { title, cluster, isUnsaved, name } = look(tab);
                return {
                  id: tab.id,
                  text: name,
                  content: (
                    <>
                      <Icon name={iconOf(registry, tab.href)} />
                      <span className="min-w-0 flex-1 truncate">{title}</span>
                      {cluster !== undefined && <span className="text-text-3">{cluster.name}</span>}
                      {isUnsaved && <UnsavedDot />}
                    </>
                  ),
                };
              }),
              ...commands.map((command) => ({
                id: command.id,
                text: plainTitle(command),
                content: (
                  <>
                    <span className="min-w-0 flex-1">{plainTitle(command)}</span>
                    <KeysOf command={command} />
                  </>
                ),
              })),
            ]}
            selected={active}
            onSelect={(id) => (registry.has(id) ? run(id) : workspace.activate(id))}
            onClose={() => setOpen(false)}
          />
        </Optional>
      )}
    </>
  );
}
