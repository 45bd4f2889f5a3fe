import type { ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../kit/clock.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, same, str } from '../kit/values.ts';
import { requestedBehaviour, behaviourOf, steady } from '../kit/behaviour.ts';
import { attachProblem } from './attach.ts';
import { nextState } from './container.ts';
import type { ContainerPlan } from './container-plan.ts';
import { endPod, evict, untilEviction } from './eviction.ts';
import { hasImage, noteImage } from './images.ts';
import { rejection } from './kubelet-admit.ts';
import { isSilent } from './node-conditions.ts';
import { endedStatus, stoppedStatus } from './pod-end.ts';
import { reportPodEvent } from './pod-event.ts';
import { environmentProblem, mountProblem } from './references.ts';
import { restartedStatus, isSidecar, restartsAfter, restartsAllContainers } from './restart.ts';
import type { Controller, Life } from './engine.ts';
import { putStatus, remove, report } from './write.ts';

/** Simulates the kubelets: runs pods through their states without running anything. */
export const kubelet: Controller = {
  name: 'kubelet',
  interested: ({ storage, key, before, after }) => {
    if (storage !== '/pods' || after === undefined || str(at(after, 'spec', 'nodeName')) === '') return [];
    // The kubelet's own status writes are skipped: it has already planned the next look.
    const isRelevant =
      before === undefined ||
      before['spec'] !== after['spec'] ||
      before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
      before.metadata.deletionGracePeriodSeconds !== after.metadata.deletionGracePeriodSeconds ||
      (before['status'] !== after['status'] && hasGates(after));
    return isRelevant && !runsNormally(after) ? [key] : [];
  },
  reconcile: (key, life) => {
    const pod = life.world.store.get('/pods', key);
    if (pod === undefined || str(at(pod, 'spec', 'nodeName')) === '') return;
    if (isSilent(life.world.store.get('/nodes', str(at(pod, 'spec', 'nodeName'))))) return;
    if (pod.metadata.deletionTimestamp !== undefined) stopPod(pod, key, life);
    else syncPod(pod, key, life);
  },
};

const hasGates = (pod: Obj) => recs(at(pod, 'spec', 'readinessGates')).length > 0;

/** Whether a pod runs normally with nothing planned: thousands of them need no timer. */
function runsNormally(pod: Obj): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || at(pod, 'status', 'phase') !== 'Running') return false;
  const ready = recs(at(pod, 'status', 'conditions')).some(
    (item) => item['type'] === 'Ready' && item['status'] === 'True',
  );
  const behaves = recs(at(pod, 'spec', 'containers')).every((container) =>
    ['ok', 'slow-start', 'noisy', 'deaf'].includes(
      behaviourOf(pod, str(container['name']), str(container['image'])),
    ),
  );
  const images = statusesOf(pod).every((status) => {
    const container = recs(at(pod, 'spec', 'containers')).find((item) => item['name'] === status.name);
    const given = at(status, 'resources');
    const isResized = given !== undefined && !same(given, rec(container?.['resources']));
    return container?.['image'] === status.image && !isResized;
  });
  const isDebugged = recs(at(pod, 'spec', 'ephemeralContainers')).length > 0;
  return ready && behaves && images && !isDebugged && !hasGates(pod);
}

const statusesOf = (pod: Obj) => recs(at(pod, 'status', 'containerStatuses')) as ContainerStatus[];

