import type { AttentionAffected } from '../../../contract/dashboard.ts';
import type { Ref } from '../../../contract/objects.ts';
import { affectedOf } from './affected.ts';
import { isDue, type Trouble } from './attention-lines.ts';
import type { Entry } from '../source/projector.ts';
import type { RecentTroubles } from './recent-troubles.ts';

/** The rule of nodes that run their pods no more, as far as the cluster can tell. */
const nodeRule = 'node.not-ready';
/** The rule of pods that their node starts no container of. */
const startRule = 'pod.not-starting';
/** Rules of pods that are in trouble because of their node, once that is not ready. */
const podRules: ReadonlySet<string> = new Set([
  'pod.node-unready',
  'pod.node-lost',
  'pod.not-ending',
  startRule,
]);
/** Rules of workloads with too few pods. A stuck rollout is not among them: it may have another cause. */
const workloadRule = /\.(?:unavailable|degraded)$/;

/** Trouble of a pod, with the node that it runs on. */
export interface PodOnNode {
  readonly node: string;
  readonly trouble: Trouble;
}

/** Troubles without those that a node explains. */
export interface FoldedTroubles {
  readonly troubles: readonly Trouble[];
  /** Objects in trouble because of a node, by the node's name. */
  readonly affected: ReadonlyMap<string, AttentionAffected>;
}

/** Whether one of the troubled nodes is not ready. @param now epoch seconds */
export const hasLostNode = (
  nodes: readonly Pick<Entry, 'uid' | 'attention'>[],
  recent: RecentTroubles,
  now: number,
): boolean =>
  nodes.some((node) => {
    const attention = recent.shown(node, now);
    return attention?.rule === nodeRule && isDue(attention, now);
  });

/**
 * Leaves out what a node that is not ready explains: the trouble of its pods, and that their workloads have too few of
 * them. What else is wrong with either is still told. Only nodes that are told of explain anything.
 * @param troubles those that are due
 * @param pods troubles of pods with a node, whether they are due yet or not
 */
export function foldUnderNodes(troubles: readonly Trouble[], pods: Iterable<PodOnNode>): FoldedTroubles {
  const lost = new Set(
    troubles.flatMap(({ attention, entry }) => (attention.rule === nodeRule ? [entry.name] : [])),
  );
  if (lost.size === 0) return { troubles, affected: new Map() };
  const places = new Map<string, Map<string, Ref>>();
  const explained = new Set<string>();
  const due = new Set(troubles.map(({ entry }) => entry.uid));
  for (const { node, trouble } of pods) {
    const { attention, entry, place } = trouble;
    if (!lost.has(node) || !podRules.has(attention.rule)) continue;
    // A pod may end in time, as a stopped container that was only not reported; none starts on such a node.
    const isInTime = attention.notBefore !== undefined && !due.has(entry.uid);
    if (isInTime && attention.rule !== startRule) continue;
    explained.add(entry.uid);
    explained.add(place.uid);
    const ofNode = places.get(node) ?? new Map<string, Ref>();
    places.set(node, ofNode.set(place.uid, place.ref));
  }
  return {
    troubles: troubles.filter(({ attention, entry, place }) =>
      podRules.has(attention.rule)
        ? !explained.has(entry.uid)
        : !(explained.has(place.uid) && workloadRule.test(attention.rule)),
    ),
    affected: new Map([...places].map(([node, refs]) => [node, affectedOf('waiting', [...refs.values()])])),
  };
}
