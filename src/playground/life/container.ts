import type { ContainerState, ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../kit/clock.ts';
import { at, type Rec, rec, str } from '../kit/values.ts';
import { type Behaviour, behaviourOf, exitCodeOf, steady } from '../kit/behaviour.ts';
import { identity } from './identity.ts';
import { reportPulled, failedPull, pullTime, refusedImage, reportPulling } from './image.ts';
import { livenessFailures, probeFailure, probeState, startupLimit } from './probe.ts';
import { isSidecar } from './restart.ts';
import type { ContainerPlan, ReportEvent, Next } from './container-plan.ts';

const maxBackoff = 300_000;
/** Interval at which the kubelet retries a failing environment, ms. */
const configRetryInterval = 12_000;
/** Delay before a restart, ms: 10 s, doubling up to five minutes; none before the first. */
export function backOff(restarts: number): number {
  return restarts <= 1 ? 0 : Math.min(maxBackoff, 10_000 * 2 ** (restarts - 2));
}

const inWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
};

/** Duration of a run of a container, ms; infinite for those that do not exit. */
function lifetime(behaviour: Behaviour, plan: ContainerPlan, restarts: number): number {
  const chance = steady(plan.pod.metadata.uid ?? '', str(plan.container['name']), restarts);
  switch (behaviour) {
    case 'crash-loop':
      return 3_000 + chance * 6_000;
    case 'oom':
      return 25_000 + chance * 30_000;
    case 'liveness':
      return 90_000 + chance * 20_000;
    case 'startup':
      return startupLimit(plan.container);
    case 'flaky':
      return (10 + chance * 40) * 60_000;
    case 'exit-0':
    case 'exit-1':
      return plan.isInit ? 2_000 + chance * 2_000 : 6_000 + chance * 14_000;
    case 'ok':
    case 'slow-start':
    case 'unready':
    case 'flapping':
    case 'evicted':
    case 'deaf':
    case 'noisy':
    case 'unschedulable':
    case 'init-fail':
    case 'image-pull':
    case 'config-error':
      return Number.POSITIVE_INFINITY;
    default:
      return behaviour satisfies never;
  }
}

/** Computes a container's state from its previous one. Correct at any time, however late it is called. */
export function nextState(plan: ContainerPlan, reportEvent: ReportEvent): Next {
  const name = str(plan.container['name']);
  const image = str(plan.container['image']);
  const behaviour = behaviourOf(plan.pod, name, image);
  const { status, now } = plan;
  const base: ContainerStatus = status ?? {
    name,
    state: { waiting: { reason: plan.hasInit ? 'PodInitializing' : 'ContainerCreating' } },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
    image,
    imageID: '',
  };
  const { state = {} } = base;
  if (!plan.initialised) return { status: base };
  if (state.running !== undefined) return running(plan, base, behaviour, reportEvent);
  if (state.terminated !== undefined) return terminated(plan, base, reportEvent);
  const reason = state.waiting?.reason;
  if (reason === 'CrashLoopBackOff') return waitingToRestart(plan, base, behaviour, reportEvent);
  if (behaviour === 'image-pull') return failedPull(plan, base, reportEvent);
  const refused = refusedImage(plan);
  if (refused !== undefined) {
    reportEvent('Warning', refused.event, refused.message);
    reportEvent('Warning', 'Failed', `Error: ${refused.reason}`);
    const waiting = { reason: refused.reason, message: refused.message };
    return { status: { ...base, state: { waiting } }, retryAfter: configRetryInterval };
  }
  // Before the first start, the image is pulled.
  const since = Math.max(plan.started, status === undefined ? now : plan.started);
  const pullDuration = pullTime(plan);
  if (now - since < pullDuration || status === undefined) {
    if (status === undefined && !plan.hasInit) reportPulling(plan, reportEvent);
    return { status: base, retryAfter: Math.max(50, since + pullDuration - now) };
  }
  // With init containers, the pull is reported only when the container's turn has certainly come.
  if (plan.hasInit && reason !== 'CreateContainerConfigError') reportPulling(plan, reportEvent);
  const problem =
    plan.problem ?? (behaviour === 'config-error' ? 'secret "app-credentials" not found' : undefined);
  if (problem !== undefined) {
    const isRepeated = reason === 'CreateContainerConfigError';
    if (isRepeated) reportPulling({ ...plan, present: true }, reportEvent);
    reportPulled(isRepeated ? { ...plan, present: true } : plan, pullDuration, reportEvent);
    reportEvent('Warning', 'Failed', `Error: ${problem}`);
    const waiting = { reason: 'CreateContainerConfigError', message: problem };
    return { status: { ...base, state: { waiting } }, retryAfter: configRetryInterval };
  }
  reportPulled(plan, pullDuration, reportEvent);
  return start(plan, base, behaviour, reportEvent);
}

