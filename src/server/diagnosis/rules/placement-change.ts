import type { Pod } from '../../../kube/core.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import { allOf, type World } from '../world.ts';
import { type Obstacle, obstaclesOf, taintText } from './node-fit.ts';
import type { HinderedNode, Verdict } from './placement-verdict.ts';
import { isReached, volumesOf } from './pod-volumes.ts';

/** An amount of a resource in the unit that people use for it. */
export function amountText(amount: number, resource: string): string {
  if (/memory|storage|hugepages/.test(resource)) return formatBytes(amount);
  return resource === 'cpu' ? formatCores(amount) : String(amount);
}

/** The change that overcomes an obstacle, as the beginning of a sentence. */
function changeOf(obstacle: Obstacle, node: string): string {
  switch (obstacle.type) {
    case 'cordoned':
      return `Uncordoning node ${node}`;
    case 'taint':
      return `A toleration of ${obstacle.taints.map(taintText).join(' and of ')}`;
    case 'resource':
      return `A request of at most ${amountText(obstacle.free, obstacle.resource)} ${obstacle.resource}`;
    case 'pods':
      return `One pod fewer on node ${node}`;
    case 'ports':
      return `A host port other than ${obstacle.port}`;
    case 'apart':
    case 'together':
      return 'Preferring the affinity to other pods instead of requiring it';
    case 'spread':
    case 'spread-label':
      return `Spreading by ${obstacle.key} with ScheduleAnyway`;
    default:
      return obstacle satisfies never;
  }
}

/** The node of those that come nearest on which the change is smallest. */
const easiest = (nearest: readonly HinderedNode[]): HinderedNode | undefined =>
  nearest.toSorted(
    ({ obstacle: a }, { obstacle: b }) =>
      (b.type === 'resource' ? b.free : 0) - (a.type === 'resource' ? a.free : 0),
  )[0];

/**
 * The one change that would let a pod run, as a sentence; that there is none where a node lacks more than one thing.
 * Undefined where nodes are not known.
 */
export function singleChange({ reason, nearest }: Verdict, pod: Pod, world: World): string | undefined {
  if (reason === 'selector') return withoutSelector(pod, world);
  const first = easiest(nearest);
  if (first === undefined || reason === 'noNodes') return undefined;
  const node = first.node.metadata?.name ?? '';
  // Nothing is free there for even the smallest request.
  if (first.obstacle.type === 'resource' && first.obstacle.free <= 0) return undefined;
  return first.others.length > 0
    ? `No single change would let the pod run on node ${node}.`
    : `${changeOf(first.obstacle, node)} would let the pod run on node ${node}.`;
}

/** The node on which a pod could run if it selected none. */
function withoutSelector(pod: Pod, world: World): string | undefined {
  const nodes = allOf(world, 'Node') ?? [];
  const pods = allOf(world, 'Pod');
  const volumes = volumesOf(pod, world).map(({ volume }) => volume);
  const free = nodes.find(
    (node) => isReached(volumes, node) && obstaclesOf(pod, node, { nodes, pods }).length === 0,
  );
  const what = pod.spec?.nodeSelector === undefined ? 'node affinity' : 'node selector';
  return free && `Without its ${what} the pod could run on node ${free.metadata?.name ?? ''}.`;
}
