import { useQuery } from '@tanstack/react-query';
import type { JoinedValues } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { useData } from '../../data/port.ts';
import { Section } from '../../kit/Section.tsx';
import { usageLines } from './limits.ts';
import { SampledCharts } from './SampledCharts.tsx';
import { StoredCharts } from './StoredCharts.tsx';

interface UsageSectionProps {
  readonly usage: NonNullable<JoinedValues['usage']>;
  readonly kind: Pick<AnyKind, 'id' | 'usage' | 'podNames'>;
  readonly self: ObjectRef;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** What the usage of a workload is of; undefined for a pod or node. */
function aboutOf(pods: number | undefined): string | undefined {
  if (pods === undefined) return undefined;
  if (pods === 0) return 'none of its pods is measured now';
  return pods === 1 ? 'of 1 pod' : `of ${pods} pods together`;
}

/**
 * The CPU and memory usage of an object: what a Prometheus keeps of it where the cluster has one, else of the last hour,
 * as far as it was sampled.
 */
export function UsageSection({ usage, kind, self, object, now }: UsageSectionProps) {
  const { queries } = useData();
  const { history, pods, recorded } = usage;
  const clusterId = Number(self.cluster);
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  const lines = {
    cpu: usageLines(kind.usage, object, 'cpu', pods),
    memory: usageLines(kind.usage, object, 'memory', pods),
  };
  if (cluster?.hasUsageHistory === true && (kind.usage ?? kind.podNames) !== undefined) {
    const measured = { kind: kind.id, namespace: self.namespace ?? '', name: self.name };
    return (
      <Section title="Usage" about={aboutOf(pods)}>
        <StoredCharts
          queryOf={(seconds) => queries.storedUsage(clusterId, measured, seconds)}
          own={history}
          now={now}
          linesOf={() => lines}
        />
      </Section>
    );
  }
  if (usage.status === 'loading') return null;
  if ([...history.cpu, ...history.memory].every((value) => value === null)) {
    const otherwise = pods === 0 ? 'None of its pods has metrics now.' : 'Nothing is measured yet.';
    return (
      <Section title="Usage">
        <p className="text-xs text-text-3">
          {usage.message ?? (usage.status === 'live' ? otherwise : 'Usage is not known.')}
        </p>
      </Section>
    );
  }
  return (
    <Section title="Usage" about={aboutOf(pods)}>
      {usage.status !== 'live' && usage.message !== null && (
        <p className="text-xs text-text-3">{usage.message}</p>
      )}
      {recorded !== undefined && (
        <p className="pb-1 text-xs text-text-3">
          The console records {recorded} pods or nodes of a cluster, and not every one of these: they are
          sampled only while a page shows them.
        </p>
      )}
      <SampledCharts history={history} now={now} lines={lines} />
    </Section>
  );
}
