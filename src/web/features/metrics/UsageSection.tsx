import type { JoinedValues } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { Section } from '../../kit/Section.tsx';
import { usageLines } from './limits.ts';
import { UsageCharts } from './UsageCharts.tsx';

interface UsageSectionProps {
  readonly usage: NonNullable<JoinedValues['usage']>;
  readonly kind: Pick<AnyKind, 'usage'>;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The CPU and memory usage of an object, of the last hour, as far as it was sampled. */
export function UsageSection({ usage, kind, object, now }: UsageSectionProps) {
  const { history, pods, recorded } = usage;
  if (usage.status === 'loading') return null;
  if ([...history.cpu, ...history.memory].every((value) => value === null)) {
    const otherwise = pods === 0 ? 'None of its pods is measured now.' : 'Nothing is measured yet.';
    return (
      <Section title="Usage">
        <p className="text-xs text-text-3">
          {usage.message ?? (usage.status === 'live' ? otherwise : 'Usage is not known.')}
        </p>
      </Section>
    );
  }
  const about =
    pods === undefined
      ? undefined
      : pods === 0
        ? 'none of its pods is measured now'
        : pods === 1
          ? 'of 1 pod'
          : `of ${pods} pods together`;
  return (
    <Section title="Usage" about={about}>
      {usage.status !== 'live' && usage.message !== null && (
        <p className="text-xs text-text-3">{usage.message}</p>
      )}
      {recorded !== undefined && (
        <p className="pb-1 text-xs text-text-3">
          The console records {recorded} pods or nodes of a cluster, and not every one of these: they are
          sampled only while a page shows them.
        </p>
      )}
      <UsageCharts
        history={history}
        now={now}
        lines={{
          cpu: usageLines(kind.usage, object, 'cpu', pods),
          memory: usageLines(kind.usage, object, 'memory', pods),
        }}
      />
    </Section>
  );
}
