import type { ContainerStatus, Pod } from '../../kube/core.ts';

/** A pod's columns that derive from its containers. */
export interface PodStatus {
  /** The Status column: the phase, or a more specific reason. */
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** Time of the last restart of a counted container, ISO. */
  readonly restartedAt: string | undefined;
}

/** Restarts of some containers, and the time of the last one. */
interface Restarts {
  readonly count: number;
  readonly at: string | undefined;
}

function restartsOf(statuses: readonly ContainerStatus[]): Restarts {
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  return {
    count: statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    at: ends.sort().at(-1),
  };
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

function endText({ reason = '', signal = 0, exitCode = 0 }: Terminated): string {
  if (reason !== '') return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

/** The init container that a pod waits for: the first that has neither succeeded nor is a started sidecar. */
interface Initializing {
  readonly reason: string;
  /** Number of statuses up to and including it. */
  readonly count: number;
}

function initializing(pod: Pod, isSidecar: (status: ContainerStatus) => boolean): Initializing | undefined {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const index = statuses.findIndex(
    (status) => status.state?.terminated?.exitCode !== 0 && !(isSidecar(status) && status.started === true),
  );
  if (index < 0) return undefined;
  const { terminated, waiting } = statuses[index]?.state ?? {};
  const why = waiting?.reason ?? '';
  const reason =
    terminated !== undefined
      ? endText(terminated)
      : why !== '' && why !== 'PodInitializing'
        ? why
        : `${index}/${pod.spec?.initContainers?.length ?? 0}`;
  return { reason: `Init:${reason}`, count: index + 1 };
}

/** The reason of the first container that waits or has ended; undefined when none does. */
function containersReason(statuses: readonly ContainerStatus[]): string | undefined {
  for (const { state } of statuses) {
    if ((state?.waiting?.reason ?? '') !== '') return state?.waiting?.reason;
    if (state?.terminated !== undefined) return endText(state.terminated);
  }
  return undefined;
}

/**
 * Computes the columns of a pod from its containers, as the API server does for `kubectl get pods`.
 * Source: kubernetes pkg/printers/internalversion/printers.go, printPod.
 */
export function podStatus(pod: Pod): PodStatus {
  const { spec = {}, status = {}, metadata } = pod;
  const { conditions = [], containerStatuses = [], initContainerStatuses = [], phase = '' } = status;
  const isTrue = (type: string) => conditions.some((item) => item.type === type && item.status === 'True');
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const isSidecar = ({ name }: ContainerStatus) => sidecars.some((container) => container.name === name);
  const isGated = conditions.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );

  const waits = initializing(pod, isSidecar);
  const seen = initContainerStatuses.slice(0, waits?.count);
  const counted = seen.filter(
    (item) => isSidecar(item) && item.state?.terminated?.exitCode !== 0 && item.started === true,
  );
  const running = containerStatuses.filter(
    ({ ready, state }) =>
      ready === true &&
      state?.running !== undefined &&
      (state.waiting?.reason ?? '') === '' &&
      state.terminated === undefined,
  );
  // After initialization, only sidecars among the init containers count.
  const isStarted = waits === undefined || isTrue('Initialized');

  let reason = isGated ? 'SchedulingGated' : status.reason || phase;
  if (waits !== undefined) reason = waits.reason;
  if (isStarted) reason = containersReason(containerStatuses) ?? reason;
  if (isStarted && reason === 'Completed' && running.length > 0)
    reason = isTrue('Ready') ? 'Running' : 'NotReady';
  if (metadata?.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') reason = 'Terminating';
  }

  const restarts = restartsOf(isStarted ? [...seen.filter(isSidecar), ...containerStatuses] : seen);
  return {
    reason,
    ready: counted.filter(({ ready }) => ready === true).length + (isStarted ? running.length : 0),
    total: (spec.containers ?? []).length + sidecars.length,
    restarts: restarts.count,
    restartedAt: restarts.at,
  };
}
