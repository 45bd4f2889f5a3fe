import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { create, ownedBy } from './write.ts';

const phase = (pod: Obj) => at(pod, 'status', 'phase');

/** Whether a pod has not ended; it may be being deleted. */
export const isActiveOrStopping = (pod: Obj): boolean =>
  phase(pod) !== 'Succeeded' && phase(pod) !== 'Failed';

/** Deviations of a pod from its owner's template. */
export interface PodOverrides {
  /** A fixed name instead of a generated one. */
  readonly name?: string;
  /** Prefix of the generated name, instead of the owner's name. */
  readonly prefix?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: readonly string[];
  readonly spec?: Rec;
  /** A template to use instead of the owner's current one. */
  readonly template?: Rec;
}

/** Creates a pod from an owner's template; undefined when the API refuses it. */
export function createPod(life: Life, owner: Obj, overrides: PodOverrides): Obj | undefined {
  const { namespace = '', name = '' } = owner.metadata;
  const template = overrides.template ?? rec(at(owner, 'spec', 'template'));
  const metadata = rec(template['metadata']);
  const annotations = { ...rec(metadata['annotations']), ...overrides.annotations };
  return create(life.world, '/pods', namespace, {
    metadata: {
      generateName: overrides.prefix ?? `${name}-`,
      ...(overrides.name === undefined ? {} : { name: overrides.name }),
      labels: { ...rec(metadata['labels']), ...overrides.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(overrides.finalizers === undefined ? {} : { finalizers: [...overrides.finalizers] }),
      ownerReferences: [ownedBy(owner)],
    },
    spec: structuredClone({ ...rec(template['spec']), ...overrides.spec }),
  });
}

const restarts = (pod: Obj) =>
  recs(at(pod, 'status', 'containerStatuses')).reduce(
    (sum, status) => Math.max(sum, Number(status['restartCount'] ?? 0)),
    0,
  );
const readyCondition = (pod: Obj) =>
  recs(at(pod, 'status', 'conditions')).find((item) => item['type'] === 'Ready' && item['status'] === 'True');
const cost = (pod: Obj) =>
  Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0) || 0;
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
/** The logarithm of an age in ns, rounded, so that ages of one magnitude rank equally. */
const ageRank = (since: unknown, now: number) =>
  typeof since === 'string' ? Math.floor(Math.log2(Math.max(1, now - Date.parse(since)) * 1e6)) : 0;

/**
 * Sorts a set's surplus pods by the order of deletion: unscheduled, not started, not ready, low deletion cost, on
 * a node with many of the set, recently ready, often restarted, young.
 */
export function byDeletionOrder(pods: readonly Obj[], now: number): Obj[] {
  const node = (pod: Obj) => at(pod, 'spec', 'nodeName');
  const perNode = new Map<unknown, number>();
  for (const pod of pods) perNode.set(node(pod), (perNode.get(node(pod)) ?? 0) + 1);
  const ranks = pods.map((pod) => {
    const ready = readyCondition(pod);
    return {
      pod,
      rank: [
        node(pod) === undefined || node(pod) === '' ? 0 : 1,
        phases[String(phase(pod))] ?? 0,
        ready === undefined ? 0 : 1,
        cost(pod),
        -(perNode.get(node(pod)) ?? 0),
        ready === undefined ? 0 : ageRank(ready['lastTransitionTime'], now),
        -restarts(pod),
        ageRank(pod.metadata.creationTimestamp, now),
      ],
    };
  });
  const order = (a: (typeof ranks)[number], b: (typeof ranks)[number]) => {
    for (const [index, value] of a.rank.entries()) {
      const other = b.rank[index] ?? 0;
      if (value !== other) return value - other;
    }
    return (a.pod.metadata.uid ?? '') < (b.pod.metadata.uid ?? '') ? -1 : 1;
  };
  return ranks.sort(order).map(({ pod }) => pod);
}
