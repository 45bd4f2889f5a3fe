import type { Pod } from '../../../kube/core.ts';
import { condition, type Proof } from '../rule.ts';
import { allOf, type World } from '../world.ts';
import { isSelected } from './node-fit.ts';
import { isReached, volumesOf } from './pod-volumes.ts';
import { troubleOf } from './pod-parts.ts';

/** The reasons of the scheduler in its own words, the ones that only a change of the pod or of nodes helps first. */
const reasons = {
  claim: /persistentvolumeclaim|unbound immediate|persistent volumes to bind/i,
  selector: /didn't match Pod's node affinity\/selector|node\(s\) didn't match node selector/i,
  taint: /had untolerated taint/i,
  spread:
    /didn't match pod topology spread|didn't satisfy existing pods anti-affinity|didn't match pod (?:anti-)?affinity/i,
  ports: /didn't have free ports/i,
  resources: /Insufficient [\w./-]+|Too many pods/i,
  cordoned: /were unschedulable/i,
  volume: /volume node affinity conflict|didn't match PersistentVolume's node affinity/i,
  noNodes: /no nodes available to schedule|^0\/0 nodes/i,
} as const;

/** One of them. */
export type Reason = keyof typeof reasons;

/** What the scheduler says of a pod, with how many nodes each reason keeps it from. */
export interface Refusal {
  readonly message: string;
  readonly proof: Proof;
  readonly counts: readonly (readonly [reason: Reason, nodes: number, part: string])[];
  readonly nodes: number;
}

/** Why the scheduler refuses a pod; undefined for one that it does not. */
export function refusalOf(pod: Pod, world: World): Refusal | undefined {
  const trouble = troubleOf(pod, world);
  if (trouble?.cause !== 'unschedulable') return undefined;
  const message = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
  const [head = ''] = message.split(/\. (?:no new claims|preemption:)/);
  const [, all = '0', rest = head] = /0\/(\d+) nodes are available: (.*)$/s.exec(head) ?? [];
  const names = Object.keys(reasons) as readonly Reason[];
  const counts = rest.split(/, (?=\d)/).flatMap((part) => {
    const reason = names.find((name) => reasons[name].test(part));
    const nodes = Number(/^\d+/.exec(part)?.[0] ?? all);
    return reason === undefined ? [] : [[reason, nodes, part.replace(/^\d+ |\.$/g, '')] as const];
  });
  return { message, proof: condition(pod, 'PodScheduled'), counts, nodes: Number(all) };
}

/** The reasons that the scheduler gives only for nodes that the pod selects. */
const ofSelected: ReadonlySet<Reason> = new Set(['claim', 'volume', 'spread', 'ports', 'resources']);

/** Whether nodes that the pod selects are known, all of which something else keeps from taking it. */
function hasSelected({ counts }: Refusal, pod: Pod, world: World): boolean {
  if (!counts.some(([reason]) => reason === 'selector')) return false;
  if (counts.some(([reason]) => ofSelected.has(reason))) return true;
  // Of cordoned and tainted nodes the scheduler does not say whether the pod selects them.
  if (!counts.some(([reason]) => reason === 'cordoned' || reason === 'taint')) return false;
  return allOf(world, 'Node')?.some((node) => isSelected(pod, node)) === true;
}

/** Whether nodes from which the volumes of the pod can be used are known, all of which something else keeps from it. */
function hasReaching({ counts }: Refusal, pod: Pod, world: World): boolean {
  if (!counts.some(([reason]) => reason === 'volume')) return false;
  const volumes = volumesOf(pod, world).map(({ volume }) => volume);
  return allOf(world, 'Node')?.some((node) => isSelected(pod, node) && isReached(volumes, node)) === true;
}

/**
 * The reason that keeps most nodes from taking the pod. Nodes that it does not select, or from which its volumes cannot be
 * used, decide only where there are no others, and tainted control planes, which are in every such message, only where
 * nothing else does.
 */
export function decidingReason(why: Refusal, pod: Pod, world: World): readonly [Reason, string] | undefined {
  if (reasons.noNodes.test(why.message)) return ['noNodes', why.message];
  const order = Object.keys(reasons) as readonly Reason[];
  const isAmongSelected = hasSelected(why, pod, world);
  const isAmongReaching = hasReaching(why, pod, world);
  const counts = why.counts.filter(
    ([reason]) => (reason !== 'selector' || !isAmongSelected) && (reason !== 'volume' || !isAmongReaching),
  );
  const own = counts.filter(([reason, , part]) => reason !== 'taint' || !/control-plane|master/.test(part));
  const [first] = (own.length > 0 ? own : counts).toSorted(
    (a, b) => b[1] - a[1] || order.indexOf(a[0]) - order.indexOf(b[0]),
  );
  return first === undefined ? undefined : [first[0], first[2]];
}
