import type { ContainerState, ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Obj, type Rec, rec, recs } from '../kit/values.ts';
import type { World } from '../store/world.ts';
import { requestedBehaviour } from '../kit/behaviour.ts';
import { putStatus, remove, withCondition } from './write.ts';

/** Why a pod ends before its containers did of themselves. */
export interface Cause {
  /** The pod's own reason and message; none where it was simply deleted. */
  readonly reason?: string;
  readonly message?: string;
  /** A condition that says so, e.g. DisruptionTarget. */
  readonly condition?: Rec;
  /** Failed whatever the containers' exit codes are. */
  readonly failed?: boolean;
  readonly exitCode?: number;
}

/**
 * How a container that was told to stop ends: one that is always restarted handles the signal, a task does not, and one
 * that does not listen is killed.
 */
function exitCodeOf(pod: Obj): number {
  if (requestedBehaviour(pod.metadata.annotations).word === 'deaf') return 137;
  return at(pod, 'spec', 'restartPolicy') === 'Always' ? 0 : 143;
}

/** A container's status once it was stopped. */
export function stopped(status: ContainerStatus, exitCode: number, now: string): ContainerStatus {
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

/** The last status of a pod whose containers have all been stopped, as the kubelet writes it. `ms`: when. */
export function endedStatus(pod: Obj, ms: number, cause: Cause = {}): Rec {
  const now = timestamp(ms);
  const before = rec(pod['status']);
  const end = (field: string) =>
    (recs(before[field]) as ContainerStatus[]).map((status) =>
      stopped(status, cause.exitCode ?? exitCodeOf(pod), now),
    );
  const main = end('containerStatuses');
  const init = end('initContainerStatuses');
  const well = main.length > 0 && main.every((status) => status.state?.terminated?.exitCode === 0);
  const phase = well && cause.failed !== true ? 'Succeeded' : 'Failed';
  const reason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const over = new Set(['Ready', 'ContainersReady', 'PodReadyToStartContainers']);
  const conditions = recs(before['conditions']).map((item) => {
    if (!over.has(String(item['type']))) return item;
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

/** The condition of a pod that others make go, and why they do. */
export const disruption = (pod: Obj, reason: string, message: string): Rec => ({
  type: 'DisruptionTarget',
  observedGeneration: pod.metadata.generation ?? 1,
  status: 'True',
  lastProbeTime: null,
  reason,
  message,
});

/** Notes on a pod why it is made to go. `fields`: what else its status says from then on. Returns it as stored. */
export function markDisrupted(world: World, pod: Obj, why: Rec, fields: Rec = {}): Obj {
  const status = rec(pod['status']);
  const conditions = withCondition(recs(status['conditions']), why, timestamp(world.clock.now()));
  return putStatus(world, '/pods', pod, { ...status, ...fields, conditions });
}

/** Notes on a pod why it is made to go, and removes it with its grace period. Returns it as it was noted. */
export function dismiss(world: World, pod: Obj, reason: string, message: string): Obj {
  const marked = markDisrupted(world, pod, disruption(pod, reason, message));
  remove(world, '/pods', marked);
  return marked;
}
