import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCommands } from '../core/commands.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { Icon } from '../kit/icons.tsx';
import { Flag } from '../kit/marks.tsx';
import { useMeasure } from '../kit/use-measure.ts';
import { useWorkspace } from '../workspace/port.ts';
import { tabsInBar } from '../workspace/tabs-in-bar.ts';
import { iconOf } from '../workspace/titles.ts';
import type { Tab, TabGroup } from '../workspace/tree.ts';
import { TabList } from './TabList.tsx';
import { UnsavedDot } from './UnsavedDot.tsx';
import { useTabLook } from './use-tab-look.ts';
import { isModified } from '../kit/modified-key.ts';

/**
 * The tab that shows lies over the line below the bar and has a stripe; that its view has the focus shows at it. A title is
 * as wide as it is, up to the longest names that clusters give, where the bar has room.
 */
const tabLook = [
  'group/tab relative flex max-w-120 not-aria-selected:min-w-22 aria-selected:min-w-40 cursor-pointer items-center gap-1.5 border-r border-border pl-2.5',
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

/** Tabs and the button of their menu: it takes what the plate of the cluster leaves, and keeps room for one tab. */
const tabsLook = 'flex min-w-0 flex-[1_1_13.5rem] items-stretch';
/** Room that the button of the menu takes (rem). */
const menuRoom = 3.25;

/** The tabs of a tile. Arrow keys walk them, Enter shows one, Delete closes it, a middle click too. */
export function TabBar({ group }: { readonly group: TabGroup }) {
  const { registry, run } = useCommands();
  const { workspace } = useWorkspace();
  const look = useTabLook();
  const { tabs, active } = group;
  const closeKeys = useKeyText('workspace.closeTab');
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { width, rootSize } = useMeasure(element);
  const [first, setFirst] = useState(0);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const place = tabs.findIndex(({ id }) => id === active);
  // Before the first measure there is no width.
  const room = width === 0 ? Number.POSITIVE_INFINITY : width / rootSize - menuRoom;
  const bar = tabsInBar(tabs.length, place, room, first);
  if (bar.from !== first) setFirst(bar.from);
  const close = (tab: Tab) => run('workspace.closeTab', { tab: tab.id });

  const walk = (event: KeyboardEvent, tab: Tab) => {
    if (isModified(event)) return;
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      if (next === undefined) return;
      // One that had no room in the bar has it now.
      flushSync(() => workspace.activate(next.id));
      document.getElementById(`tab-${next.id}`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      workspace.activate(tab.id);
    } else if (event.key === 'Delete') {
      close(tab);
    }
  };

  return (
    <div ref={setElement} className={tabsLook}>
      <div className="flex min-w-0" role="tablist" aria-label="Tabs">
        {tabs.map((tab, index) => {
          const isActive = tab.id === active;
          const { title, cluster, isUnsaved, ended, name } = look(tab);
          return (
            <div
              key={tab.id}
              className={tabLook}
              role="tab"
              id={`tab-${tab.id}`}
              hidden={index < bar.from || index >= bar.to}
              aria-label={name === title ? undefined : name}
              aria-selected={isActive}
              aria-controls={`view-${tab.id}`}
              tabIndex={isActive ? 0 : -1}
              title={name}
              // Where the room ends long titles are cut first: half of one says more than half of a short one.
              style={{ flexShrink: Math.max(1, title.length) ** 2 }}
              onClick={() => workspace.activate(tab.id)}
              onKeyDown={(event) => walk(event, tab)}
              onContextMenu={(event) => {
                event.preventDefault();
                workspace.activate(tab.id);
                setMenuOpen(true);
              }}
              onAuxClick={(event) => {
                if (event.button === 1) close(tab);
              }}
            >
              {cluster === undefined ? (
                <Icon name={iconOf(registry, tab.href)} size={13} />
              ) : (
                <Flag colour={cluster.colour} className="flex-none" />
              )}
              <span className={`min-w-0 flex-1 truncate ${ended === undefined ? '' : 'line-through'}`}>
                {title}
              </span>
              {isUnsaved && <UnsavedDot />}
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
      <TabList
        tabs={tabs}
        active={active}
        hidden={tabs.length - (bar.to - bar.from)}
        look={look}
        isOpen={isMenuOpen}
        setOpen={setMenuOpen}
      />
    </div>
  );
}
