import { useQuery } from '@tanstack/react-query';
import { Lock, RefreshCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import { useData } from '../../data/port.ts';
import type { DashboardTarget } from '../../data/live/targets.ts';
import { ExcludedToggle } from '../../frame/ExcludedToggle.tsx';
import type { Freshness } from '../../data/live/freshness.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useClusterTimes, useDataTime } from '../../data/live/use-data-time.ts';
import { Hints } from '../../keyboard/Hints.tsx';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { FreshLine, useFreshness } from '../../frame/FreshLine.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Flag } from '../../kit/marks.tsx';
import { StatusLine } from '../../kit/StatusLine.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { clusterHealth, expiryOf, sourceText } from '../../data/cluster-health.ts';
import { PageHead } from '../../frame/PageHead.tsx';
import { AttentionCard } from './AttentionCard.tsx';
import { CapacityCard } from './CapacityCard.tsx';
import { ChangesCard } from './ChangesCard.tsx';
import { ClusterPlaces } from './ClusterPlaces.tsx';
import { EventsCard } from './EventsCard.tsx';
import { JobsCard } from './JobsCard.tsx';
import { NodesCard } from './NodesCard.tsx';
import { Unreadable } from './Unreadable.tsx';
import { UnwatchedKinds } from './UnwatchedKinds.tsx';
import { useReading } from '../../kit/use-reading.ts';
import { UsageRoom } from './UsageRoom.tsx';
import { WorkloadsCard } from './WorkloadsCard.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const UsageCard = lazyPart(async () => (await import('./UsageCard.tsx')).UsageCard);

/** `/clusters/{id}`: how a cluster does, as far as the person may see it, live. */
export function Screen({ params }: ScreenProps) {
  const { queries, queryClient, api, live } = useData();
  const { isVisible } = useView();
  const clusterId = Number(params.clusterId);
  const cluster = useQuery(queries.clusters).data?.find((one) => one.id === clusterId);
  const [search] = useViewSearch();
  const withExcluded = search.excluded === excludedShown;
  const target: DashboardTarget = { type: 'dashboard', clusterId, withExcluded };
  const data = useLive(target, isVisible);
  const dataTime = useDataTime(data, clusterId);
  const serverTime = useDataTime(data);
  const timeOf = useClusterTimes();
  const known = useFreshness(data, { title: 'the dashboard', clusterId });
  const { isReading, handlers } = useReading();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  if (cluster === undefined) return null;

  const ask = () => {
    setAsking(true);
    setFailure(undefined);
    live.retry(target);
    api
      .clusterState({ params: { clusterId } })
      .then(() => queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey }))
      .catch((error: unknown) => setFailure(error))
      .finally(() => setAsking(false));
  };
  const { state } = cluster;
  const dashboard = data?.dashboard;
  const expiry = expiryOf(cluster.credentialExpiresAt, timeOf(clusterId));
  const about = [
    cluster.description,
    clusterHealth(cluster).text,
    ...(dashboard?.nodes == null ? [] : [`${dashboard.nodes.length} nodes`]),
    sourceText[cluster.source],
    ...(expiry === undefined || expiry.tone === 'ok' ? [] : [`credential: ${expiry.text.toLowerCase()}`]),
  ].filter((text) => text !== '');
  const isBad = state.status === 'unreachable' || state.status === 'forbidden';
  // The dashboard learns of an outage before the next read of the list of clusters.
  const isAway = dashboard === undefined && data?.state.status === 'unreachable';
  const reason = isBad ? state.message : data?.state.message;
  const freshness: Freshness =
    isBad && known.look === 'loading'
      ? { look: 'failed', text: state.status === 'forbidden' ? 'No access' : 'Unreachable' }
      : known;
  return (
    <>
      <ViewBody isScrolled className="flex flex-col gap-2 bg-deck p-3 *:flex-none">
        <PageHead
          mark={<Flag colour={cluster.colour} size={18} />}
          title={cluster.name}
          badges={
            <>
              {cluster.environment !== undefined && <Badge>{cluster.environment}</Badge>}
              {cluster.isProtected && (
                <Badge>
                  <Lock size={11} strokeWidth={1.75} aria-hidden="true" />
                  Protected
                </Badge>
              )}
              {cluster.isReadOnly && <Badge>Read-only</Badge>}
            </>
          }
          about={about.join(' · ')}
          aboutSize="xs"
          actions={
            <>
              <ExcludedToggle clusterId={clusterId} isConcerned />
              <ClusterPlaces clusterId={clusterId} />
              <Button
                size="sm"
                variant="secondary"
                icon={<RefreshCw size={13} strokeWidth={1.75} aria-hidden="true" />}
                isLoading={isAsking}
                loadingText="Asking..."
                onClick={ask}
              >
                Check now
              </Button>
            </>
          }
        />
        <ErrorAlert
          title={
            state.status === 'forbidden'
              ? 'The cluster rejects the credential.'
              : 'The cluster is unreachable.'
          }
          message={isBad || isAway ? (reason ?? 'It gave no reason.') : undefined}
          onRetry={ask}
          isRetrying={isAsking}
        />
        <ErrorAlert error={failure} onRetry={ask} />
        <ErrorAlert message={data?.ended?.title} />
        {data?.state.status === 'forbidden' && <Unreadable cluster={cluster} state={data.state} />}
        {dashboard !== undefined && data?.state.status !== 'forbidden' && (
          <div className="grid grid-cols-[minmax(0,1.9fr)_minmax(20rem,1fr)] items-start gap-2 max-[68.75rem]:grid-cols-1">
            {/* What stands below would move with it. */}
            <div className="flex min-w-0 flex-col gap-2" {...handlers}>
              <JobsCard clusterId={clusterId} now={serverTime} />
              <AttentionCard
                clusterId={clusterId}
                lines={dashboard.attention}
                total={dashboard.attentionTotal}
                unwatched={<UnwatchedKinds clusterId={clusterId} dashboard={dashboard} />}
                now={dataTime}
                serverNow={serverTime}
                isReading={isReading}
              />
              <WorkloadsCard clusterId={clusterId} workloads={dashboard.workloads} />
              {dashboard.events !== null && (
                <EventsCard
                  clusterId={clusterId}
                  events={dashboard.events}
                  minutes={dashboard.eventMinutes ?? []}
                  now={dataTime}
                />
              )}
            </div>
            <div className="flex min-w-0 flex-col gap-2">
              <CapacityCard of={dashboard} />
              {dashboard.nodes !== null && <NodesCard clusterId={clusterId} nodes={dashboard.nodes} />}
              {/* Its charts come last, and what stands below does not move with them. */}
              <Suspense fallback={dashboard.capacity !== null && <UsageRoom />}>
                <UsageCard clusterId={clusterId} capacity={dashboard.capacity} now={dataTime} />
              </Suspense>
              <ChangesCard clusterId={clusterId} changes={dashboard.changes} now={dataTime} />
            </div>
          </div>
        )}
      </ViewBody>
      <StatusLine mode="CLUSTER" isStale={freshness.look === 'stale'}>
        <FreshLine freshness={freshness} />
        <AccessCountdown clusterId={clusterId} />
        {dashboard?.usage?.status === 'live' && <span className="text-text-2">usage every 15 s</span>}
        <Hints
          hints={[
            { id: 'page.down', text: 'next issue' },
            { id: 'page.openBeside', text: 'split' },
          ]}
        />
      </StatusLine>
    </>
  );
}
