import { controllerOf } from '../../kube/owners.ts';
import { type LabelSelector, matchesSelector } from '../../kube/selector.ts';
import { at, type Obj, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { disruptPod } from './pod-end.ts';
import { roomOn, roomWith } from './scheduler-fit.ts';
import { type Candidate, refusalOf } from './scheduler-filters.ts';
import { noRoomToMake, type Refusal } from './scheduler-words.ts';
import { report } from './write.ts';

/** A pod's priority. */
export const priorityOf = (pod: Obj): number => Number(at(pod, 'spec', 'priority') ?? 0);

/** Minimum priority of critical pods, which the kubelet does not evict. */
export const minCriticalPriority = 2_000_000_000;

/** The node where a pod is to run after preemption; '' for none. */
export const nominationOf = (pod: Obj): string => str(at(pod, 'status', 'nominatedNodeName'));

/** The result of a preemption: the node, or why it is impossible. */
interface Outcome {
  readonly node?: string;
  readonly why?: string;
}

/** A node where preemption is possible, and its victims. */
interface Victims {
  readonly node: Obj;
  readonly victims: readonly Obj[];
  /** Number of victims whose disruption budgets are exhausted. */
  readonly protected: number;
}

const startOf = (pod: Obj): number =>
  Date.parse(str(at(pod, 'status', 'startTime'))) || Number.POSITIVE_INFINITY;
/** Highest priority first, then longest running. */
const byImportance = (a: Obj, b: Obj): number => priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b);

const budgets = 'policy/poddisruptionbudgets';

/** The pods whose disruption would exceed a budget: each budget allows as many as its status says. */
function protectedPods(pods: readonly Obj[], life: Life): Set<Obj> {
  const found = new Set<Obj>();
  const remaining = new Map<Obj, number>();
  for (const pod of pods) {
    for (const budget of life.world.store.list(budgets, `${pod.metadata.namespace ?? ''}/`)) {
      const selector = at(budget, 'spec', 'selector') as LabelSelector | undefined;
      if (!matchesSelector(selector, pod.metadata.labels)) continue;
      const allowed = remaining.get(budget) ?? Number(at(budget, 'status', 'disruptionsAllowed') ?? 0);
      remaining.set(budget, allowed - 1);
      if (allowed <= 0) found.add(pod);
    }
  }
  return found;
}

/** The minimal victims on a node for a candidate; otherwise why preemption there does not help. */
function victimsOn(candidate: Candidate, node: Obj, life: Life): Victims | string {
  const owner = controllerOf(candidate.pod)?.uid;
  const { pods } = roomOn(node, life, owner);
  const lower = pods.filter((pod) => priorityOf(pod) < priorityOf(candidate.pod)).sort(byImportance);
  if (lower.length === 0) return 'No preemption victims found for incoming pod';
  const removed = new Set(lower);
  const refusal = () =>
    refusalOf(
      candidate,
      node,
      roomWith(
        node,
        pods.filter((pod) => !removed.has(pod)),
        owner,
      ),
      life,
    );
  const remainingRefusal = refusal();
  if (remainingRefusal !== undefined) return remainingRefusal.reasons.join(', ');
  const shielded = protectedPods(lower, life);
  // Reprieves protected pods first, then the more important ones, while the candidate still fits.
  for (const pod of [
    ...lower.filter((one) => shielded.has(one)),
    ...lower.filter((one) => !shielded.has(one)),
  ]) {
    removed.delete(pod);
    if (refusal() !== undefined) removed.add(pod);
  }
  const victims = lower.filter((pod) => removed.has(pod));
  return { node, victims, protected: victims.filter((pod) => shielded.has(pod)).length };
}

/** Compares two nodes for preemption by the scheduler's criteria; negative when the first is better. */
function compare(a: Victims, b: Victims): number {
  const highest = ({ victims }: Victims) => Math.max(...victims.map(priorityOf));
  const sum = ({ victims }: Victims) => victims.reduce((total, pod) => total + priorityOf(pod) + 2 ** 31, 0);
  const earliest = (one: Victims) =>
    Math.min(...one.victims.filter((pod) => priorityOf(pod) === highest(one)).map(startOf));
  return (
    a.protected - b.protected ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    earliest(b) - earliest(a)
  );
}

const component = 'default-scheduler';

function preemptVictim(victim: Obj, preemptor: Obj, node: string, life: Life): void {
  const { world } = life;
  const why = `${component}: preempting to accommodate a higher priority pod`;
  const marked = disruptPod(world, victim, 'PreemptionByScheduler', why);
  report(world, marked, {
    type: 'Normal',
    reason: 'Preempted',
    message: `Preempted by pod ${preemptor.metadata.uid ?? ''} on node ${node}`,
    component,
    action: 'Preempting',
  });
}

/**
 * Preempts less important pods on the best node for a pod that fits nowhere. Does not preempt pods for the sake
 * of other pods' topology constraints.
 */
export function preempt(
  candidate: Candidate,
  nodes: readonly Obj[],
  refusals: readonly Refusal[],
  life: Life,
): Outcome {
  const { pod } = candidate;
  if (at(pod, 'spec', 'preemptionPolicy') === 'Never') {
    return { why: 'not eligible due to preemptionPolicy=Never.' };
  }
  const leaving = life.children
    .podsOn(nominationOf(pod))
    .some((other) => other.metadata.deletionTimestamp !== undefined && priorityOf(other) < priorityOf(pod));
  if (leaving) return { why: 'not eligible due to a terminating pod on the nominated node.' };
  const found: Victims[] = [];
  const reasons = nodes.map((node, index) => {
    if (refusals[index]?.final ?? true) return 'Preemption is not helpful for scheduling';
    const victimsOnNode = victimsOn(candidate, node, life);
    if (typeof victimsOnNode === 'string') return victimsOnNode;
    found.push(victimsOnNode);
    return '';
  });
  const [best] = found.sort(compare);
  if (best === undefined) return { why: noRoomToMake(nodes.length, reasons) };
  const node = best.node.metadata.name ?? '';
  for (const victim of best.victims) preemptVictim(victim, pod, node, life);
  return { node };
}
