import { epochSeconds } from './age.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps.ts';
import type { Condition } from './object.ts';
import { lastWrites } from './writes.ts';

/** `empty`: scaled to zero; `stuck`: a rollout past its deadline. */
export type WorkloadState =
  | 'available'
  | 'progressing'
  | 'paused'
  | 'stuck'
  | 'unavailable'
  | 'degraded'
  | 'empty';

/** The progress of a workload. Counts are pods. */
export interface WorkloadHealth {
  readonly state: WorkloadState;
  readonly desired: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
  /** The controller's message about the problem, if any. */
  readonly message: string | undefined;
  /** Start time: ISO from a condition; epoch seconds if only a write tells it. */
  readonly since?: string | number | undefined;
  /** The health from a later time on (epoch seconds), unless the object changes before. */
  readonly later?: { readonly at: number; readonly state: WorkloadState } | undefined;
}

/**
 * A rollout or scale-up without progress for this long is stuck, seconds: the default of a Deployment's
 * `progressDeadlineSeconds`, also used for workloads that have no deadline.
 */
export const progressDeadline = 600;
/** The value that stands for no deadline. Source: kubernetes deployment/util, HasProgressDeadline. */
const noDeadline = 2_147_483_647;
/** Time for a DaemonSet's pods to start, seconds, because it gets new pods whenever nodes join. */
const nodePatience = 60;

/** The condition of a type. */
export function condition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((one) => one.type === type);
}

/** Why pods of a workload are refused (a quota, a policy), in the cluster's words; undefined if none are. */
export function refusedPods({ status }: Deployment | ReplicaSet): string | undefined {
  const failure = condition(status?.conditions, 'ReplicaFailure');
  return failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined;
}

/** The health at a time, epoch seconds. */
export function healthAt(health: WorkloadHealth, now: number): WorkloadHealth {
  const { later, ...present } = health;
  return later === undefined || now < later.at ? health : { ...present, state: later.state };
}

/** Progress until a time and a problem after it; a problem at once if the time is undefined. */
function until(
  trouble: WorkloadHealth,
  progressEnds: number | undefined,
  state: WorkloadState = trouble.state,
): WorkloadHealth {
  return progressEnds === undefined
    ? trouble
    : { ...trouble, state: 'progressing', later: { at: progressEnds, state } };
}

/** Adds seconds to a time. */
const after = (at: number | undefined, seconds: number) => (at === undefined ? undefined : at + seconds);

/** Reasons of the condition Progressing during a rollout. */
const rolling: ReadonlySet<string | undefined> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
  'DeploymentResumed',
]);

/**
 * When the deadline of a scale-up ends, epoch seconds; undefined if the Deployment is not scaling up. Its controller
 * keeps no deadline for that: the condition Progressing still describes the last rollout.
 */
function scaleUpEnds(object: Deployment): number | undefined {
  const { conditions } = object.status ?? {};
  const changedAt = lastWrites(object).spec;
  if (changedAt === undefined) return undefined;
  const rolledOutAt = epochSeconds(condition(conditions, 'Progressing')?.lastUpdateTime);
  if (rolledOutAt !== null && changedAt <= rolledOutAt) return undefined;
  const available = condition(conditions, 'Available');
  const lostAt = available?.status === 'False' ? epochSeconds(available.lastTransitionTime) : null;
  const deadline = object.spec?.progressDeadlineSeconds ?? progressDeadline;
  const seconds = deadline >= noDeadline ? progressDeadline : deadline;
  if (lostAt === null || lostAt >= changedAt) return changedAt + seconds;
  // An autoscaler scales in steps: the first of them made it unavailable, and the deadline counts from there. Without an
  // available pod, or unavailable for longer, it was in trouble before.
  const isInSteps = (object.status?.availableReplicas ?? 0) > 0 && changedAt - lostAt < seconds;
  return isInSteps ? lostAt + seconds : undefined;
}

/**
 * Health of a Deployment, following `kubectl rollout status`: observed generation, then the deadline, then updated, old
 * and available replicas.
 */
export function deploymentHealth(object: Deployment): WorkloadHealth {
  const status = object.status ?? {};
  const desired = object.spec?.replicas ?? 1;
  const counts = {
    desired,
    ready: status.readyReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? 0,
  };
  const progressing = condition(status.conditions, 'Progressing');
  const available = condition(status.conditions, 'Available');
  const failure = condition(status.conditions, 'ReplicaFailure');
  const failureMessage = failure?.status === 'True' ? failure.message : undefined;
  const of = (state: WorkloadState, message?: string, since?: string | number): WorkloadHealth => ({
    state,
    ...counts,
    message,
    since,
  });

  if (object.spec?.paused === true) return of('paused', failureMessage);
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return of('stuck', progressing.message ?? failureMessage, progressing.lastTransitionTime);
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  if (desired === 0 && (status.replicas ?? 0) === 0 && isObserved) return of('empty', failureMessage);
  // A new rollout has its deadline to become available; until then unavailability is no problem.
  const isStarting = counts.available < desired && rolling.has(progressing?.reason);
  const isRolling =
    isStarting || !isObserved || counts.updated < desired || (status.replicas ?? 0) > counts.updated;
  if (isRolling) return of('progressing', failureMessage);
  if (counts.available >= desired) return of('available', failureMessage);
  const trouble =
    available?.status === 'False'
      ? of('unavailable', failureMessage ?? available.message, available.lastTransitionTime)
      : of('degraded', failureMessage, lastWrites(object).status);
  return until(trouble, scaleUpEnds(object));
}

