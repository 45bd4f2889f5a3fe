import type { ContainerState, ContainerStatus } from '../../kube/core.ts';
import { timestamp } from '../clock.ts';
import { at, type Obj, type Rec, str } from '../values.ts';
import { type Behaviour, behaviourOf, steady } from './behaviour.ts';
import { identity } from './identity.ts';

/** What is known when a container's next state is decided. */
export interface ContainerPlan {
  readonly pod: Obj;
  readonly container: Rec;
  readonly status: ContainerStatus | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the pod's node took it. */
  readonly started: number;
  readonly initialised: boolean;
  readonly hasInit: boolean;
  readonly policy: string;
}

type Tell = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** A container's state now, and after how many ms it changes by itself. */
export interface Next {
  readonly status: ContainerStatus;
  readonly again?: number;
}

const longest = 300_000;
/** How long the kubelet waits before the next start: 10 s, doubling up to five minutes. */
export function backOff(restarts: number): number {
  return restarts <= 1 ? 0 : Math.min(longest, 10_000 * 2 ** (restarts - 2));
}

const inWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
};

/** How long a run of a container lasts, ms; endless for those that stay. */
function lifetime(behaviour: Behaviour, plan: ContainerPlan, restarts: number): number {
  const chance = steady(plan.pod.metadata.uid ?? '', str(plan.container['name']), restarts);
  switch (behaviour) {
    case 'crash-loop':
      return 3_000 + chance * 6_000;
    case 'oom':
      return 25_000 + chance * 30_000;
    case 'liveness':
      return 90_000 + chance * 20_000;
    case 'flaky':
      return (10 + chance * 40) * 60_000;
    case 'exit-0':
    case 'exit-1':
      return 6_000 + chance * 14_000;
    case 'ok':
    case 'slow-start':
    case 'unready':
    case 'image-pull':
    case 'config-error':
      return Number.POSITIVE_INFINITY;
    default:
      return behaviour satisfies never;
  }
}

/** How long after its start a container passes its readiness probe, ms. */
function readyAfter(behaviour: Behaviour, plan: ContainerPlan): number {
  if (behaviour === 'unready') return Number.POSITIVE_INFINITY;
  if (behaviour === 'slow-start') return 45_000;
  const probe = plan.container['readinessProbe'] ?? plan.container['startupProbe'];
  if (probe === undefined) return 0;
  const delay = Number(at(probe, 'initialDelaySeconds') ?? 0) * 1000;
  return delay + 500 + steady(plan.pod.metadata.uid ?? '', 'probe') * 1_500;
}

/** Decides a container's state from the one it has: right whenever it is asked, however late. */
export function nextState(plan: ContainerPlan, tell: Tell): Next {
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
  if (state.running !== undefined) return running(plan, base, behaviour, tell);
  if (state.terminated !== undefined) return terminated(plan, base, tell);
  const reason = state.waiting?.reason;
  if (reason === 'CrashLoopBackOff') return waitingToRestart(plan, base, behaviour, tell);
  if (behaviour === 'image-pull') return pulling(plan, base, tell);
  if (behaviour === 'config-error') {
    const message = 'secret "app-credentials" not found';
    if (reason !== 'CreateContainerConfigError') tell('Warning', 'Failed', `Error: ${message}`);
    return { status: { ...base, state: { waiting: { reason: 'CreateContainerConfigError', message } } } };
  }
  // The first start: the image takes a moment to come.
  const since = Math.max(plan.started, status === undefined ? now : plan.started);
  const takes = 1_000 + steady(image, str(at(plan.pod, 'spec', 'nodeName'))) * 3_000;
  if (now - since < takes || status === undefined) {
    if (status === undefined) tell('Normal', 'Pulling', `Pulling image "${image}"`);
    return { status: base, again: Math.max(50, since + takes - now) };
  }
  const seconds = (takes / 1000).toFixed(3);
  const size = 18_000_000 + Math.floor(steady(image) * 180_000_000);
  tell(
    'Normal',
    'Pulled',
    `Successfully pulled image "${image}" in ${seconds}s (${seconds}s including waiting). Image size: ${size} bytes.`,
  );
  return start(plan, base, behaviour, tell);
}

function start(plan: ContainerPlan, base: ContainerStatus, behaviour: Behaviour, tell: Tell): Next {
  const name = str(plan.container['name']);
  const image = str(plan.container['image']);
  tell('Normal', 'Created', 'Container created');
  tell('Normal', 'Started', 'Container started');
  const restarts = base.restartCount ?? 0;
  const status: ContainerStatus = {
    ...base,
    image,
    ...identity(plan.pod, name, image, restarts),
    started: true,
    ready: readyAfter(behaviour, plan) === 0,
    state: { running: { startedAt: timestamp(plan.now) } },
  };
  return {
    status,
    again: Math.min(
      readyAfter(behaviour, plan) || Number.POSITIVE_INFINITY,
      untilEnd(plan, status, behaviour),
      unreadyPace(behaviour),
    ),
  };
}

const unreadyPace = (behaviour: Behaviour) => (behaviour === 'unready' ? 30_000 : Number.POSITIVE_INFINITY);

function untilEnd(plan: ContainerPlan, status: ContainerStatus, behaviour: Behaviour): number {
  const started = Date.parse(status.state?.running?.startedAt ?? '');
  return Math.max(20, started + lifetime(behaviour, plan, status.restartCount ?? 0) - plan.now);
}

