import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps.ts';
import type { Condition } from './object.ts';

/** How far a workload is. Counts are pods. */
export interface WorkloadHealth {
  /** `empty` is scaled to zero, `stuck` a rollout past its deadline. */
  readonly state: 'available' | 'progressing' | 'paused' | 'stuck' | 'unavailable' | 'degraded' | 'empty';
  readonly desired: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
  /** The controller's sentence about what is wrong, where it gave one. */
  readonly message: string | undefined;
  /** Since when it is so, ISO, where a condition says it. */
  readonly since?: string | undefined;
}

/** The condition of a type. */
export function condition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((one) => one.type === type);
}

/** Why pods of a workload are refused (a quota, a policy), in the cluster's words; undefined where none are. */
export function refusedPods({ status }: Deployment | ReplicaSet): string | undefined {
  const failure = condition(status?.conditions, 'ReplicaFailure');
  return failure?.status === 'True' ? (failure.message ?? failure.reason) : undefined;
}

/** Reasons of the condition Progressing while a rollout is under way. */
const rolling: ReadonlySet<string | undefined> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
  'DeploymentResumed',
]);

/**
 * Health of a Deployment, after `kubectl rollout status`: generation seen first, then the deadline,
 * then updated, old and available replicas.
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
  const told = failure?.status === 'True' ? failure.message : undefined;
  const of = (state: WorkloadHealth['state'], message?: string, since?: string) => ({
    state,
    ...counts,
    message,
    since,
  });

  if (object.spec?.paused === true) return of('paused', told);
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return of('stuck', progressing.message ?? told, progressing.lastTransitionTime);
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  if (desired === 0 && (status.replicas ?? 0) === 0 && isObserved) return of('empty', told);
  // What just began has its deadline to become available: until then it is not trouble of the workload.
  const isStarting = counts.available < desired && rolling.has(progressing?.reason);
  const isRolling =
    isStarting || !isObserved || counts.updated < desired || (status.replicas ?? 0) > counts.updated;
  if (isRolling) return of('progressing', told);
  if (counts.available < desired) {
    return available?.status === 'False'
      ? of('unavailable', told ?? available.message, available.lastTransitionTime)
      : of('degraded', told);
  }
  return of('available', told);
}

/** Health of a StatefulSet: updated and ready replicas against the wanted ones, with a partition honoured. */
export function statefulSetHealth(object: StatefulSet): WorkloadHealth {
  const status = object.status ?? {};
  const desired = object.spec?.replicas ?? 1;
  const counts = {
    desired,
    ready: status.readyReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    available: status.availableReplicas ?? status.readyReplicas ?? 0,
  };
  const of = (state: WorkloadHealth['state']) => ({ state, ...counts, message: undefined });
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  if (desired === 0 && (status.replicas ?? 0) === 0 && isObserved) return of('empty');
  const partition = object.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const onDelete = object.spec?.updateStrategy?.type === 'OnDelete';
  const isUpdated =
    onDelete ||
    status.currentRevision === status.updateRevision ||
    counts.updated >= Math.max(0, desired - partition);
  if (!isObserved || !isUpdated || (status.replicas ?? 0) !== desired) return of('progressing');
  if (counts.ready === 0) return of('unavailable');
  return counts.ready < desired ? of('degraded') : of('available');
}

/** Health of a ReplicaSet; one without wanted pods is an old revision, not trouble. */
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
  const of = (state: WorkloadHealth['state'], message?: string) => ({ state, ...counts, message });
  if (desired === 0 && (status.replicas ?? 0) === 0) return of('empty');
  if (failure?.status === 'True') return of('stuck', failure.message);
  if (counts.ready < desired) return counts.ready === 0 ? of('unavailable') : of('degraded');
  return (status.replicas ?? 0) > desired ? of('progressing') : of('available');
}

/** Health of a DaemonSet, after `kubectl rollout status`; it wants a pod on every node that its rules allow. */
export function daemonSetHealth({ metadata, spec = {}, status = {} }: DaemonSet): WorkloadHealth {
  const desired = status.desiredNumberScheduled ?? 0;
  const counts = {
    desired,
    ready: status.numberReady ?? 0,
    updated: status.updatedNumberScheduled ?? 0,
    available: status.numberAvailable ?? 0,
  };
  const of = (state: WorkloadHealth['state']) => ({ state, ...counts, message: undefined });
  const isObserved = (status.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  if (!isObserved) return of('progressing');
  if (desired === 0) return of('empty');
  if (counts.available === 0) return of('unavailable');
  // While pods are replaced, fewer are available, as its strategy allows.
  if (counts.updated < desired && spec.updateStrategy?.type !== 'OnDelete') return of('progressing');
  return of(counts.available < desired ? 'degraded' : 'available');
}
