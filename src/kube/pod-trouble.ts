import type { ContainerStatus, Pod } from './core.ts';

/** Why a pod is not well: the first cause that matters, with the container it lies in. */
export interface PodTrouble {
  readonly cause:
    | 'image'
    | 'crash-loop'
    | 'oom'
    | 'config'
    | 'unschedulable'
    | 'failed'
    | 'unready'
    | 'node-lost';
  readonly container: string | undefined;
  /** The cluster's own words. */
  readonly detail: string | undefined;
  /** Since when, ISO. */
  readonly since: string | undefined;
  readonly restarts: number;
  /** Not yet trouble before this time, epoch seconds: a container is given a minute to become ready. */
  readonly notBefore?: number;
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
/** A container may be unready this long after its start before that is trouble, seconds. */
const readinessPatience = 60;

function containerTrouble(status: ContainerStatus, restartPolicy: string): PodTrouble | undefined {
  const waiting = status.state?.waiting;
  const last = status.lastState?.terminated ?? status.state?.terminated;
  const base = { container: status.name, restarts: status.restartCount ?? 0 };
  if (waiting?.reason !== undefined) {
    if (imageReasons.has(waiting.reason))
      return { cause: 'image', detail: waiting.message, since: undefined, ...base };
    if (configReasons.has(waiting.reason))
      return { cause: 'config', detail: waiting.message, since: undefined, ...base };
    if (waiting.reason === 'CrashLoopBackOff') {
      if (last?.reason === 'OOMKilled')
        return { cause: 'oom', detail: exitWords(last), since: last.finishedAt, ...base };
      return {
        cause: 'crash-loop',
        detail: exitWords(last) ?? waiting.message,
        since: last?.finishedAt,
        ...base,
      };
    }
  }
  const terminated = status.state?.terminated;
  if (terminated !== undefined) {
    if (terminated.reason === 'OOMKilled')
      return { cause: 'oom', detail: exitWords(terminated), since: terminated.finishedAt, ...base };
    if ((terminated.exitCode ?? 0) !== 0 && restartPolicy !== 'Never') {
      return { cause: 'crash-loop', detail: exitWords(terminated), since: terminated.finishedAt, ...base };
    }
  }
  return undefined;
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

/**
 * Finds what is wrong with a pod, or undefined for one that is well, finished, starting, or being deleted.
 */
export function podTrouble(pod: Pod): PodTrouble | undefined {
  const status = pod.status ?? {};
  if (pod.metadata?.deletionTimestamp !== undefined || status.phase === 'Succeeded') return undefined;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  for (const one of statuses) {
    const found = containerTrouble(one, pod.spec?.restartPolicy ?? 'Always');
    if (found !== undefined) return { ...found, since: found.since ?? status.startTime };
  }
  const restarts = statuses.reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
  const scheduled = status.conditions?.find((one) => one.type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    return {
      cause: 'unschedulable',
      container: undefined,
      detail: scheduled.message,
      since: scheduled.lastTransitionTime,
      restarts,
    };
  }
  if (status.reason === 'NodeLost') {
    return { cause: 'node-lost', container: undefined, detail: status.message, since: undefined, restarts };
  }
  if (status.phase === 'Failed') {
    const ended = statuses.find((one) => (one.state?.terminated?.exitCode ?? 0) !== 0);
    const terminated = ended?.state?.terminated;
    return {
      cause: 'failed',
      container: ended?.name,
      detail: status.message ?? status.reason ?? exitWords(terminated),
      since: terminated?.finishedAt ?? status.startTime,
      restarts,
    };
  }
  const unready = (status.containerStatuses ?? []).find(
    (one) => one.ready !== true && one.state?.running?.startedAt !== undefined,
  );
  if (unready === undefined) return undefined;
  const ready = status.conditions?.find((one) => one.type === 'Ready');
  const since = ready?.lastTransitionTime ?? unready.state?.running?.startedAt;
  return {
    cause: 'unready',
    container: unready.name,
    detail: ready?.message,
    since,
    restarts,
    ...(since === undefined ? {} : { notBefore: Math.floor(Date.parse(since) / 1000) + readinessPatience }),
  };
}