function stopPod(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const since =
    Date.parse(pod.metadata.deletionTimestamp ?? '') - (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const isDeaf = requestedBehaviour(pod.metadata.annotations).word === 'deaf';
  const stopTime = isDeaf ? grace : Math.min(grace, 1_000 + steady(pod.metadata.uid ?? '') * 3_000);
  const untilStopped = since + stopTime - world.clock.now();
  if (untilStopped <= 0) {
    const isOver = at(pod, 'status', 'phase') === 'Succeeded' || at(pod, 'status', 'phase') === 'Failed';
    const last = isOver ? pod : putStatus(world, '/pods', pod, endedStatus(pod, world.clock.now()));
    remove(world, '/pods', last, 0);
    return;
  }
  for (const container of statusesOf(pod)) {
    if (container.state?.running === undefined) continue;
    reportPodEvent(pod, life, 'Normal', 'Killing', `Stopping container ${container.name}`, container.name);
  }
  life.look(kubelet, key, untilStopped + 20);
}

function addressOf(pod: Obj, life: Life): string {
  const podIP = str(at(pod, 'status', 'podIP'));
  if (podIP !== '') return podIP;
  const node = life.world.store.get('/nodes', str(at(pod, 'spec', 'nodeName')));
  if (at(pod, 'spec', 'hostNetwork') === true) return hostAddress(node);
  const range = /^(\d+\.\d+\.\d+)\./.exec(str(at(node, 'spec', 'podCIDR')))?.[1] ?? '10.244.0';
  return `${range}.${2 + Math.floor(steady(pod.metadata.uid ?? '', 'address') * 250)}`;
}

const hostAddress = (node: Obj | undefined) =>
  str(recs(at(node, 'status', 'addresses')).find((item) => item['type'] === 'InternalIP')?.['address']);

/** The states of a pod's containers, and the ms until the next one changes by itself. */
interface Containers {
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  readonly ephemeral: readonly ContainerStatus[];
  /** Whether the init containers are done. */
  readonly initialised: boolean;
  readonly retryAfter: number;
}

const finishedAt = (status: ContainerStatus) => Date.parse(status.state?.terminated?.finishedAt ?? '') || 0;

/** Advances each container by one step: init containers one after the other, then all the others together. */
function step(pod: Obj, startTime: string, life: Life): Containers {
  const { world } = life;
  const now = world.clock.now();
  const hasInit = recs(at(pod, 'spec', 'initContainers')).length > 0;
  const before = rec(pod['status']);
  let retryAfter = Number.POSITIVE_INFINITY;
  let started = Date.parse(startTime);
  let initialised = true;
  const next = (container: Rec, statusField: string, isInit: boolean): ContainerStatus => {
    const name = str(container['name']);
    const status = recs(before[statusField]).find((item) => item['name'] === name) as
      | ContainerStatus
      | undefined;
    const isDebugger = statusField === 'ephemeralContainerStatuses';
    const problem = environmentProblem(world, pod, container);
    const node = str(at(pod, 'spec', 'nodeName'));
    const image = str(container['image']);
    const plan: ContainerPlan = {
      pod,
      container,
      status,
      now,
      started,
      initialised,
      hasInit,
      isInit,
      restarts: (code) => !isDebugger && restartsAfter(pod, container, isInit, code),
      problem,
      present: hasImage(life, node, image),
    };
    const nextStatus = nextState(plan, (type, reason, message) =>
      reportPodEvent(pod, life, type, reason, message, name, isInit ? 'initContainers' : 'containers'),
    );
    if (nextStatus.status.state?.running !== undefined && status?.state?.running === undefined)
      noteImage(life, node, image);
    if (nextStatus.retryAfter !== undefined) retryAfter = Math.min(retryAfter, nextStatus.retryAfter);
    return nextStatus.status;
  };
  const attach = str(before['podIP']) === '' ? attachProblem(world, pod) : undefined;
  const mount = attach === undefined ? mountProblem(world, pod) : undefined;
  // It is reported once.
  if (attach !== undefined && str(before['startTime']) === '') {
    const type = 'Warning';
    const component = 'attachdetach-controller';
    report(world, pod, { type, reason: 'FailedAttachVolume', message: attach, component });
  }
  if (mount !== undefined && started + mountPatience <= now)
    reportPodEvent(pod, life, 'Warning', 'FailedMount', mount);
  if ((attach ?? mount) !== undefined) {
    initialised = false;
    retryAfter = mountPace;
  }
  const init = recs(at(pod, 'spec', 'initContainers')).map((container) => {
    const sidecar = isSidecar(container);
    const status = next(container, 'initContainerStatuses', true);
    const isDone = sidecar ? status.started === true : status.state?.terminated?.exitCode === 0;
    if (!isDone) initialised = false;
    else started = Math.max(started, finishedAt(status));
    return status;
  });
  const main = recs(at(pod, 'spec', 'containers')).map((container) =>
    next(container, 'containerStatuses', false),
  );
  const ephemeral = recs(at(pod, 'spec', 'ephemeralContainers')).map((container) =>
    next(container, 'ephemeralContainerStatuses', false),
  );
  return { init, main, ephemeral, initialised, retryAfter };
}

/** Delay before a mount failure is reported, and interval between retries, ms. */
const [mountPatience, mountPace] = [1_000, 15_000];

function syncPod(pod: Obj, key: string, life: Life): void {
  const { world } = life;
  const phase = at(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return;
  const before = rec(pod['status']);
  const startTime = str(before['startTime']) || timestamp(world.clock.now());
  const refused = str(before['startTime']) === '' ? rejection(pod, life) : undefined;
  if (refused !== undefined) {
    const { reason, message } = refused;
    reportPodEvent(pod, life, 'Warning', reason, message);
    const why = { reason, message: `Pod was rejected: ${message}` };
    putStatus(world, '/pods', pod, { ...before, phase: 'Failed', ...why, startTime });
    return;
  }
  const untilEvicted = untilEviction(pod, startTime, life);
  if (untilEvicted <= 0) {
    evict(pod, life);
    return;
  }
  const untilOverdue = untilDeadline(pod, startTime, life);
  if (untilOverdue <= 0) {
    endOverdue(pod, life);
    return;
  }
  if (restartsAllContainers(pod)) {
    for (const { name, state } of statusesOf(pod))
      if (state?.running !== undefined)
        reportPodEvent(pod, life, 'Normal', 'Killing', `Stopping container ${name}`, name);
    putStatus(world, '/pods', pod, restartedStatus(pod, timestamp(world.clock.now())));
    life.look(kubelet, key, 1_200);
    return;
  }
  const containers = step(pod, startTime, life);
  const retryAfter = Math.min(containers.retryAfter, untilEvicted, untilOverdue);
  const status = statusOf(pod, life, before, startTime, containers);
  const stored = same(before, status) ? pod : putStatus(world, '/pods', pod, status);
  if (Number.isFinite(retryAfter) && world.store.get('/pods', key) !== undefined) {
    life.look(
      kubelet,
      keyOf(stored.metadata.namespace, stored.metadata.name ?? ''),
      Math.max(20, retryAfter),
    );
  }
}

/** The ms until a pod exceeds its activeDeadlineSeconds; infinite without one. */
function untilDeadline(pod: Obj, startTime: string, life: Life): number {
  const seconds = at(pod, 'spec', 'activeDeadlineSeconds');
  if (typeof seconds !== 'number') return Number.POSITIVE_INFINITY;
  return Date.parse(startTime) + seconds * 1000 - life.world.clock.now();
}

/** Ends a pod that exceeded its activeDeadlineSeconds. */
function endOverdue(pod: Obj, life: Life): void {
  const message = 'Pod was active on the node longer than the specified deadline';
  reportPodEvent(pod, life, 'Normal', 'DeadlineExceeded', message);
  endPod(pod, { reason: 'DeadlineExceeded', message, failed: true }, life);
}

/** Conditions that the kubelet maintains; it leaves all others unchanged. */
const kubeletConditions = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]);

