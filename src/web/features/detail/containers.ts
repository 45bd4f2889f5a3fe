import { formatAge } from '../../../kube/age.ts';
import type { Container, ContainerState, ContainerStatus, PodSpec, PodStatus } from '../../../kube/core.ts';
import { plainMessage } from '../../../kube/escape-sequences.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Tone } from '../../../registry/tone.ts';

/** One container of a pod, or of a pod template. */
export interface ContainerLine {
  readonly name: string;
  readonly isInit: boolean;
  readonly image: string;
  /** Absent for a template. */
  readonly status?: { readonly tone: Tone; readonly label: string };
  /** The cluster's message about its state, or how it last ended. */
  readonly note?: string;
  readonly restarts?: number;
  readonly ports: readonly string[];
  /** `cpu 100m / 500m`: requested, and the limit. */
  readonly resources: readonly string[];
}

interface WithPodSpec extends KubeObject {
  readonly spec?: PodSpec & { readonly template?: { readonly spec?: PodSpec } };
  readonly status?: PodStatus;
}

const harmless = /^(ContainerCreating|PodInitializing)$/;

function statusOf({ state = {}, ready }: ContainerStatus): NonNullable<ContainerLine['status']> {
  const { waiting, running, terminated } = state;
  if (running !== undefined)
    return ready === true ? { tone: 'ok', label: 'Running' } : { tone: 'warn', label: 'Running, not ready' };
  if (terminated !== undefined) {
    const isFine = (terminated.exitCode ?? 0) === 0;
    return { tone: isFine ? 'idle' : 'bad', label: terminated.reason ?? (isFine ? 'Completed' : 'Error') };
  }
  const reason = waiting?.reason ?? 'Waiting';
  return { tone: harmless.test(reason) || reason === 'Waiting' ? 'info' : 'bad', label: reason };
}

/** How a container ended, in words: `ended with exit code 1 (Error) 4m ago`. `now` in ms. */
export function endText(terminated: ContainerState['terminated'], now: number): string | undefined {
  if (terminated === undefined) return undefined;
  const { exitCode, signal, reason, finishedAt, message } = terminated;
  const how =
    signal === undefined || signal === 0 ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
  const named = reason === undefined || reason === '' ? '' : ` (${reason})`;
  const at = Date.parse(finishedAt ?? '');
  const ago = Number.isNaN(at) ? '' : ` ${formatAge((now - at) / 1000)} ago`;
  const said = message === undefined || message.trim() === '' ? '' : `: ${message.trim()}`;
  return `ended with ${how}${named}${ago}${said}`;
}

function noteOf({ state = {}, lastState = {} }: ContainerStatus, now: number): string | undefined {
  const ended = endText(state.terminated, now);
  if (ended !== undefined) return plainMessage(ended);
  const last = endText(lastState.terminated, now);
  const said = state.waiting?.message;
  const note = [said, last === undefined ? undefined : `Last time it ${last}`].filter(Boolean).join(' · ');
  return note === '' ? undefined : plainMessage(note);
}

function resourcesOf({ resources = {} }: Container): readonly string[] {
  const { requests = {}, limits = {} } = resources;
  return [...new Set([...Object.keys(requests), ...Object.keys(limits)])]
    .sort()
    .map((name) => `${name} ${requests[name] ?? '–'} / ${limits[name] ?? '–'}`);
}

function lineOf(
  container: Container,
  isInit: boolean,
  statuses: readonly ContainerStatus[] | undefined,
  now: number,
): ContainerLine {
  const { name = '', image = '', ports = [] } = container;
  const found = statuses?.find((one) => one.name === name);
  const note = found === undefined ? undefined : noteOf(found, now);
  return {
    name,
    isInit,
    image,
    ports: ports.map(
      (port) =>
        `${port.name === undefined ? '' : `${port.name} `}${port.containerPort ?? '?'}/${port.protocol ?? 'TCP'}`,
    ),
    resources: resourcesOf(container),
    ...(found === undefined ? {} : { status: statusOf(found), restarts: found.restartCount ?? 0 }),
    ...(note === undefined ? {} : { note }),
  };
}

/** The containers of a pod with their states, or those of a workload's template. `now`: the server's clock, ms. */
export function containerLines(object: KubeObject, now: number): readonly ContainerLine[] {
  const { spec, status } = object as WithPodSpec;
  const template = spec?.template?.spec;
  const from: PodSpec = template ?? spec ?? {};
  const states = template === undefined ? status : undefined;
  return [
    ...(from.initContainers ?? []).map((one) => lineOf(one, true, states?.initContainerStatuses, now)),
    ...(from.containers ?? []).map((one) => lineOf(one, false, states?.containerStatuses, now)),
  ];
}
