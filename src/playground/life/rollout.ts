import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs, strings } from '../kit/values.ts';
import { moveCondition } from './conditions.ts';
import type { Life } from './engine.ts';
import { putStatus, report } from './write.ts';

export const deployments = 'apps/deployments';
export const replicaSets = 'apps/replicasets';
export const hashLabel = 'pod-template-hash';
export const component = 'deployment-controller';

/** One sync of a Deployment. Its writes update `deployment`. */
export interface Rollout {
  readonly life: Life;
  readonly key: string;
  deployment: Obj;
}

export const replicasOf = (object: Obj): number => Number(at(object, 'spec', 'replicas') ?? 0);
export const count = (object: Obj, field: string): number => Number(at(object, 'status', field) ?? 0);
export const total = (objects: readonly Obj[], value: (object: Obj) => number): number =>
  objects.reduce((sum, object) => sum + value(object), 0);

/** The sets with replicas. */
export const activeSets = (sets: readonly Obj[]): Obj[] => sets.filter((set) => replicasOf(set) > 0);

const born = (set: Obj) => set.metadata.creationTimestamp ?? '';
/** Compares by age, oldest first, then by name. */
export const byAge = (a: Obj, b: Obj): number =>
  born(a) < born(b) ? -1 : born(a) > born(b) ? 1 : (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;

/** A number, or a percentage of `of` rounded up or down. */
export function fractionOf(value: unknown, of: number, up: boolean): number {
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) return Number(value ?? 0);
  const exact = (Number(percent) * of) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

export const isRolling = (deployment: Obj): boolean =>
  at(deployment, 'spec', 'strategy', 'type') !== 'Recreate';

/** The maximum surge and unavailability of a rolling update in pods; both 0 for Recreate. */
export function limits(deployment: Obj): { surge: number; unavailable: number } {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const rolling = rec(at(deployment, 'spec', 'strategy', 'rollingUpdate'));
  const surge = fractionOf(rolling['maxSurge'], wanted, true);
  const unavailable = fractionOf(rolling['maxUnavailable'], wanted, false);
  const least = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: wanted === 0 ? 0 : Math.min(least, wanted) };
}

/** A rollout's progress deadline, seconds; undefined without one. */
export function progressDeadline(deployment: Obj): number | undefined {
  const seconds = at(deployment, 'spec', 'progressDeadlineSeconds');
  return typeof seconds === 'number' && seconds !== 2_147_483_647 ? seconds : undefined;
}

/** A template without the hash label that ReplicaSets add. */
export function plainTemplate(template: unknown): Rec {
  const { metadata, ...rest } = rec(template);
  const { labels, ...others } = rec(metadata);
  const { [hashLabel]: _hash, ...plain } = strings(labels);
  return { ...rest, metadata: { ...others, labels: plain } };
}

export const conditionsOf = (object: Obj): Rec[] => recs(at(object, 'status', 'conditions'));

/** A condition of a Deployment, with the current time. */
export function rolloutCondition(
  rollout: Rollout,
  type: string,
  status: string,
  reason: string,
  message: string,
): Rec {
  const lastUpdateTime = timestamp(rollout.life.world.clock.now());
  return { type, status, reason, message, lastUpdateTime };
}

/** Stores one condition of the Deployment. */
export function setRolloutCondition(rollout: Rollout, next: Rec): void {
  const { life, deployment } = rollout;
  const now = timestamp(life.world.clock.now());
  const conditions = moveCondition(conditionsOf(deployment), next, now);
  rollout.deployment = putStatus(life.world, deployments, deployment, {
    ...rec(deployment['status']),
    conditions,
  });
}

export function tellScaled(rollout: Rollout, set: string, from: number, to: number): void {
  report(rollout.life.world, rollout.deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${to > from ? 'up' : 'down'} replica set ${set} from ${from} to ${to}`,
    component,
  });
}
