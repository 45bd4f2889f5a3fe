import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { Page } from '../../frame/Page.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useReading } from '../../kit/use-reading.ts';
import { judgeLine } from '../../features/attention/acknowledged.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useView } from '../../workspace/view.ts';
import { AttentionAnywhere } from './AttentionAnywhere.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { attentionAnywhere, fleetHealth, type FleetMember, fleetOrder, heldOrder } from './fleet.ts';
import { FleetCard } from './FleetCard.tsx';
import { Recents } from './Recents.tsx';
import { useFleet } from './use-fleet.ts';

/** One object for "no clusters yet", so that nothing is computed anew. */
const noClusters: readonly never[] = [];

/** Clusters worst first; while somebody reads them each stays in its place. */
function useOrder(members: readonly FleetMember[], isReading: boolean): readonly FleetMember[] {
  const [held, setHeld] = useState<readonly number[]>();
  const sorted = fleetOrder(members);
  if (isReading && held === undefined) setHeld(sorted.map(({ cluster }) => cluster.id));
  if (!isReading && held !== undefined) setHeld(undefined);
  return isReading && held !== undefined ? heldOrder(members, held) : sorted;
}

/** How long home waits for what it knows of the clusters to be read before it begins with one of them, ms. */
const orderPatience = 10_000;

/**
 * Whether the clusters stand in their order: all that is known of them has been read, or it takes too long. Before that
 * none of them is where somebody begins to read, for then it would stay in the place it has by chance.
 */
function useOrdered(isRead: boolean): boolean {
  const isLate = useLongWait(!isRead, orderPatience);
  const [isOrdered, setOrdered] = useState(isRead);
  if (!isOrdered && (isRead || isLate)) setOrdered(true);
  return isOrdered;
}

/** `/`: how every cluster does, what needs attention on any of them, and where the person was. */
export function Screen() {
  const { registry } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const { isVisible } = useView();
  const clusters = useQuery(queries.clusters);
  const user = useQuery(queries.session).data;
  const isLong = useLongWait(clusters.isPending);
  const canAdd = user !== undefined && user !== null && isAdmin(user);
  const dataTime = useDataTime(undefined);
  const { isReading, handlers } = useReading();
  const sorted = useOrder(useFleet(clusters.data ?? noClusters, isVisible), isReading);
  const acknowledgements = useQuery(queries.acknowledgements).data ?? [];
  const attention = attentionAnywhere(sorted, (line, clusterId) =>
    judgeLine(line, clusterId, acknowledgements, { cluster: dataTime, server: dataTime }),
  );
  useFirstLine(useOrdered(clusters.data !== undefined && attention.unread === 0));
  const failing = sorted.filter((one) => fleetHealth(one).tone === 'bad').length;
  const add = canAdd ? (
    <Button
      icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => workspace.open(`${registry.href('clusters.list')}?add=1`)}
    >
      Add clusters
    </Button>
  ) : undefined;
  return (
    <Page
      title={user?.companyName === undefined || user.companyName === '' ? 'Home' : user.companyName}
      mode="HOME"
      actions={sorted.length > 0 && add}
      status={
        clusters.data !== undefined && (
          <span>
            {sorted.length === 1 ? '1 cluster' : `${sorted.length} clusters`}
            {failing > 0 && `, ${failing} unhealthy`}
          </span>
        )
      }
    >
      <ErrorAlert
        title="Could not load the clusters."
        error={clusters.error}
        onRetry={() => void clusters.refetch()}
        isRetrying={clusters.isFetching}
      />
      {clusters.isPending && isLong && <SkeletonRows isFramed />}
      {clusters.data !== undefined && sorted.length === 0 && (
        <State place="page" icon={<Icon name="clusters" size={22} />} title="No cluster yet" actions={add}>
          {canAdd
            ? 'Add one with its kubeconfig: paste it or drop the file.'
            : 'An Owner of your organisation can add clusters and grant your team access to them.'}
        </State>
      )}
      {/* What stands below would move with it. */}
      <div className="flex flex-col gap-2" {...handlers}>
        {sorted.length > 0 && <FleetCard members={sorted} now={dataTime} />}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-2">
          {sorted.length > 0 && <AttentionAnywhere {...attention} now={dataTime} />}
          <div className="flex min-w-0 flex-col gap-2">
            <FirstSteps />
            <Recents />
          </div>
        </div>
      </div>
    </Page>
  );
}
