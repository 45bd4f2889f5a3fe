import { settleTime } from './settle-time.ts';
import type { ContainerStatus, Pod, PodStatus, Probe } from './core.ts';
import { failedWait, isNodeNotReady, isNotReady, isSidecar } from './pod-status.ts';

/** Why a pod is unhealthy: the first relevant cause and its container. */
export interface PodTrouble {
  readonly cause:
    | 'image'
    | 'crash-loop'
    | 'oom'
    | 'config'
    | 'unschedulable'
    | 'claim'
    | 'failed'
    | 'not-starting'
    | 'unready'
    | 'node-lost'
    | 'node-unready'
    | 'not-ending';
  readonly container: string | undefined;
  /** Which run of the container has the relevant last log lines: the present one, or the previous one. */
  readonly endedRun?: 'present' | 'previous';
  /** The explanation in the cluster's words. */
  readonly detail: string | undefined;
  /** Start time, ISO. */
  readonly since: string | undefined;
  /** `since` is only the latest occurrence: the container ended before that as well. */
  readonly isSinceLatest?: true;
  readonly restarts: number;
  /** The problem begins at this time, epoch seconds: a container has a minute to become ready. */
  readonly notBefore?: number;
  /** The pod has never been ready: until `notBefore` it is starting, or waiting for its node, like any pod. */
  readonly isStarting?: true;
  /**
   * The kubelet or the scheduler has given up for now (a back-off, a failed pod): the problem does not pass by itself.
   */
  readonly isHard?: true;
  /** The problem ends at this time, epoch seconds, if the restarted container keeps running. */
  readonly notAfter?: number;
}