/** Messages of the readiness gates that keep a pod from being ready. */
function gateProblems(pod: Obj, conditions: readonly Rec[]): string[] {
  return recs(at(pod, 'spec', 'readinessGates')).flatMap((gate) => {
    const type = str(gate['conditionType']);
    const gateCondition = conditions.find((item) => item['type'] === type);
    if (gateCondition === undefined)
      return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
    if (gateCondition['status'] === 'True') return [];
    return [`the status of pod readiness gate "${type}" is not "True", but ${str(gateCondition['status'])}`];
  });
}

function statusOf(
  pod: Obj,
  life: Life,
  before: Rec,
  startTime: string,
  { init, main: statuses, ephemeral, initialised }: Containers,
): Rec {
  const now = timestamp(life.world.clock.now());
  const isOver = (status: ContainerStatus, field: string) => {
    const code = status.state?.terminated?.exitCode;
    const container = recs(at(pod, 'spec', field)).find((item) => item['name'] === status.name);
    return code !== undefined && !restartsAfter(pod, rec(container), field === 'initContainers', code);
  };
  const broken = init.some(
    (status) => status.state?.terminated?.exitCode !== 0 && isOver(status, 'initContainers'),
  );
  const stays = !broken && !statuses.every((status) => isOver(status, 'containers'));
  const failed = broken || statuses.some((status) => status.state?.terminated?.exitCode !== 0);
  // Sidecars stop once all other containers have ended.
  const sidecars = recs(at(pod, 'spec', 'initContainers'))
    .filter(isSidecar)
    .map((item) => item['name']);
  const initShown = stays
    ? init
    : init.map((status) => (sidecars.includes(status.name) ? stoppedStatus(status, 0, now) : status));
  const began = statuses.some(
    (status) =>
      status.state?.running !== undefined ||
      (status.restartCount ?? 0) > 0 ||
      status.state?.terminated !== undefined,
  );
  const phase = stays ? (began ? 'Running' : 'Pending') : failed ? 'Failed' : 'Succeeded';
  const unready = [...statuses, ...init.filter((status) => sidecars.includes(status.name))]
    .filter((status) => status.ready !== true)
    .map((status) => status.name);
  const unreadyText = `containers with unready status: [${unready.join(' ')}]`;
  const finished = phase === 'Succeeded' || phase === 'Failed';
  const readyReason =
    phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : 'ContainersNotReady';
  const ready = unready.length === 0 && !finished;
  const gates = ready ? gateProblems(pod, recs(before['conditions'])) : [];
  const sandbox = began || str(before['podIP']) !== '' || init.some((status) => status.imageID !== '');
  const unfinished = init.filter((status) => status.ready !== true).map((status) => status.name);
  const condition = (type: string, isTrue: boolean, reason: string, message: string): Rec => {
    const old = recs(before['conditions']).find((item) => item['type'] === type);
    const value = isTrue ? 'True' : 'False';
    return {
      type,
      observedGeneration: pod.metadata.generation ?? 1,
      status: value,
      lastProbeTime: null,
      lastTransitionTime: old?.['status'] === value ? old['lastTransitionTime'] : now,
      ...((isTrue && reason !== 'PodCompleted') || reason === '' ? {} : { reason }),
      ...(isTrue || message === '' ? {} : { message }),
    };
  };
  const scheduled = recs(before['conditions']).find((item) => item['type'] === 'PodScheduled');
  const address = sandbox ? addressOf(pod, life) : '';
  const node = hostAddress(life.world.store.get('/nodes', str(at(pod, 'spec', 'nodeName'))));
  return {
    observedGeneration: pod.metadata.generation ?? 1,
    phase,
    conditions: [
      condition('PodReadyToStartContainers', sandbox && !finished, '', ''),
      condition(
        'Initialized',
        initialised,
        initialised ? (phase === 'Succeeded' ? 'PodCompleted' : '') : 'ContainersNotInitialized',
        `containers with incomplete status: [${unfinished.join(' ')}]`,
      ),
      gates.length > 0
        ? condition('Ready', false, 'ReadinessGatesNotReady', gates.join(', '))
        : condition('Ready', ready, readyReason, finished ? '' : unreadyText),
      condition('ContainersReady', ready, readyReason, finished ? '' : unreadyText),
      scheduled ?? condition('PodScheduled', true, '', ''),
      ...recs(before['conditions']).filter((item) => !kubeletConditions.has(str(item['type']))),
    ],
    ...(node === '' ? {} : { hostIP: node, hostIPs: [{ ip: node }] }),
    ...(address === '' ? {} : { podIP: address, podIPs: [{ ip: address }] }),
    startTime,
    ...(init.length === 0 ? {} : { initContainerStatuses: initShown }),
    containerStatuses: statuses,
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral }),
    qosClass: before['qosClass'] ?? 'BestEffort',
  };
}
