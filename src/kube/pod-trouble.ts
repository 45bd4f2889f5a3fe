import { settleTime } from './settle-time.ts';
import type { ContainerStatus, Pod, Probe } from './core.ts';

/** Why a pod is not well: the first cause that matters, with the container it lies in. */
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
    | 'not-ending';
  readonly container: string | undefined;
  /** Which run of the container ended, for its last lines: the present one, or the one before. */
  readonly endedRun?: 'present' | 'previous';
  /** The cluster's own words. */
  readonly detail: string | undefined;
  /** Since when, ISO. */
  readonly since: string | undefined;
  readonly restarts: number;
  /** Not yet trouble before this time, epoch seconds: a container is given a minute to become ready. */
  readonly notBefore?: number;
  /** The pod has never been further: until `notBefore` it starts, or waits for its node, as any pod does. */
  readonly isStarting?: true;
  /** The kubelet or the scheduler has given up for now (a back-off, a failed pod): it does not pass by itself. */
  readonly isHard?: true;
  /** No trouble any more after this time, epoch seconds: a container that was started again may stay. */
  readonly notAfter?: number;
}

const imageReasons = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
]);
const configReasons = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'StartError',
]);
/** Reasons after which the image is not tried again, or not for a while. */
const hardImageReasons = new Set(['ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
/** A container may be unready this long after its start before that is trouble, seconds; longer by its probes. */
const readinessPatience = 60;
/** A pod may stay this long after its time to end before that is trouble, seconds. */
const endPatience = 60;
/** A scheduled pod may take this long to start its containers before that is trouble, seconds. */
const startPatience = 120;
/** A container that was started again is well after this time without another end, seconds. */
const restartMemory = 600;

const epochSeconds = (iso: string) => Math.floor(Date.parse(iso) / 1000);

/** A container that ended again after it was restarted is in a crash loop, also between two back-offs. */
const hardAfter = (restarts: number) => (restarts > 1 ? ({ isHard: true } as const) : {});

function containerTrouble(status: ContainerStatus, restartPolicy: string): PodTrouble | undefined {
  const waiting = status.state?.waiting;
  const last = status.lastState?.terminated ?? status.state?.terminated;
  const endedRun = status.state?.terminated === undefined ? ('previous' as const) : ('present' as const);
  const base = { container: status.name, restarts: status.restartCount ?? 0 };
  const ended = { ...base, endedRun };
  if (waiting?.reason !== undefined) {
    if (imageReasons.has(waiting.reason))
      return {
        cause: 'image',
        detail: waiting.message,
        since: undefined,
        ...base,
        ...(hardImageReasons.has(waiting.reason) ? { isHard: true } : {}),
      };
    if (configReasons.has(waiting.reason))
      return { cause: 'config', detail: waiting.message, since: undefined, ...base };
    if (waiting.reason === 'CrashLoopBackOff') {
      if (last?.reason === 'OOMKilled')
        return { cause: 'oom', detail: exitWords(last), since: last.finishedAt, ...ended, isHard: true };
      return {
        cause: 'crash-loop',
        isHard: true,
        detail: exitWords(last) ?? waiting.message,
        since: last?.finishedAt,
        ...(last === undefined ? base : ended),
      };
    }
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
    if ((terminated.exitCode ?? 0) !== 0 && restartPolicy !== 'Never') {
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

/** A container that runs, and ended not long ago although it should run on: a crash loop between two crashes. */
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
    notAfter: epochSeconds(last.finishedAt) + restartMemory,
  };
}

function exitWords(
  terminated: { exitCode?: number; signal?: number; reason?: string; message?: string } | undefined,
): string | undefined {
  if (terminated === undefined) return undefined;
  const how = terminated.signal ? `signal ${terminated.signal}` : `code ${terminated.exitCode ?? 0}`;
  const why =
    terminated.reason === undefined || terminated.reason === 'Error' ? '' : ` (${terminated.reason})`;
  const words = terminated.message === undefined ? '' : `: ${terminated.message}`;
  return `Last exit with ${how}${why}${words}`;
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

/** How long a probe may fail before it counts, seconds, by its defaults. */
const probeTime = ({ initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: Probe) =>
  initialDelaySeconds + periodSeconds * failureThreshold;

/** How long a container may take from its start to its first readiness, seconds. */
function firstReadiness({ spec }: Pod, container: string | undefined): number {
  const { startupProbe, readinessProbe } = spec?.containers?.find(({ name }) => name === container) ?? {};
  const told =
    (startupProbe === undefined ? 0 : probeTime(startupProbe)) +
    (readinessProbe === undefined ? 0 : probeTime(readinessProbe));
  return Math.max(readinessPatience, told);
}

/** A container that runs and is not ready: it starts, or was ready before. */
function unreadyTrouble(pod: Pod, restarts: number): PodTrouble | undefined {
  const { status = {} } = pod;
  const unready = (status.containerStatuses ?? []).find(
    (one) => one.ready !== true && one.state?.running?.startedAt !== undefined,
  );
  if (unready === undefined) return undefined;
  const ready = status.conditions?.find((one) => one.type === 'Ready');
  const startedAt = unready.state?.running?.startedAt ?? '';
  const lostAt = ready?.lastTransitionTime;
  // The condition became false with the pod, before any container ran: it has not been true since.
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
 * A pod whose time to end is over stays where its node does not answer. One that something else holds, by a finalizer, is
 * not its node's to end.
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
 * Finds what is wrong with a pod, or undefined for one that is well, finished, starting, or being deleted in its time.
 */
export function podTrouble(pod: Pod): PodTrouble | undefined {
  const status = pod.status ?? {};
  if (pod.metadata?.deletionTimestamp !== undefined) return notEnding(pod);
  if (status.phase === 'Succeeded') return undefined;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const restarts = statuses.reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
  // The pod was ended as a whole (evicted, past its deadline): how its containers went is no cause.
  if (status.phase === 'Failed' && status.reason !== undefined) return failedPod(status, statuses, restarts);
  for (const one of statuses) {
    const found = containerTrouble(one, pod.spec?.restartPolicy ?? 'Always');
    if (found !== undefined) return { ...found, since: found.since ?? status.startTime };
  }
  const scheduled = status.conditions?.find((one) => one.type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    return {
      cause: /persistentvolumeclaim/i.test(scheduled.message ?? '') ? 'claim' : 'unschedulable',
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
  for (const one of statuses) {
    const isInit = status.initContainerStatuses?.includes(one) === true;
    const found = restartTrouble(one, !isInit && (pod.spec?.restartPolicy ?? 'Always') === 'Always');
    if (found !== undefined) return found;
  }
  const isWaiting = statuses.some(({ state }) =>
    /^(ContainerCreating|PodInitializing)$/.test(state?.waiting?.reason ?? ''),
  );
  const isStarted = statuses.some(
    ({ state }) => state?.running !== undefined || state?.terminated !== undefined,
  );
  if (status.phase === 'Pending' && isWaiting && !isStarted && status.startTime !== undefined) {
    return {
      cause: 'not-starting',
      container: undefined,
      detail: undefined,
      since: status.startTime,
      restarts,
      notBefore: epochSeconds(status.startTime) + startPatience,
      isStarting: true,
    };
  }
  return unreadyTrouble(pod, restarts);
}
