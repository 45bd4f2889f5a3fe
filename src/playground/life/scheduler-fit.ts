import { controllerOf } from '../../kube/owners.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { at, type Obj, type Rec, rec, recs, str, strings } from '../kit/values.ts';
import type { Life } from './engine.ts';

/** Amounts by resource: cores, bytes, or counts. */
export type Amounts = ReadonlyMap<string, number>;

const requestsByPod = new WeakMap<object, Amounts>();

function requestsOf(container: Rec): Amounts {
  return new Map(
    Object.entries(strings(at(container, 'resources', 'requests'))).map(
      ([name, value]) => [name, parseQuantity(str(value)) ?? 0] as const,
    ),
  );
}

function add(to: Map<string, number>, amounts: Amounts): void {
  for (const [name, value] of amounts) to.set(name, (to.get(name) ?? 0) + value);
}

function raiseTo(to: Map<string, number>, amounts: Amounts): void {
  for (const [name, value] of amounts) to.set(name, Math.max(to.get(name) ?? 0, value));
}

/**
 * The requests of a pod: the sum over containers and sidecars, or the largest init container if that is more, and
 * the overhead.
 */
export function demandOf(pod: Obj): Amounts {
  const spec = rec(pod['spec']);
  const holder = Array.isArray(spec['containers']) ? spec['containers'] : spec;
  const before = requestsByPod.get(holder);
  if (before !== undefined) return before;
  const demand = new Map<string, number>();
  for (const container of recs(spec['containers'])) add(demand, requestsOf(container));
  const sidecars = new Map<string, number>();
  const start = new Map<string, number>();
  for (const container of recs(spec['initContainers'])) {
    const requests = new Map(requestsOf(container));
    if (container['restartPolicy'] === 'Always') {
      add(sidecars, requests);
      add(demand, requests);
      raiseTo(start, sidecars);
    } else {
      add(requests, sidecars);
      raiseTo(start, requests);
    }
  }
  raiseTo(demand, start);
  const podLevel = requestsOf({ resources: rec(spec['resources']) });
  for (const [name, value] of podLevel) demand.set(name, value);
  for (const [name, value] of Object.entries(strings(spec['overhead']))) {
    demand.set(name, (demand.get(name) ?? 0) + (parseQuantity(value) ?? 0));
  }
  requestsByPod.set(holder, demand);
  return demand;
}

/** A node's allocatable amounts, those in use, and the pods that use them. */
export interface Room {
  readonly allocatable: Amounts;
  readonly used: Amounts;
  readonly pods: readonly Obj[];
  /** Number of these pods with the same owner as the pod to schedule. */
  readonly siblings: number;
}

const allocatables = new WeakMap<object, Amounts>();
function allocatableOf(node: Obj): Amounts {
  const given = rec(at(node, 'status', 'allocatable'));
  const before = allocatables.get(given);
  if (before !== undefined) return before;
  const amounts = new Map(
    Object.entries(given).map(([name, value]) => [name, parseQuantity(str(value)) ?? 0]),
  );
  allocatables.set(given, amounts);
  return amounts;
}

/** The room on a node that runs these pods. */
export function roomWith(node: Obj, pods: readonly Obj[], owner: string | undefined): Room {
  const used = new Map<string, number>();
  let siblings = 0;
  for (const pod of pods) {
    add(used, demandOf(pod));
    if (owner !== undefined && controllerOf(pod)?.uid === owner) siblings += 1;
  }
  return { allocatable: allocatableOf(node), used, pods, siblings };
}

/** The room on a node. `expected`: pods nominated to it after a preemption, which count as well. */
export function roomOn(
  node: Obj,
  life: Life,
  owner: string | undefined,
  expected: readonly Obj[] = [],
): Room {
  const pods = life.children.podsOn(node.metadata.name ?? '').filter((pod) => {
    const phase = at(pod, 'status', 'phase');
    return phase !== 'Succeeded' && phase !== 'Failed';
  });
  return roomWith(node, expected.length === 0 ? pods : [...pods, ...expected], owner);
}

/**
 * The resources that a node lacks for a demand, as the scheduler's reasons. `never`: it lacks them even when
 * empty.
 */
export function lacks(room: Room, demand: Amounts): { reasons: string[]; never: boolean } {
  const reasons: string[] = [];
  let never = false;
  if (room.pods.length + 1 > (room.allocatable.get('pods') ?? 110)) reasons.push('Too many pods');
  const first = ['cpu', 'memory', 'ephemeral-storage'];
  const names = [...first, ...[...demand.keys()].filter((name) => !first.includes(name))];
  for (const name of names) {
    const requested = demand.get(name) ?? 0;
    if (requested === 0) continue;
    const all = room.allocatable.get(name) ?? 0;
    if (requested <= all - (room.used.get(name) ?? 0) + 1e-9) continue;
    reasons.push(`Insufficient ${name}`);
    if (requested > all) never = true;
  }
  return { reasons, never };
}