const imageReasons = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
/** Reasons after which the kubelet does not retry the image, or only after a delay. */
const hardImageReasons = new Set(['ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
/** Time that a container may be unready after its start, seconds; longer if its probes say so. */
const readinessPatience = 60;
/** Time that a pod may exist after its termination deadline, seconds. */
const endPatience = 60;
/** Time that a scheduled pod may take to start its containers, seconds. */
const startPatience = 120;
/** Times after which a restarted container counts as healthy again, seconds: at least, and at most. */
const leastRestartMemory = 180;
const restartMemory = 600;

const epochSeconds = (iso: string) => Math.floor(Date.parse(iso) / 1000);

/** A container that fails again after a restart is in a crash loop, also while it runs between two back-offs. */
const hardAfter = (restarts: number) => (restarts > 1 ? ({ isHard: true } as const) : {});

/** A pod keeps the end of the previous run alone. */
const latestAfter = (restarts: number) => (restarts > 1 ? ({ isSinceLatest: true } as const) : {});

/** @param isKept whether a container that fails is started again */
function containerTrouble(status: ContainerStatus, isKept: boolean): PodTrouble | undefined {
  const waiting = status.state?.waiting;
  const last = status.lastState?.terminated ?? status.state?.terminated;
  const endedRun = status.state?.terminated === undefined ? ('previous' as const) : ('present' as const);
  const base = { container: status.name, restarts: status.restartCount ?? 0 };
  const ended = { ...base, endedRun, ...latestAfter(base.restarts) };
  if (waiting?.reason !== undefined) {
    if (imageReasons.has(waiting.reason))
      return {
        cause: 'image',
        detail: waiting.message,
        since: undefined,
        ...base,
        ...(hardImageReasons.has(waiting.reason) ? { isHard: true } : {}),
      };
    if (waiting.reason === 'CrashLoopBackOff') {
      if (last?.reason === 'OOMKilled')
        return { cause: 'oom', detail: exitWords(last), since: last.finishedAt, ...ended, isHard: true };
      return {
        cause: 'crash-loop',
        isHard: true,
        detail: exitWords(last) ?? waiting.message,
        since: last?.finishedAt,
        ...(last === undefined ? { ...base, ...latestAfter(base.restarts) } : ended),
      };
    }
    if (failedWait.test(waiting.reason))
      return { cause: 'config', detail: waiting.message ?? waiting.reason, since: undefined, ...base };
  }
  const terminated = status.state?.terminated;
  if (terminated !== undefined) {
    if (terminated.reason === 'OOMKilled')
      return {
        cause: 'oom',
        detail: exitWords(terminated),
        since: terminated.finishedAt,
        ...ended,
        isHard: true,
      };
    if ((terminated.exitCode ?? 0) !== 0 && isKept) {
      return {
        cause: 'crash-loop',
        detail: exitWords(terminated),
        since: terminated.finishedAt,
        ...ended,
        ...hardAfter(base.restarts),
      };
    }
  }
  return undefined;
}

/** A running container that recently failed although it should keep running: a crash loop between two crashes. */
function restartTrouble(status: ContainerStatus, isKept: boolean): PodTrouble | undefined {
  const last = status.lastState?.terminated;
  const isBad = last !== undefined && (isKept || (last.exitCode ?? 0) !== 0);
  if (!isBad || last.finishedAt === undefined || status.state?.running === undefined) return undefined;
  return {
    cause: last.reason === 'OOMKilled' ? 'oom' : 'crash-loop',
    ...(last.reason === 'OOMKilled' ? { isHard: true } : hardAfter(status.restartCount ?? 0)),
    container: status.name,
    endedRun: 'previous',
    detail: exitWords(last),
    since: last.finishedAt,
    restarts: status.restartCount ?? 0,
    ...latestAfter(status.restartCount ?? 0),
    notAfter: epochSeconds(last.finishedAt) + memoryOf(status, last),
  };
}

/**
 * How long a restart counts, seconds: one that ended a long run is over in a few minutes once the container is ready;
 * of a loop it counts until the container has outlived its last run.
 */
function memoryOf(
  { ready }: ContainerStatus,
  { startedAt, finishedAt }: { readonly startedAt?: string; readonly finishedAt?: string },
): number {
  if (ready !== true || startedAt === undefined || finishedAt === undefined) return restartMemory;
  const run = epochSeconds(finishedAt) - epochSeconds(startedAt);
  return run > restartMemory ? leastRestartMemory : Math.max(leastRestartMemory, run);
}

function exitWords(
  terminated: { exitCode?: number; signal?: number; reason?: string; message?: string } | undefined,
): string | undefined {
  if (terminated === undefined) return undefined;
  const how = terminated.signal ? `signal ${terminated.signal}` : `code ${terminated.exitCode ?? 0}`;
  const why =
    terminated.reason === undefined || terminated.reason === 'Error' ? '' : ` (${terminated.reason})`;
  const suffix = terminated.message === undefined ? '' : `: ${terminated.message}`;
  return `Last exit with ${how}${why}${suffix}`;
}

function failedPod(
  status: NonNullable<Pod['status']>,
  statuses: readonly ContainerStatus[],
  restarts: number,
): PodTrouble {
  const ended = statuses.find((one) => (one.state?.terminated?.exitCode ?? 0) !== 0);
  const terminated = ended?.state?.terminated;
  return {
    cause: 'failed',
    container: ended?.name,
    ...(ended === undefined ? {} : { endedRun: 'present' }),
    detail: status.message ?? status.reason ?? exitWords(terminated),
    since: terminated?.finishedAt ?? status.startTime,
    restarts,
    isHard: true,
  };
}

/** How long a probe may fail before it counts, seconds, with Kubernetes' defaults. */
const probeTime = ({ initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: Probe) =>
  initialDelaySeconds + periodSeconds * failureThreshold;

/** How long a container may take to become ready for the first time, seconds. */
function firstReadiness({ spec }: Pod, container: string | undefined): number {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const { startupProbe, readinessProbe } = all.find(({ name }) => name === container) ?? {};
  const probeDelay =
    (startupProbe === undefined ? 0 : probeTime(startupProbe)) +
    (readinessProbe === undefined ? 0 : probeTime(readinessProbe));
  return Math.max(readinessPatience, probeDelay);
}

/** A pod that is not ready although its containers are: a readiness gate is closed. */
function unreadyPod({ status = {} }: Pod, restarts: number): PodTrouble | undefined {
  const { lastTransitionTime: since, message } =
    status.conditions?.find(({ type }) => type === 'Ready') ?? {};
  const started = (status.containerStatuses ?? []).map(({ state }) => state?.running?.startedAt ?? '').sort();
  const isStarting = since !== undefined && since <= (started.at(-1) ?? '');
  return {
    cause: 'unready',
    container: undefined,
    detail: message,
    since,
    restarts,
    ...(since === undefined ? {} : { notBefore: epochSeconds(since) + readinessPatience }),
    ...(isStarting ? { isStarting } : {}),
  };
}

/** A running container that is not ready: it is starting, or lost its readiness. */
function unreadyTrouble(pod: Pod, restarts: number): PodTrouble | undefined {
  const { spec, status = {} } = pod;
  const sidecars = (status.initContainerStatuses ?? []).filter(({ name }) =>
    isSidecar(spec?.initContainers?.find((one) => one.name === name)),
  );
  // The pod is ready only if its sidecars are as well.
  const unready = [...(status.containerStatuses ?? []), ...sidecars].find(
    (one) => one.ready !== true && one.state?.running?.startedAt !== undefined,
  );
  const ready = status.conditions?.find((one) => one.type === 'Ready');
  if (unready === undefined) return isNotReady(pod) ? unreadyPod(pod, restarts) : undefined;
  const startedAt = unready.state?.running?.startedAt ?? '';
  const lostAt = ready?.lastTransitionTime;
  // The condition has been false since before any container ran, so the pod was never ready.
  const isStarting = lostAt === undefined || lostAt <= startedAt;
  const since = isStarting ? startedAt : lostAt;
  const patience = isStarting ? firstReadiness(pod, unready.name) : readinessPatience;
  return {
    cause: 'unready',
    container: unready.name,
    detail: ready?.message,
    since,
    restarts,
    notBefore: epochSeconds(since) + patience,
    ...(isStarting ? { isStarting } : {}),
  };
}

/**
 * A pod past its termination deadline, whose node does not respond. If a finalizer holds the pod, the node is not the
 * cause.
 */
function notEnding({ metadata, status }: Pod): PodTrouble | undefined {
  const deadline = metadata?.deletionTimestamp;
  if (deadline === undefined || (metadata?.finalizers ?? []).length > 0) return undefined;
  return {
    cause: 'not-ending',
    container: undefined,
    detail: status?.message,
    since: deadline,
    restarts: 0,
    notBefore: epochSeconds(deadline) + endPatience,
  };
}

/**
 * Start time, ISO, of a container's problem. Of a loop its last end says little, and a container that waits has no time of
 * its own, but the pod has not been ready since its condition changed.
 */
function startOf(
  { since, isSinceLatest }: PodTrouble,
  { conditions, startTime }: PodStatus,
): string | undefined {
  const ready = conditions?.find(({ type }) => type === 'Ready');
  const unreadyFrom = ready?.status === 'True' ? undefined : ready?.lastTransitionTime;
  if (since === undefined) return unreadyFrom ?? startTime;
  return isSinceLatest === true && unreadyFrom !== undefined && unreadyFrom < since ? unreadyFrom : since;
}

/** Finds the problem of a pod; undefined if it is healthy, finished, starting, or terminating in time. */
export function podTrouble(pod: Pod): PodTrouble | undefined {
  const status = pod.status ?? {};
  if (pod.metadata?.deletionTimestamp !== undefined) return notEnding(pod);
  if (status.phase === 'Succeeded') return undefined;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const restarts = statuses.reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
  // The pod ended as a whole (evicted, past its deadline), so its containers' exits are not the cause.
  if (status.phase === 'Failed' && status.reason !== undefined) return failedPod(status, statuses, restarts);
  // The containers of a failed pod are not started again, whatever its policy.
  const isKept = status.phase !== 'Failed' && pod.spec?.restartPolicy !== 'Never';
  for (const one of statuses) {
    const found = containerTrouble(one, isKept);
    if (found !== undefined) return { ...found, since: startOf(found, status) };
  }
  const scheduled = status.conditions?.find((one) => one.type === 'PodScheduled');
  // The scheduler itself may fail as well, when it waits for a volume in vain.
  if (scheduled?.status === 'False' && /^(?:Unschedulable|SchedulerError)$/.test(scheduled.reason ?? '')) {
    return {
      cause: /persistentvolumeclaim|binding volumes/i.test(scheduled.message ?? '')
        ? 'claim'
        : 'unschedulable',
      container: undefined,
      detail: scheduled.message,
      since: scheduled.lastTransitionTime,
      restarts,
      isStarting: true,
      ...(scheduled.lastTransitionTime === undefined
        ? {}
        : { notBefore: epochSeconds(scheduled.lastTransitionTime) + settleTime }),
    };
  }
  if (status.reason === 'NodeLost') {
    return {
      cause: 'node-lost',
      container: undefined,
      detail: status.message,
      since: undefined,
      restarts,
      isHard: true,
    };
  }
  if (status.phase === 'Failed') return failedPod(status, statuses, restarts);
  if (isNodeNotReady(pod)) {
    return {
      cause: 'node-unready',
      container: undefined,
      detail: `Node ${pod.spec?.nodeName ?? ''} is not ready.`,
      since: status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime,
      restarts,
    };
  }
  for (const one of statuses) {
    const isInit = status.initContainerStatuses?.includes(one) === true;
    const found = restartTrouble(one, !isInit && (pod.spec?.restartPolicy ?? 'Always') === 'Always');
    if (found !== undefined) return { ...found, since: startOf(found, status) };
  }
  return startTrouble(pod, statuses, restarts) ?? unreadyTrouble(pod, restarts);
}

/** The trouble of a pod with a node that starts none of its containers; undefined for any other pod. */
function startTrouble(
  { spec = {}, status = {} }: Pod,
  statuses: readonly ContainerStatus[],
  restarts: number,
): PodTrouble | undefined {
  if (status.phase !== 'Pending') return undefined;
  const isWaiting = statuses.some(({ state }) =>
    /^(ContainerCreating|PodInitializing)$/.test(state?.waiting?.reason ?? ''),
  );
  const isStarted = statuses.some(
    ({ state }) => state?.running !== undefined || state?.terminated !== undefined,
  );
  if (isWaiting && !isStarted && status.startTime !== undefined)
    return notStarting(status.startTime, undefined, restarts);
  // The kubelet of a node that died meanwhile does not learn of a pod that was put on it.
  const isUntaken = statuses.length === 0 && status.startTime === undefined;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  const since = scheduled?.status === 'True' && isUntaken ? scheduled.lastTransitionTime : undefined;
  if (since !== undefined && spec.nodeName !== undefined)
    return notStarting(since, `Node ${spec.nodeName} has not reported anything about it.`, restarts);
  return undefined;
}

/** @param since ISO */
const notStarting = (since: string, detail: string | undefined, restarts: number): PodTrouble => ({
  cause: 'not-starting',
  container: undefined,
  detail,
  since,
  restarts,
  notBefore: epochSeconds(since) + startPatience,
  isStarting: true,
});
