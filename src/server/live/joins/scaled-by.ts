import type { JoinedValues } from '../../../contract/live.ts';
import type { HorizontalPodAutoscaler, ScaledObject } from '../../../kube/autoscaling.ts';
import type { ScaleTarget } from '../../../kube/autoscaling-metrics.ts';
import { type AnyKind, defineKind, type Kind } from '../../../registry/kinds/kind.ts';
import type { Tapped } from '../feed/audience.ts';
import type { Feed } from '../feed/feed.ts';
import { type Entry, placeOf } from '../source/projector.ts';
import type { Join, JoinListener } from '../feed/join.ts';

const targetFacts = (target: ScaleTarget | undefined, min: number, max: number) => ({
  targetGroup: target?.apiVersion === undefined ? null : (target.apiVersion.split('/').at(-2) ?? ''),
  targetKind: target?.kind ?? null,
  target: target?.name ?? null,
  min,
  max,
});

const joinBasis = {
  icon: 'object',
  scope: 'Namespaced',
  permissions: { view: 'namespaces.view', manage: 'hpas.manage' },
  columns: ['namespace', 'name'],
} as const;

/** The kinds of autoscalers; ScaledObjects come first, as each creates an autoscaler of its own. */
const sources: readonly Kind[] = [
  defineKind<ScaledObject>({
    ...joinBasis,
    id: 'join.scaledobject',
    kind: 'ScaledObject',
    group: 'keda.sh',
    version: 'v1alpha1',
    plural: 'scaledobjects',
    title: 'ScaledObjects',
    paths: { list: '' },
    facts: ({ spec }) =>
      targetFacts(
        { kind: 'Deployment', ...spec?.scaleTargetRef },
        spec?.minReplicaCount ?? 0,
        spec?.maxReplicaCount ?? 100,
      ),
  }),
  defineKind<HorizontalPodAutoscaler>({
    ...joinBasis,
    id: 'join.hpa',
    kind: 'HorizontalPodAutoscaler',
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    title: 'HorizontalPodAutoscalers',
    paths: { list: '' },
    facts: ({ spec }) => {
      const { minReplicas = 1, maxReplicas = minReplicas } = spec ?? {};
      return targetFacts(spec?.scaleTargetRef, minReplicas, maxReplicas);
    },
  }),
];

type Scaler = NonNullable<JoinedValues['scaledBy']>;

/** The autoscalers that set the replica count of a kind's objects, by their targets. */
export function createScaledBy(target: AnyKind, feedOf: (kind: Kind) => Feed): Join {
  const listeners = new Set<JoinListener>();
  let tapped: { readonly kind: Kind; readonly tap: Tapped }[] = [];
  let scalers: ReadonlyMap<string, Scaler> | undefined;

  const isTarget = ({ facts }: Entry) =>
    facts['targetKind'] === target.kind &&
    (facts['targetGroup'] === null || facts['targetGroup'] === target.group);

  function read(): ReadonlyMap<string, Scaler> | undefined {
    const isKnown = ({ isReady, state }: Tapped) =>
      isReady || state.status === 'absent' || state.status === 'forbidden';
    if (!tapped.every(({ tap }) => isKnown(tap))) return undefined;
    const found = new Map<string, Scaler>();
    for (const { kind, tap } of tapped) {
      for (const entry of tap.entries()) {
        const { target: name, min, max } = entry.facts;
        if (typeof name !== 'string' || !isTarget(entry)) continue;
        const place = placeOf(entry.namespace, name);
        if (!found.has(place)) {
          found.set(place, { kind: kind.kind, name: entry.name, min: Number(min), max: Number(max) });
        }
      }
    }
    return found;
  }

  function renew(): void {
    const before = scalers;
    scalers = read();
    const places = new Set([...(before ?? new Map()).keys(), ...(scalers ?? new Map()).keys()] as string[]);
    const changed = [...places].filter(
      (place) => JSON.stringify(before?.get(place)) !== JSON.stringify(scalers?.get(place)),
    );
    if (changed.length > 0) for (const listener of listeners) listener(new Set(changed));
  }

  return {
    retain(listener) {
      if (listeners.size === 0) {
        const feeds = sources.map((kind) => ({ kind, feed: feedOf(kind) }));
        tapped = feeds.map(({ kind, feed }) => ({ kind, tap: feed.tap({ changed: renew, settled: renew }) }));
        scalers = read();
      }
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        for (const { tap } of tapped) tap.leave();
        tapped = [];
        scalers = undefined;
      };
    },
    cell(place) {
      const scaler = scalers?.get(place);
      return scaler === undefined ? null : [scaler.kind, scaler.name];
    },
    value: (place) => ({ scaledBy: scalers?.get(place) ?? null }),
  };
}