function start(
  plan: ContainerPlan,
  base: ContainerStatus,
  behaviour: Behaviour,
  reportEvent: ReportEvent,
): Next {
  const name = str(plan.container['name']);
  const image = str(plan.container['image']);
  reportEvent('Normal', 'Created', 'Container created');
  reportEvent('Normal', 'Started', 'Container started');
  const restarts = base.restartCount ?? 0;
  const { started, ready, changeAfter } = probeState(plan.pod, plan.container, behaviour, 0);
  const status: ContainerStatus = {
    ...base,
    image,
    ...identity(plan.pod, name, image, restarts),
    ...resourcesOf(plan.container),
    started,
    ready: ready && !isTask(plan),
    state: { running: { startedAt: timestamp(plan.now) } },
  };
  return { status, retryAfter: nextSync(plan, behaviour, untilEnd(plan, status, behaviour), changeAfter) };
}

/** The resources in a container's status. */
function resourcesOf({ resources }: Rec): Rec {
  const requests = at(resources, 'requests');
  return { ...(requests === undefined ? {} : { allocatedResources: requests }), resources: rec(resources) };
}

/** Whether a container must complete before others start; it is ready only after it succeeded. */
const isTask = (plan: ContainerPlan) => plan.isInit && !isSidecar(plan.container);

function untilEnd(plan: ContainerPlan, status: ContainerStatus, behaviour: Behaviour): number {
  const started = Date.parse(status.state?.running?.startedAt ?? '');
  return Math.max(20, started + lifetime(behaviour, plan, status.restartCount ?? 0) - plan.now);
}

/** The ms until a container must be processed again: it changes, exits or fails another probe. */
function nextSync(plan: ContainerPlan, behaviour: Behaviour, untilExit: number, change: number): number {
  if (behaviour !== 'liveness') return Math.min(change, untilExit);
  const { since, period } = livenessFailures(plan.container);
  return Math.min(change, untilExit <= since ? Math.min(period, untilExit) : untilExit - since);
}

function running(
  plan: ContainerPlan,
  base: ContainerStatus,
  behaviour: Behaviour,
  reportEvent: ReportEvent,
): Next {
  const image = str(plan.container['image']);
  const { now } = plan;
  const startedAt = base.state?.running?.startedAt ?? timestamp(now);
  const started = Date.parse(startedAt);
  if (base.image !== image) {
    reportEvent('Normal', 'Killing', `Container ${base.name} definition changed, will be restarted`);
    return end(plan, base, { exitCode: 0, reason: 'Completed' });
  }
  const remaining = untilEnd(plan, base, behaviour);
  if (started + lifetime(behaviour, plan, base.restartCount ?? 0) <= now) {
    if (behaviour === 'liveness' || behaviour === 'startup') {
      reportEvent('Warning', 'Unhealthy', probeFailure(plan.pod, plan.container, behaviour));
      reportEvent('Normal', 'Killing', `Container ${base.name} failed ${behaviour} probe, will be restarted`);
    }
    const killed = behaviour === 'oom' || behaviour === 'liveness' || behaviour === 'startup';
    const outcome = killed
      ? { exitCode: 137, reason: behaviour === 'oom' ? 'OOMKilled' : 'Error' }
      : behaviour === 'exit-0'
        ? { exitCode: 0, reason: 'Completed' }
        : { exitCode: exitCodeOf(plan.pod), reason: 'Error' };
    return end(plan, base, outcome);
  }
  const probes = probeState(plan.pod, plan.container, behaviour, now - started);
  const isDying = behaviour === 'liveness' && remaining <= livenessFailures(plan.container).since;
  const failing = isDying ? 'liveness' : probes.failing;
  if (failing !== undefined)
    reportEvent('Warning', 'Unhealthy', probeFailure(plan.pod, plan.container, failing));
  const changeAfter = nextSync(plan, behaviour, remaining, probes.changeAfter);
  return {
    status: {
      ...base,
      ...resourcesOf(plan.container),
      started: probes.started,
      ready: probes.ready && !isTask(plan),
    },
    ...(Number.isFinite(changeAfter) ? { retryAfter: changeAfter } : {}),
  };
}

