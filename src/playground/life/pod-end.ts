import type { ContainerState, ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';
import type { World } from '../store/world.ts';
import { requestedBehaviour } from '../kit/behaviour.ts';
import { putStatus, remove, withCondition } from './write.ts';

/** The reason for which a pod ends before its containers exit by themselves. */
export interface EndCause {
  /** The pod's reason and message; absent for a plain deletion. */
  readonly reason?: string;
  readonly message?: string;
  /** A condition to set, such as DisruptionTarget. */
  readonly condition?: Rec;
  /** Whether the pod has failed whatever the exit codes. */
  readonly failed?: boolean;
  readonly exitCode?: number;
}

/**
 * Exit code of a container that was told to stop: services handle the signal, tasks do not, and one that ignores
 * it is killed.
 */
function exitCodeOf(pod: Obj): number {
  if (requestedBehaviour(pod.metadata.annotations).word === 'deaf') return 137;
  return at(pod, 'spec', 'restartPolicy') === 'Always' ? 0 : 143;
}

/** A container's status after it was stopped. */
export function stoppedStatus(status: ContainerStatus, exitCode: number, now: string): ContainerStatus {
  const { state = {}, lastState, containerID } = status;
  const before = { ...status, ready: false, started: false };
  if (state.terminated !== undefined) return before;
  const last = lastState?.terminated;
  let terminated: NonNullable<ContainerState['terminated']>;
  if (state.running !== undefined) {
    terminated = {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: state.running.startedAt ?? now,
      finishedAt: now,
      ...(containerID === undefined ? {} : { containerID }),
    };
  } else if (last !== undefined) terminated = last;
  else {
    const message = 'The container could not be located when the pod was terminated';
    terminated = { exitCode: 137, reason: 'ContainerStatusUnknown', message };
  }
  return { ...before, state: { terminated } };
}

/** The final status of a pod whose containers have all stopped, as the kubelet writes it. `ms`: the time. */
export function endedStatus(pod: Obj, ms: number, cause: EndCause = {}): Rec {
  const now = timestamp(ms);
  const before = rec(pod['status']);
  const end = (field: string) =>
    (recs(before[field]) as ContainerStatus[]).map((status) =>
      stoppedStatus(status, cause.exitCode ?? exitCodeOf(pod), now),
    );
  const main = end('containerStatuses');
  const init = end('initContainerStatuses');
  const succeeded = main.length > 0 && main.every((status) => status.state?.terminated?.exitCode === 0);
  const phase = succeeded && cause.failed !== true ? 'Succeeded' : 'Failed';
  const reason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const falseConditions = new Set(['Ready', 'ContainersReady', 'PodReadyToStartContainers']);
  const conditions = recs(before['conditions']).map((item) => {
    if (!falseConditions.has(String(item['type']))) return item;
    const { message: _message, reason: _reason, ...rest } = item;
    return {
      ...rest,
      status: 'False',
      ...(item['type'] === 'PodReadyToStartContainers' ? {} : { reason }),
      lastTransitionTime: item['status'] === 'False' ? item['lastTransitionTime'] : now,
    };
  });
  const { condition } = cause;
  const others = conditions.filter((item) => item['type'] !== condition?.['type']);
  return {
    ...before,
    phase,
    ...(cause.reason === undefined ? {} : { reason: cause.reason }),
    ...(cause.message === undefined ? {} : { message: cause.message }),
    conditions: condition === undefined ? others : [condition, ...others],
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: main,
  };
}

/** The DisruptionTarget condition of a pod that is about to be deleted. */
export const disruption = (pod: Obj, reason: string, message: string): Rec => ({
  type: 'DisruptionTarget',
  observedGeneration: pod.metadata.generation ?? 1,
  status: 'True',
  lastProbeTime: null,
  reason,
  message,
});

/** Sets a DisruptionTarget condition on a pod. `fields`: further fields of its status. Returns the stored pod. */
export function markDisrupted(world: World, pod: Obj, why: Rec, fields: Rec = {}): Obj {
  const status = rec(pod['status']);
  const conditions = withCondition(recs(status['conditions']), why, timestamp(world.clock.now()));
  return putStatus(world, '/pods', pod, { ...status, ...fields, conditions });
}

/**
 * Sets a DisruptionTarget condition on a pod and deletes it with its grace period. Returns the pod with the
 * condition.
 */
export function disruptPod(world: World, pod: Obj, reason: string, message: string): Obj {
  const marked = markDisrupted(world, pod, disruption(pod, reason, message));
  remove(world, '/pods', marked);
  return marked;
}
