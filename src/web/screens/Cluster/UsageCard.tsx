import { useQuery } from '@tanstack/react-query';
import type { CapacityLine, Dashboard } from '../../../contract/dashboard.ts';
import { useMay } from '../../data/may-act.ts';
import { useData } from '../../data/port.ts';
import type { UsageLine } from '../../features/metrics/limits.ts';
import { SampledCharts } from '../../features/metrics/SampledCharts.tsx';
import { StoredCharts } from '../../features/metrics/StoredCharts.tsx';
import { Card, CardNote } from '../../kit/Card.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { chartsHeight, UsageRoom } from './UsageRoom.tsx';

type Capacity = NonNullable<Dashboard['capacity']>;

interface UsageCardProps {
  readonly clusterId: number;
  /** Null for those who do not see nodes. */
  readonly capacity: Capacity | null;
  /** The server's clock, ms. */
  readonly now: number;
}

/** What the pods of a cluster request now, and what its nodes have for them. */
function linesOf({ requested, allocatable }: CapacityLine): readonly UsageLine[] {
  return [
    ...(requested === null || requested === 0 ? [] : [{ label: 'requested', value: requested }]),
    ...(allocatable === 0 ? [] : [{ label: 'allocatable', value: allocatable }]),
  ];
}

/**
 * The usage of a whole cluster, for those who see its nodes: what a Prometheus keeps of it, else of the last hour. Others
 * see what the pods of their namespaces use, where a Prometheus keeps it.
 */
export function UsageCard({ clusterId, capacity, now }: UsageCardProps) {
  const { queries } = useData();
  const may = useMay(String(clusterId));
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  if (cluster?.hasUsageHistory === true && (may('clusters.view') || may('pods.view')))
    return <StoredUsageCard clusterId={clusterId} capacity={capacity} now={now} />;
  return capacity === null ? null : <SampledUsageCard clusterId={clusterId} capacity={capacity} now={now} />;
}

function StoredUsageCard({ clusterId, capacity, now }: UsageCardProps) {
  const { queries } = useData();
  const { isVisible } = useView();
  const [search] = useViewSearch();
  const withExcluded = search.excluded === excludedShown;
  const seesNodes = useMay(String(clusterId))('clusters.view');
  // What nodes used, as the console sampled it: for when the Prometheus does not answer.
  const { data: own } = useQuery({
    ...queries.clusterUsage(clusterId),
    enabled: isVisible && seesNodes,
  });
  return (
    <Card title={seesNodes ? 'Usage' : 'Usage of your namespaces'}>
      <div className="px-3 pb-2">
        <StoredCharts
          queryOf={(seconds) => queries.storedUsage(clusterId, undefined, seconds, withExcluded)}
          own={own}
          now={now}
          linesOf={() =>
            capacity === null
              ? { cpu: [], memory: [] }
              : { cpu: linesOf(capacity.cpu), memory: linesOf(capacity.memory) }
          }
        />
      </div>
    </Card>
  );
}

function SampledUsageCard({ clusterId, capacity, now }: UsageCardProps & { readonly capacity: Capacity }) {
  const { queries } = useData();
  const { isVisible } = useView();
  const { data, error, refetch } = useQuery({ ...queries.clusterUsage(clusterId), enabled: isVisible });
  if (data === undefined && error === null) return <UsageRoom />;
  return (
    <Card title="Usage">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && data.times.length === 0 && (
        <CardNote>{data.message ?? 'Nothing is measured yet.'}</CardNote>
      )}
      {data !== undefined && data.times.length > 0 && (
        <div className={`px-3 pb-2 ${chartsHeight}`}>
          <SampledCharts
            history={data}
            now={now}
            lines={{ cpu: linesOf(capacity.cpu), memory: linesOf(capacity.memory) }}
          />
        </div>
      )}
    </Card>
  );
}
