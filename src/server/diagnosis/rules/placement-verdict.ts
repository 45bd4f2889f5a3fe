import type { Pod } from '../../../kube/core.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { allOf, type World } from '../world.ts';
import { fitOf, type Obstacle } from './node-fit.ts';
import { decidingReason, type Reason, type Refusal, refusalOf } from './placement-reason.ts';
import { volumesOf } from './pod-volumes.ts';

/** A node with the one thing, of those that keep it from a pod, that is told. */
export interface HinderedNode {
  readonly node: Node;
  readonly obstacle: Obstacle;
  /** Further obstacles. */
  readonly others: readonly Obstacle[];
}

/** Why no node takes a pod. */
export interface Verdict {
  readonly reason: Reason;
  /** The scheduler's words; empty where the reason was computed. */
  readonly part: string;
  readonly why: Refusal;
  /** The nodes that come nearest; empty where nodes are not known. */
  readonly nearest: readonly HinderedNode[];
  /** Whether those are all that the pod selects. */
  readonly isAllSelected: boolean;
}

const reasonOf: Readonly<Record<Obstacle['type'], Reason>> = {
  cordoned: 'cordoned',
  taint: 'taint',
  resource: 'resources',
  pods: 'resources',
  ports: 'ports',
  apart: 'spread',
  together: 'spread',
  'spread-label': 'spread',
  spread: 'spread',
};

/** Taints by which the cluster itself keeps pods away: such nodes are no place for the pod. */
export const isOfCluster = (key = ''): boolean =>
  /^node\.kubernetes\.io\/|^node-role\.kubernetes\.io\//.test(key);

/** How far an obstacle keeps a node away: what cannot be had there at all is further than what a change would give. */
const weightOf = (obstacle: Obstacle): number =>
  (obstacle.type === 'resource' && obstacle.isTooSmall) ||
  (obstacle.type === 'taint' && obstacle.taints.some(({ key }) => isOfCluster(key)))
    ? 2.5
    : 1;

/** Why the scheduler refuses a pod: computed for the nodes that come nearest, or by its words where nodes are not known. */
export function verdictOf(pod: Pod, world: World): Verdict | undefined {
  const why = refusalOf(pod, world);
  if (why === undefined) return undefined;
  const nodes = allOf(world, 'Node') ?? [];
  const words = (): Verdict | undefined => {
    const [reason, part] = decidingReason(why, pod, world) ?? [];
    return reason === undefined
      ? undefined
      : { reason, part: part ?? '', why, nearest: [], isAllSelected: false };
  };
  // Claims that are not bound are told by what they wait for.
  if (nodes.length === 0 || why.counts.some(([reason]) => reason === 'claim')) return words();
  const volumes = volumesOf(pod, world).map(({ volume }) => volume);
  const { unselected, unreached, judged } = fitOf(pod, volumes, { nodes, pods: allOf(world, 'Pod') });
  const computed = { part: '', why, nearest: [], isAllSelected: false };
  /** Obstacles that the scheduler does not mention came later, and are no reason. */
  const isSaid = (reason: Reason) => why.counts.some(([one]) => one === reason);
  if (unselected) return isSaid('selector') ? { ...computed, reason: 'selector' } : words();
  if (unreached) return isSaid('volume') ? { ...computed, reason: 'volume' } : words();
  const weighed = judged.map(({ node, obstacles }) => ({
    node,
    obstacles: obstacles.toSorted((a, b) => weightOf(b) - weightOf(a)),
    weight: obstacles.reduce((sum, one) => sum + weightOf(one), 0),
  }));
  const least = Math.min(...weighed.map(({ weight }) => weight));
  const nearest = weighed.filter(({ weight }) => weight === least);
  // The cluster has changed since, or the obstacle is not in any object that is read.
  if (least === 0) return words();
  const groups = Map.groupBy(nearest, ({ obstacles }) => obstacles[0]?.type);
  const [largest] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  const hindered = (largest ?? []).flatMap(({ node, obstacles: [obstacle, ...others] }) =>
    obstacle === undefined ? [] : [{ node, obstacle, others }],
  );
  const [first] = hindered;
  if (first === undefined || !isSaid(reasonOf[first.obstacle.type])) return words();
  return {
    reason: reasonOf[first.obstacle.type],
    part: '',
    why,
    nearest: hindered,
    isAllSelected: hindered.length === judged.length,
  };
}
