import { useQuery } from '@tanstack/react-query';
import type { CapacityLine, Dashboard } from '../../../contract/dashboard.ts';
import { useData } from '../../data/port.ts';
import type { UsageLine } from '../../features/metrics/limits.ts';
import { UsageCharts } from '../../features/metrics/UsageCharts.tsx';
import { Card, CardNote } from '../../kit/Card.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { useView } from '../../workspace/view.ts';

interface UsageCardProps {
  readonly clusterId: number;
  readonly capacity: NonNullable<Dashboard['capacity']>;
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

/** The usage of a whole cluster in the last hour. */
export function UsageCard({ clusterId, capacity, now }: UsageCardProps) {
  const { queries } = useData();
  const { isVisible } = useView();
  const { data, error, refetch } = useQuery({ ...queries.clusterUsage(clusterId), enabled: isVisible });
  if (data === undefined && error === null) return null;
  return (
    <Card title="Usage">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && data.times.length === 0 && (
        <CardNote>{data.message ?? 'Nothing is measured yet.'}</CardNote>
      )}
      {data !== undefined && data.times.length > 0 && (
        <div className="px-3 pb-2">
          <UsageCharts
            history={data}
            now={now}
            lines={{ cpu: linesOf(capacity.cpu), memory: linesOf(capacity.memory) }}
          />
        </div>
      )}
    </Card>
  );
}