/**
 * Health of a StatefulSet: updated and ready replicas against the desired ones, respecting a partition. It has no
 * deadline of its own: a rollout is stuck if nothing wrote to spec or status for `progressDeadline`, and pods have the
 * same time to become ready after a change of the spec.
 */
export function statefulSetHealth(object: StatefulSet): WorkloadHealth {
  const status = object.status ?? {};
  const desired = object.spec?.replicas ?? 1;
  const counts = {
    desired,
    ready: status.readyReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? status.readyReplicas ?? 0,
  };
  const writes = lastWrites(object);
  const of = (state: WorkloadState): WorkloadHealth => ({
    state,
    ...counts,
    message: undefined,
    since: writes.status,
  });
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  if (desired === 0 && (status.replicas ?? 0) === 0 && isObserved) return of('empty');
  const partition = object.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const onDelete = object.spec?.updateStrategy?.type === 'OnDelete';
  const isUpdated =
    onDelete ||
    status.currentRevision === status.updateRevision ||
    counts.updated >= Math.max(0, desired - partition);
  if (!isObserved || !isUpdated || (status.replicas ?? 0) !== desired) {
    const isShort = counts.ready < desired;
    const movedAt = Math.max(writes.spec ?? 0, writes.status ?? 0) || undefined;
    return isShort ? until(of('progressing'), after(movedAt, progressDeadline), 'stuck') : of('progressing');
  }
  if (counts.ready >= desired) return of('available');
  return until(of(counts.ready === 0 ? 'unavailable' : 'degraded'), after(writes.spec, progressDeadline));
}

/**
 * Health of a ReplicaSet; one scaled to zero is an old revision and no problem. Its pods have `progressDeadline` to
 * become ready after its creation or a scaling.
 */
export function replicaSetHealth(object: ReplicaSet): WorkloadHealth {
  const status = object.status ?? {};
  const desired = object.spec?.replicas ?? 1;
  const counts = {
    desired,
    ready: status.readyReplicas ?? 0,
    updated: status.replicas ?? 0,
    available: status.availableReplicas ?? 0,
  };
  const failure = condition(status.conditions, 'ReplicaFailure');
  const of = (state: WorkloadState, message?: string): WorkloadHealth => ({ state, ...counts, message });
  if (desired === 0 && (status.replicas ?? 0) === 0) return of('empty');
  if (failure?.status === 'True') return of('stuck', failure.message);
  if (counts.ready < desired)
    return until(
      of(counts.ready === 0 ? 'unavailable' : 'degraded'),
      after(lastWrites(object).spec, progressDeadline),
    );
  return (status.replicas ?? 0) > desired ? of('progressing') : of('available');
}

/**
 * Health of a DaemonSet, following `kubectl rollout status`; it needs a pod on every eligible node. It has no deadline
 * of its own: see `statefulSetHealth`.
 */
export function daemonSetHealth(object: DaemonSet): WorkloadHealth {
  const { metadata, spec = {}, status = {} } = object;
  const desired = status.desiredNumberScheduled ?? 0;
  const counts = {
    desired,
    ready: status.numberReady ?? 0,
    updated: status.updatedNumberScheduled ?? 0,
    available: status.numberAvailable ?? 0,
  };
  const writes = lastWrites(object);
  const of = (state: WorkloadState): WorkloadHealth => ({
    state,
    ...counts,
    message: undefined,
    since: writes.status,
  });
  const isObserved = (status.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  if (!isObserved) return of('progressing');
  if (desired === 0) return of('empty');
  const starts = after(writes.spec, progressDeadline);
  if (counts.available === 0) return until(of('unavailable'), starts);
  // During an update fewer pods are available, as the strategy allows.
  if (counts.updated < desired && spec.updateStrategy?.type !== 'OnDelete') {
    const movedAt = Math.max(writes.spec ?? 0, writes.status ?? 0) || undefined;
    return until(of('progressing'), after(movedAt, progressDeadline), 'stuck');
  }
  if (counts.available >= desired) return of('available');
  const nodesCame = after(writes.status, nodePatience);
  return until(of('degraded'), Math.max(starts ?? 0, nodesCame ?? 0) || undefined);
}
