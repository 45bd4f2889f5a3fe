import type { CSSProperties } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { StatusText } from '../../kit/marks.tsx';
import { segmentSurface } from '../../kit/segments.ts';
import { rolloutOf } from './rollout.ts';
import { Section } from '../../kit/Section.tsx';

interface RolloutProps {
  readonly kind: AnyKind;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Pods that are drawn one by one; more are drawn as stretches. */
const maxDrawn = 32;

/** How many of a workload's pods are there, and what keeps the others. */
export function Rollout({ kind, object, now }: RolloutProps) {
  const state = rolloutOf(kind.rollout?.(object), object, now / 1000);
  if (state === undefined) return null;
  const { summary, parts } = state;
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Rollout" about={summary}>
      <div
        className="flex h-2 gap-0.5 overflow-hidden rounded-[1px] forced-color-adjust-none"
        aria-hidden="true"
      >
        {parts.flatMap(({ tone, count }) =>
          Array.from({ length: total > maxDrawn ? 1 : count }, (_, index) => (
            <i
              key={`${tone} ${index}`}
              className={`w-(--v) min-w-0 rounded-[1px] ${segmentSurface[tone]}`}
              style={{ '--v': `${((total > maxDrawn ? count : 1) / total) * 100}%` } as CSSProperties}
            />
          )),
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 pt-1.5 text-(length:--text-xs)">
        {parts.map(({ tone, text }) => (
          <StatusText key={text} tone={tone} label={text} />
        ))}
      </p>
    </Section>
  );
}
