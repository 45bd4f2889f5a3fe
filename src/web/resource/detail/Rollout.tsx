import type { CSSProperties } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { StatusText } from '../../ui/marks.tsx';
import { rolloutOf } from './rollout.ts';
import { Section } from './Section.tsx';

interface RolloutProps {
  readonly kind: AnyKind;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** Pods that are drawn one by one; more are drawn as stretches. */
const mostDrawn = 32;

/** How many of a workload's pods are there, and what keeps the others. */
export function Rollout({ kind, object, now }: RolloutProps) {
  const state = rolloutOf(kind.id, object, now / 1000);
  if (state === undefined) return null;
  const { summary, parts } = state;
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Rollout" about={summary}>
      <div className="seg rollout" aria-hidden="true">
        {parts.flatMap(({ tone, count }) =>
          Array.from({ length: total > mostDrawn ? 1 : count }, (_, index) => (
            <i
              key={`${tone} ${index}`}
              className={tone}
              style={{ '--v': `${((total > mostDrawn ? count : 1) / total) * 100}%` } as CSSProperties}
            />
          )),
        )}
      </div>
      <p className="rollout-parts">
        {parts.map(({ tone, text }) => (
          <StatusText key={text} tone={tone} label={text} />
        ))}
      </p>
    </Section>
  );
}
