import type { Obj, Rec } from '../kit/values.ts';
import { at, str } from '../kit/values.ts';
import { type Behaviour, steady } from '../kit/behaviour.ts';

type Probe = 'startup' | 'readiness' | 'liveness';

/** The probe results of a running container, and the ms until they change by themselves. */
export interface ProbeState {
  readonly started: boolean;
  readonly ready: boolean;
  readonly changeAfter: number;
  /** The probe that currently fails. */
  readonly failing: Probe | undefined;
}

const fieldOf = (probe: Probe) => `${probe}Probe`;
const titles: Readonly<Record<Probe, string>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
};

/** The kubelet's message about a failing probe. */
export function probeFailure(pod: Obj, container: Rec, probe: Probe): string {
  const spec = container[fieldOf(probe)];
  const address = str(at(pod, 'status', 'podIP')) || '10.244.0.1';
  const why =
    at(spec, 'tcpSocket') !== undefined
      ? `dial tcp ${address}:${str(at(spec, 'tcpSocket', 'port'))}: connect: connection refused`
      : at(spec, 'grpc') !== undefined
        ? `timeout: failed to connect service "${address}:${str(at(spec, 'grpc', 'port'))}" within ${str(at(spec, 'timeoutSeconds')) || '1'}s: context deadline exceeded`
        : at(spec, 'exec') !== undefined
          ? ''
          : 'HTTP probe failed with statuscode: 503';
  return `${titles[probe]} probe failed: ${why}`;
}

/** The ms until a succeeding probe's first result; 0 without a probe. */
function firstSuccess(pod: Obj, container: Rec, probe: Probe): number {
  const spec = container[fieldOf(probe)];
  if (spec === undefined) return 0;
  const delay = Number(at(spec, 'initialDelaySeconds') ?? 0) * 1000;
  return delay + 500 + steady(pod.metadata.uid ?? '', fieldOf(probe)) * 1_500;
}

const slowStart = 45_000;
const [readyFor, unreadyFor] = [60_000, 30_000];
/** The period of a probe, ms. */
const periodOf = (container: Rec, probe: Probe): number =>
  Number(at(container[fieldOf(probe)], 'periodSeconds') ?? 10) * 1000;

/**
 * How long before its restart a dead container first fails its liveness probe, and the interval between failures,
 * ms.
 */
export function livenessFailures(container: Rec): { since: number; period: number } {
  const period = periodOf(container, 'liveness');
  const threshold = Number(at(container['livenessProbe'], 'failureThreshold') ?? 3);
  return { since: (threshold - 1) * period, period };
}

/** The ms after which a container that never passes its startup probe is killed. */
export function startupLimit(container: Rec): number {
  const probe = container['startupProbe'];
  const [delay, period, threshold] = [
    Number(at(probe, 'initialDelaySeconds') ?? 0),
    Number(at(probe, 'periodSeconds') ?? 10),
    Number(at(probe, 'failureThreshold') ?? 3),
  ];
  return (delay + period * threshold) * 1000;
}

/** The probe results of a container at `ran` ms after its start. */
export function probeState(pod: Obj, container: Rec, behaviour: Behaviour, ran: number): ProbeState {
  const hasStartup = container['startupProbe'] !== undefined;
  const isSlow = behaviour === 'slow-start';
  if (behaviour === 'startup') {
    return { started: false, ready: false, changeAfter: periodOf(container, 'startup'), failing: 'startup' };
  }
  const startsAt = isSlow && hasStartup ? slowStart : firstSuccess(pod, container, 'startup');
  if (ran < startsAt) {
    const failing = isSlow && ran >= 10_000 ? 'startup' : undefined;
    return {
      started: false,
      ready: false,
      changeAfter: Math.min(startsAt - ran, isSlow ? 10_000 : startsAt),
      failing,
    };
  }
  const period = periodOf(container, 'readiness');
  if (behaviour === 'unready')
    return { started: true, ready: false, changeAfter: period, failing: 'readiness' };
  if (behaviour === 'flapping') {
    const cyclePosition = ran % (readyFor + unreadyFor);
    return cyclePosition < readyFor
      ? { started: true, ready: true, changeAfter: readyFor - cyclePosition, failing: undefined }
      : {
          started: true,
          ready: false,
          changeAfter: Math.min(period, readyFor + unreadyFor - cyclePosition),
          failing: 'readiness',
        };
  }
  const readyAt = startsAt + (isSlow && !hasStartup ? slowStart : firstSuccess(pod, container, 'readiness'));
  return ran < readyAt
    ? { started: true, ready: false, changeAfter: readyAt - ran, failing: undefined }
    : { started: true, ready: true, changeAfter: Number.POSITIVE_INFINITY, failing: undefined };
}
