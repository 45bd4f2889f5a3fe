import { ChevronDown, X } from 'lucide-react';
import { type KeyboardEvent, lazy, useEffect, useRef, useState } from 'react';
import { plainTitle } from '../../registry/command.ts';
import { useCommands } from '../core/commands.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { KeysOf, useKeyText } from '../keyboard/Keys.tsx';
import { Icon } from '../kit/icons.tsx';
import { Optional } from '../kit/Optional.tsx';
import type { Tab, TabGroup } from '../workspace/tree.ts';
import { iconOf, titleOf } from '../workspace/titles.ts';
import { useMenuOverlay } from '../kit/use-overlay.ts';

const PickerMenu = lazy(async () => ({ default: (await import('../kit/PickerMenu.tsx')).PickerMenu }));

/** The tab that shows lies over the line below the bar and has a stripe; that its view has the focus shows at it. */
const tabLook = [
  'group/tab relative flex max-w-55 min-w-22 cursor-pointer items-center gap-1.5 border-r border-border pl-2.5',
  'text-text-2 select-none [&_svg]:text-text-3 @max-[14rem]:pl-1.5',
  'not-aria-selected:pr-2.5 aria-selected:pr-0.75 @max-[14rem]:aria-selected:pr-1.5',
  'aria-selected:-mb-px aria-selected:bg-surface aria-selected:text-text group-data-focused/tile:aria-selected:font-medium',
  'aria-selected:before:absolute aria-selected:before:inset-x-0 aria-selected:before:top-0 aria-selected:before:h-0.5',
  'aria-selected:before:bg-text-disabled group-data-focused/tile:aria-selected:before:bg-accent',
  'aria-selected:before:forced-color-adjust-none',
  'focus-visible:-outline-offset-2 group-has-[[role=tabpanel]:focus-visible]/tile:aria-selected:outline-2',
  'group-has-[[role=tabpanel]:focus-visible]/tile:aria-selected:-outline-offset-2',
  'group-has-[[role=tabpanel]:focus-visible]/tile:aria-selected:outline-focus',
  'narrow:not-aria-selected:hidden narrow:aria-selected:max-w-40',
].join(' ');

/**
 * Closes a tab by the pointer. In those that do not show it lies over the end of the title while the pointer is there:
 * many tabs have no room to keep for it.
 */
const closeLook = [
  'grid size-6 flex-none place-items-center rounded-[3px] opacity-0 group-hover/tab:opacity-100',
  'group-not-aria-selected/tab:absolute group-not-aria-selected/tab:right-0.75 group-not-aria-selected/tab:bg-raised',
  'group-aria-selected/tab:opacity-100 hover:bg-fill-hover not-can-hover:group-not-aria-selected/tab:hidden',
  '@max-[14rem]:hidden narrow:size-7',
].join(' ');

const moreLook =
  'flex flex-none items-center gap-1.5 px-2 text-text-3 hover:bg-row-hover focus-visible:-outline-offset-2 narrow:px-3';

/** The tabs of a tile. Arrow keys walk them, Enter shows one, Delete closes it, a middle click too. */
export function TabBar({ group }: { readonly group: TabGroup }) {
  const { registry, run } = useCommands();
  const { kinds } = useData();
  const { workspace } = useWorkspace();
  const { tabs, active } = group;
  const closeKeys = useKeyText('workspace.closeTab');
  const list = useRef<HTMLDivElement>(null);
  const isOne = tabs.length === 1;
  // The tab that shows is in sight, however many there are and however narrow the tile becomes.
  useEffect(() => {
    const element = list.current;
    if (element === null || isOne) return undefined;
    const show = () => {
      const [room, tab] = [element, document.getElementById(`tab-${active}`)].map((one) =>
        one?.getBoundingClientRect(),
      );
      if (room === undefined || tab === undefined) return;
      if (tab.left < room.left) element.scrollLeft -= room.left - tab.left;
      else if (tab.right > room.right) element.scrollLeft += tab.right - room.right;
    };
    // Tells of the present size first.
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => observer.disconnect();
  }, [active, isOne]);
  const close = (tab: Tab) => run('workspace.closeTab', { tab: tab.id });

  const walk = (event: KeyboardEvent, tab: Tab) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      if (next === undefined) return;
      workspace.activate(next.id);
      document.getElementById(`tab-${next.id}`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      workspace.activate(tab.id);
    } else if (event.key === 'Delete') {
      close(tab);
    }
  };

  return (
    <>
      <div
        ref={list}
        className="flex min-w-0 touch-pan-x overflow-x-auto overflow-y-clip [scrollbar-width:none]"
        role="tablist"
        aria-label="Tabs"
      >
        {tabs.map((tab) => {
          const isActive = tab.id === active;
          const title = titleOf({ registry, kinds }, tab.href);
          return (
            <div
              key={tab.id}
              className={tabLook}
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={isActive}
              aria-controls={`view-${tab.id}`}
              tabIndex={isActive ? 0 : -1}
              onClick={() => workspace.activate(tab.id)}
              onKeyDown={(event) => walk(event, tab)}
              onAuxClick={(event) => {
                if (event.button === 1) close(tab);
              }}
            >
              <Icon name={iconOf(registry, tab.href)} size={13} />
              <span className="min-w-0 flex-1 truncate">{title}</span>
              {/* For the pointer alone: a tab may hold no other control; Delete and the close key do the same. */}
              <span
                className={closeLook}
                data-part="close"
                aria-hidden="true"
                data-no-drag
                title={closeKeys === undefined ? `Close ${title}` : `Close ${title}  ${closeKeys}`}
                onClick={(event) => {
                  event.stopPropagation();
                  close(tab);
                }}
              >
                <X size={12} strokeWidth={1.75} aria-hidden="true" />
              </span>
            </div>
          );
        })}
      </div>
      <TabList tabs={tabs} active={active} />
    </>
  );
}

interface TabListProps {
  readonly tabs: readonly Tab[];
  readonly active: string;
}

/** All tabs of the tile as a list, for narrow windows, and what can be done with tabs and tiles. */
function TabList({ tabs, active }: TabListProps) {
  const { moment, registry, run } = useCommands();
  const { kinds } = useData();
  const { workspace } = useWorkspace();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useMenuOverlay(isOpen);
  const commands = isOpen
    ? registry.at('tab-menu', { ...moment.context(), overlay: 'none' }, moment.may())
    : [];
  return (
    <>
      <button
        ref={button}
        type="button"
        className={moreLook}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={tabs.length === 1 ? 'Tab and tile' : `All ${tabs.length} tabs`}
        title={tabs.length === 1 ? 'Tab and tile' : 'All tabs'}
        onClick={() => setOpen((was) => !was)}
      >
        <ChevronDown size={13} strokeWidth={1.75} aria-hidden="true" />
        {tabs.length > 1 && <span className="md:hidden">{tabs.length} tabs</span>}
      </button>
      {isOpen && (
        <Optional what="The list of tabs" onMissing={() => setOpen(false)}>
          <PickerMenu
            anchor={button}
            label="Tabs"
            placeholder="Search tabs..."
            emptyText="No tab matches"
            entries={[
              ...tabs.map((tab) => ({
                id: tab.id,
                text: titleOf({ registry, kinds }, tab.href),
                content: (
                  <>
                    <Icon name={iconOf(registry, tab.href)} />
                    <span className="min-w-0 flex-1 truncate">{titleOf({ registry, kinds }, tab.href)}</span>
                  </>
                ),
              })),
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