function running(plan: ContainerPlan, base: ContainerStatus, behaviour: Behaviour, tell: Tell): Next {
  const image = str(plan.container['image']);
  const { now } = plan;
  const startedAt = base.state?.running?.startedAt ?? timestamp(now);
  const started = Date.parse(startedAt);
  if (base.image !== image) {
    tell('Normal', 'Killing', `Container ${base.name} definition changed, will be restarted`);
    return end(plan, base, { exitCode: 0, reason: 'Completed' });
  }
  const left = untilEnd(plan, base, behaviour);
  if (started + lifetime(behaviour, plan, base.restartCount ?? 0) <= now) {
    if (behaviour === 'liveness') {
      tell('Warning', 'Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 503');
      tell('Normal', 'Killing', `Container ${base.name} failed liveness probe, will be restarted`);
    }
    const outcome =
      behaviour === 'oom' || behaviour === 'liveness'
        ? { exitCode: 137, reason: behaviour === 'oom' ? 'OOMKilled' : 'Error' }
        : behaviour === 'exit-0'
          ? { exitCode: 0, reason: 'Completed' }
          : { exitCode: 1, reason: 'Error' };
    return end(plan, base, outcome);
  }
  const untilReady = started + readyAfter(behaviour, plan) - now;
  if (behaviour === 'unready') {
    tell('Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
    return { status: { ...base, ready: false }, again: unreadyPace(behaviour) };
  }
  if (untilReady > 0) return { status: { ...base, ready: false }, again: Math.min(untilReady, left) };
  return {
    status: { ...base, ready: true, started: true },
    ...(Number.isFinite(left) ? { again: left } : {}),
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
    },
  };
  const status: ContainerStatus = { ...base, ready: false, started: false, state };
  const restarts = plan.policy === 'Always' || (plan.policy === 'OnFailure' && outcome.exitCode !== 0);
  if (!restarts) return { status };
  return { status, again: 1_200 };
}

function terminated(plan: ContainerPlan, base: ContainerStatus, tell: Tell): Next {
  const { state = {} } = base;
  const code = state.terminated?.exitCode ?? 0;
  const restarts = plan.policy === 'Always' || (plan.policy === 'OnFailure' && code !== 0);
  if (!restarts) return { status: base };
  const count = (base.restartCount ?? 0) + 1;
  const next: ContainerStatus = { ...base, lastState: state };
  // A run of ten minutes earns a fresh start without waiting.
  const ran = Date.parse(state.terminated?.finishedAt ?? '') - Date.parse(state.terminated?.startedAt ?? '');
  const pause = ran >= 600_000 ? 0 : backOff(count);
  if (pause === 0) return restart(plan, { ...next, restartCount: count - 1 }, tell);
  const { namespace, name, uid } = plan.pod.metadata;
  const label = `${name}_${namespace}(${uid})`;
  tell('Warning', 'BackOff', `Back-off restarting failed container ${base.name} in pod ${label}`);
  const message = `back-off ${inWords(pause)} restarting failed container=${base.name} pod=${label}`;
  return {
    status: { ...next, state: { waiting: { reason: 'CrashLoopBackOff', message } } },
    again: pause,
  };
}

function waitingToRestart(
  plan: ContainerPlan,
  base: ContainerStatus,
  behaviour: Behaviour,
  tell: Tell,
): Next {
  const finished = Date.parse(base.lastState?.terminated?.finishedAt ?? timestamp(plan.now));
  const left = finished + backOff((base.restartCount ?? 0) + 1) - plan.now;
  if (left > 0 && behaviour !== 'image-pull') return { status: base, again: left };
  return restart(plan, base, tell);
}

function restart(plan: ContainerPlan, base: ContainerStatus, tell: Tell): Next {
  const name = str(plan.container['name']);
  const image = str(plan.container['image']);
  tell(
    'Normal',
    'Pulled',
    `Container image "${image}" already present on machine and can be accessed by the pod`,
  );
  const next = { ...base, restartCount: (base.restartCount ?? 0) + 1 };
  return start(plan, next, behaviourOf(plan.pod, name, image), tell);
}

function pulling(plan: ContainerPlan, base: ContainerStatus, tell: Tell): Next {
  const image = str(plan.container['image']);
  const reference = /^[^/]+\.[^/]+\//.test(image)
    ? image
    : `docker.io/${image.includes('/') ? '' : 'library/'}${image}`;
  const error = `failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`;
  const why = `rpc error: code = NotFound desc = ${error}`;
  const reason = base.state?.waiting?.reason;
  if (plan.status === undefined) {
    tell('Normal', 'Pulling', `Pulling image "${image}"`);
    return { status: base, again: 1_500 };
  }
  if (reason === 'ErrImagePull') {
    tell('Normal', 'BackOff', `Back-off pulling image "${image}"`);
    tell('Warning', 'Failed', 'Error: ImagePullBackOff');
    const message = `Back-off pulling image "${image}": ErrImagePull: ${why}`;
    const age = plan.now - plan.started;
    return {
      status: { ...base, state: { waiting: { reason: 'ImagePullBackOff', message } } },
      again: Math.min(longest, Math.max(10_000, age)),
    };
  }
  if (reason === 'ImagePullBackOff') tell('Normal', 'Pulling', `Pulling image "${image}"`);
  tell('Warning', 'Failed', `Failed to pull image "${image}": ${why}`);
  tell('Warning', 'Failed', 'Error: ErrImagePull');
  return { status: { ...base, state: { waiting: { reason: 'ErrImagePull', message: why } } }, again: 12_000 };
}
