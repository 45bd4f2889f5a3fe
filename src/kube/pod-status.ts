import type { Container, Pod } from './core.ts';

/** A pod's health as kubectl prints it. */
export interface PodHealth {
  /** The STATUS column: a phase, or a more specific reason. */
  readonly reason: string;
  /** Whether the reason is a failure: of the pod by its phase, else of the container that it is taken from. */
  readonly isFailing: boolean;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** When a container last restarted, ISO. */
  readonly lastRestart: string | undefined;
}

/** Waiting reasons by which a runtime says that it cannot go on; the API only fixes those of a healthy start. */
export const failedWait = /Err|Error|Fail|BackOff|Invalid|Unavailable|Cannot|Denied|Never/;

/** Whether an init container runs for as long as its pod. */
export const isSidecar = (container: Container | undefined): boolean => container?.restartPolicy === 'Always';

/**
 * Computes a pod's status as `kubectl get pods` does.
 * Source: kubernetes pkg/printers/internalversion/printers.go, printPod (1.36).
 */
export function podHealth(pod: Pod): PodHealth {
  const spec = pod.spec ?? {};
  const status = pod.status ?? {};
  const containers = spec.containers ?? [];
  const initContainers = spec.initContainers ?? [];
  const initByName = new Map(initContainers.map((container) => [container.name, container]));

  let reason = status.reason || status.phase || 'Unknown';
  let isFailing = false;
  let restarts = 0;
  let sidecarRestarts = 0;
  let ready = 0;
  // Counted by the spec, because a pod that no node has accepted has no container statuses.
  let total = containers.length + initContainers.filter(isSidecar).length;
  let lastRestart: string | undefined;
  let lastSidecarRestart: string | undefined;
  const later = (a: string | undefined, b: string | undefined) =>
    b !== undefined && (a === undefined || b > a) ? b : a;

  const scheduling = status.conditions?.find(
    (c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated',
  );
  if (scheduling !== undefined) reason = 'SchedulingGated';

  let initializing = false;
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const sidecar = isSidecar(initByName.get(container.name));
    restarts += container.restartCount ?? 0;
    lastRestart = later(lastRestart, container.lastState?.terminated?.finishedAt);
    if (sidecar) {
      sidecarRestarts += container.restartCount ?? 0;
      lastSidecarRestart = later(lastSidecarRestart, container.lastState?.terminated?.finishedAt);
    }
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready === true) ready += 1;
      continue;
    }
    isFailing = terminated !== undefined || failedWait.test(waiting?.reason ?? '');
    if (terminated !== undefined) {
      reason = terminated.reason ? `Init:${terminated.reason}` : exitReason(terminated, 'Init:');
    } else if (waiting?.reason && waiting.reason !== 'PodInitializing') {
      reason = `Init:${waiting.reason}`;
    } else {
      reason = `Init:${index}/${initContainers.length}`;
    }
    initializing = true;
    break;
  }

  if (!initializing || isInitialized(pod)) {
    restarts = sidecarRestarts;
    lastRestart = lastSidecarRestart;
    let hasRunning = false;
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      restarts += container.restartCount ?? 0;
      lastRestart = later(lastRestart, container.lastState?.terminated?.finishedAt);
      const { terminated, waiting, running } = container.state ?? {};
      if (waiting?.reason) {
        reason = waiting.reason;
        isFailing = failedWait.test(reason);
      } else if (terminated !== undefined) {
        reason = terminated.reason || exitReason(terminated, '');
        isFailing = (terminated.exitCode ?? 0) !== 0 || (terminated.signal ?? 0) !== 0;
      } else if (container.ready === true && running !== undefined) {
        hasRunning = true;
        ready += 1;
      }
    }
    if (reason === 'Completed' && hasRunning) {
      reason = isReady(pod) ? 'Running' : 'NotReady';
      isFailing = false;
    }
  }
  if (status.phase === 'Failed') isFailing = true;
  else if (status.phase === 'Succeeded') isFailing = false;

  if (pod.metadata?.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') reason = 'Unknown';
    else if (status.phase !== 'Failed' && status.phase !== 'Succeeded') reason = 'Terminating';
    if (status.phase !== 'Failed') isFailing = false;
  }
  return { reason, isFailing, ready, total, restarts, lastRestart };
}

/** Whether the API says that a running pod is not ready, though its containers are: it gets no requests. */
export const isNotReady = ({ status }: Pod): boolean =>
  status?.phase === 'Running' &&
  status.containerStatuses?.every(({ ready }) => ready === true) === true &&
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value !== 'True') === true;

/**
 * Whether a running pod is not ready because its node is not. The node controller then changes the status of the
 * condition Ready alone, while a kubelet always gives a reason, and changes ContainersReady as well if it is about a
 * container.
 * Source: kubernetes pkg/controller/util/node/controller_utils.go, MarkPodsNotReady (1.36).
 */
export function isNodeNotReady(pod: Pod): boolean {
  if (pod.spec?.nodeName === undefined || !isNotReady(pod)) return false;
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'Unknown' || (!ready?.reason && hasCondition(pod, 'ContainersReady'));
}

function exitReason(terminated: { exitCode?: number; signal?: number }, prefix: string): string {
  return terminated.signal
    ? `${prefix}Signal:${terminated.signal}`
    : `${prefix}ExitCode:${terminated.exitCode ?? 0}`;
}

const hasCondition = (pod: Pod, type: string) =>
  pod.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
const isReady = (pod: Pod) => hasCondition(pod, 'Ready');
const isInitialized = (pod: Pod) => hasCondition(pod, 'Initialized');
