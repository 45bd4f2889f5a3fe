import { ChevronDown, X } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { useApp } from '../app/context.ts';
import { useKeyText } from '../keyboard/Keys.tsx';
import { useCell } from '../state/state.ts';
import { Icon } from '../ui/icons.tsx';
import { focusedGroup } from '../workspace/layout.ts';
import type { Tab } from '../workspace/tree.ts';
import { iconOf, titleOf } from './titles.ts';
import { useMenuOverlay } from './use-overlay.ts';

const PickerMenu = lazy(async () => ({ default: (await import('../ui/PickerMenu.tsx')).PickerMenu }));

/** The tabs of the tile. Arrow keys walk them, Enter shows one, Delete closes it, a middle click too. */
export function TabBar() {
  const { workspace, registry, run } = useApp();
  const { layout } = useCell(workspace.state);
  const { tabs, active } = focusedGroup(layout);
  const closeKeys = useKeyText('workspace.closeTab');
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
      <div className="tab-list" role="tablist" aria-label="Tabs">
        {tabs.map((tab) => {
          const isActive = tab.id === active;
          const title = titleOf(registry, tab.href);
          return (
            <div
              key={tab.id}
              className={`tab inset ${isActive ? 'on' : ''}`}
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
              <span className="trunc">{title}</span>
              {/* For the pointer alone: a tab may hold no other control; Delete and the close key do the same. */}
              <span
                className="x"
                aria-hidden="true"
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
      {tabs.length > 1 && <TabList tabs={tabs} active={active} />}
    </>
  );
}

const closeAll = 'close-all';

/** All tabs as a list, for narrow windows and for closing them together. */
function TabList({ tabs, active }: { readonly tabs: readonly Tab[]; readonly active: string }) {
  const { workspace, registry, run } = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useMenuOverlay(isOpen);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="tab-more inset"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`All ${tabs.length} tabs`}
        title="All tabs"
        onClick={() => setOpen((was) => !was)}
      >
        <ChevronDown size={13} strokeWidth={1.75} aria-hidden="true" />
        <span className="only-n">{tabs.length} tabs</span>
      </button>
      {isOpen && (
        <Suspense>
          <PickerMenu
            anchor={button}
            label="Tabs"
            placeholder="Search tabs..."
            emptyText="No tab matches"
            entries={[
              ...tabs.map((tab) => ({
                id: tab.id,
                text: titleOf(registry, tab.href),
                content: (
                  <>
                    <Icon name={iconOf(registry, tab.href)} />
                    <span className="grow trunc">{titleOf(registry, tab.href)}</span>
                  </>
                ),
              })),
              { id: closeAll, text: 'Close all tabs', content: <span className="grow">Close all tabs</span> },
            ]}
            selected={active}
            onSelect={(id) => (id === closeAll ? run('workspace.clearTabs') : workspace.activate(id))}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
