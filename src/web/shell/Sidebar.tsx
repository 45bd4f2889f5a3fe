import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { paramNames } from '../../registry/path.ts';
import { sidebarSections } from '../../registry/sidebar.ts';
import { useCommands } from '../core/commands.ts';
import { useKept } from '../core/state/port.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { kindById } from '../core/kinds/declared.ts';
import { useCell } from '../core/state/state.ts';
import { lazyLater } from '../kit/lazy-later.ts';
import { Optional } from '../kit/Optional.tsx';
import { scrim } from '../kit/menu.ts';
import { focusedTab } from '../workspace/layout.ts';
import { viewKey } from '../workspace/place.ts';
import { SidebarCount } from './SidebarCount.tsx';
import { SidebarEntry } from './SidebarEntry.tsx';
import { SidebarMore } from './SidebarMore.tsx';
import { sideHeading, sideNothing } from './sidebar-look.ts';

const SidebarCustom = lazyLater(async () => (await import('./SidebarCustom.tsx')).SidebarCustom);

/** Over the tiles where it is narrow, below the top bar. */
const overlaid =
  'narrow:fixed narrow:top-12 narrow:bottom-0 narrow:left-0 narrow:z-dialog narrow:w-[min(17rem,85vw)] narrow:shadow-overlay low:top-10';

/** The places of the selected cluster, grouped; only those that exist and that the person may see. */
export function Sidebar({ isOverlay }: { readonly isOverlay: boolean }) {
  const { moment, registry } = useCommands();
  const { appearance } = useKept();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const state = useCell(workspace.state);
  const { clusterId } = state;
  const clusters = useQuery(queries.clusters).data;
  const isKnown = clusters?.some((cluster) => cluster.id === clusterId) === true;
  const permissions = useQuery({ ...queries.permissions(clusterId ?? 0), enabled: isKnown }).data;
  const addOns = useQuery({ ...queries.addOns(clusterId ?? 0), enabled: isKnown });
  /** A kind of an add-on stands here once the cluster is known to have it, or where that cannot be asked. */
  const isAbsent = (kind = '') =>
    kindById(kind)?.addOn !== undefined && (addOns.isPending || addOns.data?.absent.includes(kind) === true);
  const close = () => appearance.update((value) => ({ ...value, isSidebarOpen: undefined }));
  const namespace = clusterId === undefined ? undefined : workspace.namespaceOf(clusterId);
  const here = viewKey(focusedTab(state.layout).href);

  const context = moment.context();
  const sections = sidebarSections.map((section) => ({
    section,
    entries: registry
      .at(section, context, (permission) => permissions?.includes(permission) ?? false)
      .filter((command) => command.type === 'route')
      .filter(({ kind, path }) => !isAbsent(kind) && paramNames(path).every((name) => name === 'clusterId')),
  }));
  const more = sections.find(({ section }) => section === 'More')?.entries ?? [];
  const onChoose = () => {
    if (isOverlay) close();
  };

  const { nav, leave } = useOverlaid(isOverlay, close);

  return (
    <>
      {isOverlay && (
        <button
          type="button"
          className={`${scrim} hidden narrow:block narrow:top-12 low:top-10`}
          aria-label="Close the sidebar"
          onClick={close}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes it from wherever the focus is in it */}
      <nav
        ref={nav}
        tabIndex={isOverlay ? -1 : undefined}
        data-dismissible={isOverlay || undefined}
        onKeyDown={leave}
        className={`flex flex-col gap-2 scrollbar-thin overflow-auto border-r border-border bg-raised p-1.5 ${isOverlay ? overlaid : ''}`}
        aria-label="Sidebar"
      >
        {clusterId !== undefined && (isKnown || clusters === undefined) ? (
          <>
            {sections.map(({ section, entries }) =>
              entries.length === 0 || section === 'More' ? null : (
                <div key={section}>
                  <h3 className={sideHeading}>{section}</h3>
                  {entries.map((command) => (
                    <SidebarEntry
                      key={command.id}
                      command={command}
                      clusterId={clusterId}
                      here={here}
                      onChoose={onChoose}
                      isUnreadable={addOns.data?.unreadable.includes(command.kind ?? '') === true}
                      count={
                        command.kind !== undefined && (
                          <SidebarCount clusterId={clusterId} kindId={command.kind} namespace={namespace} />
                        )
                      }
                    />
                  ))}
                </div>
              ),
            )}
            <Optional what="The list of custom resources">
              <SidebarCustom key={clusterId} clusterId={clusterId} here={here} onChoose={onChoose} />
            </Optional>
            {more.length > 0 && (
              <SidebarMore
                entries={more}
                clusterId={clusterId}
                unreadable={addOns.data?.unreadable ?? []}
                here={here}
                onChoose={onChoose}
              />
            )}
          </>
        ) : (
          <p className={sideNothing}>No Cluster Selected</p>
        )}
      </nav>
    </>
  );
}

/** Over the page the sidebar takes the keyboard's focus; Esc closes it and gives the focus back. */
function useOverlaid(isOverlay: boolean, close: () => void) {
  const nav = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (!isOverlay) return;
    before.current = document.activeElement;
    nav.current?.focus();
  }, [isOverlay]);
  const leave = (event: KeyboardEvent) => {
    if (!isOverlay || event.key !== 'Escape') return;
    event.preventDefault();
    close();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  return { nav, leave };
}
