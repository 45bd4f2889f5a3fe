import { isActiveOrStopping } from './pods.ts';
import { rec, same } from '../kit/values.ts';
import type { Obj } from '../kit/values.ts';
import { allOf, allowedFor, desiredOf, maxReplicasOf, scaleNotes, type Sets } from './revision.ts';
import {
  activeSets,
  byAge,
  count,
  isRolling,
  limits,
  replicaSets,
  replicasOf,
  type Rollout,
  tellScaled,
  total,
} from './rollout.ts';
import { putSpec } from './write.ts';

/** Scales a set and records the Deployment's replicas in its annotations. */
function resize(rollout: Rollout, set: Obj, to: number): void {
  const { life, deployment } = rollout;
  const from = replicasOf(set);
  const annotations = { ...set.metadata.annotations, ...scaleNotes(deployment) };
  if (from === to && same(annotations, set.metadata.annotations)) return;
  putSpec(life.world, replicaSets, set, { ...rec(set['spec']), replicas: to }, annotations);
  if (from !== to) tellScaled(rollout, set.metadata.name ?? '', from, to);
}

/** Whether the Deployment was scaled after its sets were. */
export function isScaling({ deployment }: Rollout, sets: Sets): boolean {
  const wanted = replicasOf(deployment);
  return activeSets(allOf(sets)).some((set) => (desiredOf(set) ?? wanted) !== wanted);
}

/** Distributes a Deployment's new number of replicas: to its only set, or during a rollout to all in proportion. */
export function scaleSets(rollout: Rollout, sets: Sets): void {
  const { deployment } = rollout;
  const wanted = replicasOf(deployment);
  const active = activeSets(allOf(sets));
  if (active.length < 2) {
    const only = active[0] ?? sets.current ?? [...sets.old].sort(byAge).at(-1);
    if (only !== undefined && replicasOf(only) !== wanted) resize(rollout, only, wanted);
    return;
  }
  const { current } = sets;
  const saturated =
    current !== undefined &&
    replicasOf(current) === wanted &&
    desiredOf(current) === wanted &&
    count(current, 'availableReplicas') === wanted;
  if (saturated) for (const set of activeSets(sets.old)) resize(rollout, set, 0);
  else if (isRolling(deployment)) distribute(rollout, active);
}

function distribute(rollout: Rollout, active: readonly Obj[]): void {
  const { deployment } = rollout;
  const wanted = replicasOf(deployment);
  const maxReplicas = wanted > 0 ? wanted + limits(deployment).surge : 0;
  const difference = maxReplicas - total(active, replicasOf);
  // Largest first; of equal ones, newer sets grow first and older ones shrink first.
  const sorted = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (difference > 0 ? byAge(b, a) : byAge(a, b)),
  );
  let given = 0;
  const sizes = sorted.map((set) => {
    const replicas = replicasOf(set);
    const remaining = difference - given;
    if (difference === 0 || remaining === 0) return replicas;
    const before = maxReplicasOf(set) || count(deployment, 'replicas');
    const exact = wanted === 0 ? 0 : before === 0 ? replicas : (replicas * maxReplicas) / before;
    const part = Math.sign(exact) * Math.round(Math.abs(exact)) - replicas;
    const step = difference > 0 ? Math.min(part, remaining) : Math.max(part, remaining);
    given += step;
    return replicas + step;
  });
  for (const [index, set] of sorted.entries()) {
    const size = (sizes[index] ?? 0) + (index === 0 ? difference - given : 0);
    resize(rollout, set, Math.max(0, size));
  }
}

/**
 * Recreates: deletes all old pods, then creates all new ones. `renew` finds the sets again and creates the
 * current one.
 */
export function recreate(rollout: Rollout, sets: Sets, renew: () => Sets): Sets {
  const active = activeSets(sets.old);
  for (const set of active) resize(rollout, set, 0);
  if (active.length > 0) return sets;
  const { children } = rollout.life;
  if (sets.old.some((set) => children.of(set.metadata.uid, '/pods').some(isActiveOrStopping))) return sets;
  const now = sets.current === undefined ? renew() : sets;
  const wanted = replicasOf(rollout.deployment);
  if (now.current !== undefined && replicasOf(now.current) !== wanted) resize(rollout, now.current, wanted);
  return now;
}

/** One step of a rolling update: adds new pods up to the surge, else removes old ones as availability allows. */
export function rollOn(rollout: Rollout, sets: Sets): boolean {
  const { deployment } = rollout;
  const { current, old } = sets;
  if (current === undefined) return false;
  const wanted = replicasOf(deployment);
  const currentReplicas = replicasOf(current);
  const all = allOf(sets);
  if (currentReplicas !== wanted) {
    const to = currentReplicas > wanted ? wanted : allowedFor(deployment, all, currentReplicas);
    if (to !== currentReplicas) {
      resize(rollout, current, to);
      return true;
    }
  }
  const active = activeSets(old).sort(byAge);
  if (active.length === 0) return false;
  const minAvailable = wanted - limits(deployment).unavailable;
  const missing = currentReplicas - count(current, 'availableReplicas');
  const removable = total(all, replicasOf) - minAvailable - missing;
  return removable > 0 && shrink(rollout, active, current, removable, minAvailable);
}

/** Scales old sets down: unavailable pods first, then as many as may be unavailable. */
function shrink(
  rollout: Rollout,
  active: readonly Obj[],
  current: Obj,
  removable: number,
  minAvailable: number,
): boolean {
  const sizes = new Map(active.map((set) => [set, replicasOf(set)]));
  let removableUnhealthy = removable;
  for (const set of active) {
    const replicas = replicasOf(set);
    const step = Math.min(removableUnhealthy, Math.max(0, replicas - count(set, 'availableReplicas')));
    sizes.set(set, replicas - step);
    removableUnhealthy -= step;
  }
  const available = total([...active, current], (set) => count(set, 'availableReplicas'));
  let healthy = Math.min(Math.max(0, available - minAvailable), removableUnhealthy);
  for (const set of active) {
    const replicas = sizes.get(set) ?? 0;
    const step = Math.min(replicas, healthy);
    sizes.set(set, replicas - step);
    healthy -= step;
  }
  let moved = false;
  for (const [set, size] of sizes) {
    if (size === replicasOf(set)) continue;
    resize(rollout, set, size);
    moved = true;
  }
  return moved;
}