function end(
  plan: ContainerPlan,
  base: ContainerStatus,
  outcome: { exitCode: number; reason: string },
): Next {
  const { now } = plan;
  const state: ContainerState = {
    terminated: {
      ...outcome,
      startedAt: base.state?.running?.startedAt ?? timestamp(now),
      finishedAt: timestamp(now),
      ...(base.containerID === undefined ? {} : { containerID: base.containerID }),
    },
  };
  const isDone = isTask(plan) && outcome.exitCode === 0;
  const status: ContainerStatus = { ...base, ready: isDone, started: false, state };
  if (!plan.restarts(outcome.exitCode)) return { status };
  return { status, retryAfter: 1_200 };
}

function terminated(plan: ContainerPlan, base: ContainerStatus, reportEvent: ReportEvent): Next {
  const { state = {} } = base;
  const code = state.terminated?.exitCode ?? 0;
  if (!plan.restarts(code)) return { status: base };
  const count = (base.restartCount ?? 0) + 1;
  const next: ContainerStatus = { ...base, lastState: state };
  // A run of ten minutes resets the back-off.
  const ran = Date.parse(state.terminated?.finishedAt ?? '') - Date.parse(state.terminated?.startedAt ?? '');
  const pause = ran >= 600_000 ? 0 : backOff(count);
  if (pause === 0) return restart(plan, { ...next, restartCount: count - 1 }, reportEvent);
  const { namespace, name, uid } = plan.pod.metadata;
  const label = `${name}_${namespace}(${uid})`;
  reportEvent('Warning', 'BackOff', `Back-off restarting failed container ${base.name} in pod ${label}`);
  const message = `back-off ${inWords(pause)} restarting failed container=${base.name} pod=${label}`;
  return {
    status: { ...next, state: { waiting: { reason: 'CrashLoopBackOff', message } } },
    retryAfter: pause,
  };
}

function waitingToRestart(
  plan: ContainerPlan,
  base: ContainerStatus,
  behaviour: Behaviour,
  reportEvent: ReportEvent,
): Next {
  const finished = Date.parse(base.lastState?.terminated?.finishedAt ?? timestamp(plan.now));
  const untilRestart = finished + backOff((base.restartCount ?? 0) + 1) - plan.now;
  if (untilRestart > 0 && behaviour !== 'image-pull') return { status: base, retryAfter: untilRestart };
  return restart(plan, base, reportEvent);
}

function restart(plan: ContainerPlan, base: ContainerStatus, reportEvent: ReportEvent): Next {
  const name = str(plan.container['name']);
  const image = str(plan.container['image']);
  const here = { ...plan, present: true };
  reportPulling(here, reportEvent);
  reportPulled(here, pullTime(here), reportEvent);
  const next = { ...base, restartCount: (base.restartCount ?? 0) + 1 };
  return start(plan, next, behaviourOf(plan.pod, name, image), reportEvent);
}
