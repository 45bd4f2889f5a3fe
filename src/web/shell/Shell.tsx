import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { Button } from '../kit/Button.tsx';
import { lazyLater } from '../kit/lazy-later.ts';
import { Optional } from '../kit/Optional.tsx';
import { Deck } from './Deck.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { useSidebarOpen } from '../core/use-sidebar.ts';
import { useNoteRecents } from './use-recents.ts';
import { useDocumentTitle } from './use-title.ts';

// No list waits for them: what is asked for before they are here opens once they are.
const Hosts = lazyLater(async () => (await import('./Hosts.tsx')).Hosts);
const AccessNews = lazyLater(async () => (await import('./AccessNews.tsx')).AccessNews);
const OwnNews = lazyLater(async () => (await import('../features/notifications/OwnNews.tsx')).OwnNews);
const SubscriptionHost = lazyLater(
  async () => (await import('../features/subscription/SubscriptionHost.tsx')).SubscriptionHost,
);
const StoreNotice = lazyLater(async () => (await import('./StoreNotice.tsx')).StoreNotice);
const News = lazyLater(async () => (await import('../features/notifications/News.tsx')).News);

/** Top bar, sidebar and workspace. */
export function Shell() {
  const { queries, queryClient } = useData();
  const { workspace } = useWorkspace();
  const [isOpen, isNarrow] = useSidebarOpen();
  const clusterId = useCell(workspace.state, (state) => state.clusterId);
  // `needs` reads it: the query is kept current here.
  const isKnown = useQuery(queries.clusters).data?.some((cluster) => cluster.id === clusterId) === true;
  const permissions = useQuery({ ...queries.permissions(clusterId ?? 0), enabled: isKnown }).data;
  const mayList = isKnown && permissions?.includes('namespaces.view') === true;
  // Selecting a cluster reads its namespaces again; components that need them share the answer.
  useEffect(() => {
    if (!mayList || clusterId === undefined) return;
    void queryClient.prefetchQuery({ ...queries.namespaces(clusterId), staleTime: 0 });
  }, [mayList, clusterId, queries, queryClient]);
  useDocumentTitle();
  useNoteRecents();
  useFocusKept();
  return (
    <div
      data-app=""
      data-sidebar={isOpen && !isNarrow ? '' : undefined}
      className={`group/app grid h-dvh grid-rows-[var(--spacing-topbar)_minmax(0,1fr)] narrow:grid-rows-[3rem_minmax(0,1fr)] low:grid-rows-[2.5rem_minmax(0,1fr)] ${isOpen && !isNarrow ? 'grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)]' : 'grid-cols-[minmax(0,1fr)]'}`}
    >
      <TopBar isSidebarOpen={isOpen} />
      {isOpen && <Sidebar isOverlay={isNarrow} />}
      <main className="flex min-h-0 min-w-0 flex-col gap-gutter p-gutter narrow:gap-0 narrow:p-0">
        <NewVersion />
        <Optional what="Notices of the database">
          <StoreNotice />
        </Optional>
        <Deck />
      </main>
      <Optional what="Dialogs and key hints">
        <Hosts />
      </Optional>
      <Optional what="News of access requests">
        <AccessNews />
      </Optional>
      <Optional what="Notifications of what you follow">
        <News />
        <OwnNews />
      </Optional>
      <Optional what="The subscription">
        <SubscriptionHost />
      </Optional>
    </div>
  );
}

/** Says calmly that the server runs another page than this one. The address, and so the workspace, survives a reload. */
function NewVersion() {
  const { live } = useData();
  const isOutdated = useCell(live.connection, (connection) => connection.isOutdated);
  if (!isOutdated) return null;
  return (
    <div
      className="flex min-h-9 items-center justify-center gap-3 rounded-sm border border-info-border bg-info-bg px-3"
      role="status"
    >
      <span>A new version of Wheelhouse is running.</span>
      <Button size="sm" variant="secondary" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
