import type { ContainerStatus } from '../../kube/core.ts';
import { logLines, type Run, runOf, untilNextLine } from '../life/logs.ts';
import { getObject } from '../objects/objects.ts';
import type { World } from '../store/world.ts';
import { badRequest, type Cause, cause, invalid } from '../kit/status.ts';
import { canonicalTime, TimeError } from '../kit/time.ts';
import { at, type Obj, recs, str } from '../kit/values.ts';
import { kubeletFailure, logRefusal, onKubeletSilent } from './kubelet-line.ts';
import { integerParameter } from './options.ts';
import type { Call, Target } from './request.ts';
import type { Reply } from './respond.ts';

/** The container of a log or a command: the requested one, or the pod's only one. Throws 400. */
export function chooseContainer(pod: Obj, requestedName: string | null): string {
  const name = pod.metadata.name ?? '';
  const names = (field: string) => recs(at(pod, 'spec', field)).map((item) => str(item['name']));
  const main = names('containers');
  const init = names('initContainers');
  if (requestedName !== null && requestedName !== '') {
    if ([...main, ...init, ...names('ephemeralContainers')].includes(requestedName)) return requestedName;
    throw badRequest(`container ${requestedName} is not valid for pod ${name}`);
  }
  const [only] = main;
  if (main.length === 1 && only !== undefined) return only;
  const others = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`,
  );
}

/** The status of a container; includes init and ephemeral containers. */
export function statusOf(pod: Obj, container: string): ContainerStatus | undefined {
  const status = (field: string) =>
    recs(at(pod, 'status', field)).find((item) => item['name'] === container) as ContainerStatus | undefined;
  return status('containerStatuses') ?? status('initContainerStatuses');
}

/** The container run whose log is requested. Throws 400 with the kubelet's message when there is none. */
function chooseRun(pod: Obj, container: string, previous: boolean): Run {
  const name = pod.metadata.name ?? '';
  const status = statusOf(pod, container);
  if (previous) {
    const run = runOf(pod, container, status?.lastState);
    if (run === undefined) {
      throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
    }
    return run;
  }
  const run =
    runOf(pod, container, status?.state) ??
    (status?.state?.waiting?.reason === 'CrashLoopBackOff'
      ? runOf(pod, container, status.lastState)
      : undefined);
  if (run !== undefined) return run;
  const reason = status?.state?.waiting?.reason ?? 'ContainerCreating';
  const failing = reason === 'ErrImagePull' || reason === 'ImagePullBackOff';
  const why = failing ? 'trying and failing to pull image' : reason;
  throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${why}`);
}

/** Refuses an invalid `sinceTime`. Throws 400 with Go's message. */
function checkTime(text: string): void {
  if (text === '' || text === 'null') return;
  try {
    canonicalTime(text, 'Time');
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(error.message);
    throw error;
  }
}

/** Validates the query of a log request. Throws 400 and 422. */
function checkLogOptions(pod: string, query: URLSearchParams): void {
  const causes: Cause[] = [];
  checkTime(query.get('sinceTime') ?? '');
  const atLeast = (name: string, minimum: number, why: string) => {
    const value = integerParameter(query, name);
    if (value !== undefined && value < minimum) causes.push(cause.invalid(name, value, why));
  };
  atLeast('tailLines', 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', 1, 'must be greater than 0');
  if (query.get('sinceSeconds') !== null && query.get('sinceTime') !== null) {
    causes.push(cause.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else atLeast('sinceSeconds', 1, 'must be greater than 0');
  if (causes.length > 0) throw invalid('', 'PodLogOptions', pod, causes);
}

/** A timestamp as the container runtime writes it, with nanoseconds derived from the time (ms). */
function nanoseconds(time: number): string {
  const nanosecondDigits = String((Math.imul(time, 0x9e3779b1) >>> 0) % 1_000_000).padStart(6, '0');
  return `${new Date(time).toISOString().slice(0, -1)}${nanosecondDigits}Z`;
}

/** Serves a container's log. With `follow`, until the container ends, the client leaves or the server stops. */
export async function serveLog(
  world: World,
  target: Target,
  call: Call,
  reply: Reply,
  open: Set<() => void>,
): Promise<void> {
  const { clock, store } = world;
  const { query } = call;
  checkLogOptions(target.name, query);
  const pod = getObject(world, target.resource, target.namespace, target.name);
  const flag = (name: string) => ['true', '1'].includes(query.get(name) ?? '');
  const container = chooseContainer(pod, query.get('container'));
  if (typeof at(pod, 'spec', 'nodeName') !== 'string') {
    reply.writeHead(204, { 'cache-control': 'no-cache, private' });
    reply.end();
    return;
  }
  const dead = kubeletFailure(world, pod);
  if (dead !== undefined) throw logRefusal(dead, pod, container, query);
  const run = chooseRun(pod, container, flag('previous'));
  const seconds = query.get('sinceSeconds');
  const sinceTime = query.get('sinceTime');
  const now = clock.now();
  const from =
    seconds !== null
      ? now - Number(seconds) * 1000
      : sinceTime !== null
        ? Date.parse(sinceTime)
        : run.started;
  const tailText = query.get('tailLines');
  const tail = tailText === null ? Number.POSITIVE_INFINITY : Number(tailText);
  const stamps = flag('timestamps');
  reply.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' });
  reply.flushHeaders?.();
  let bytesLeft =
    query.get('limitBytes') === null ? Number.POSITIVE_INFINITY : Number(query.get('limitBytes'));
  const write = (first: number, until: number, last: number) => {
    const text = logLines(run, first, until, last)
      .map((line) => (stamps ? `${nanoseconds(line.at)} ${line.text}\n` : `${line.text}\n`))
      .join('');
    const bytes = Buffer.from(text).subarray(0, bytesLeft);
    bytesLeft -= bytes.length;
    if (bytes.length > 0) reply.write(bytes);
  };
  write(from, now, tail);
  if (!flag('follow') || run.finished !== undefined) {
    reply.end();
    return;
  }
  await new Promise<void>((resolve) => {
    let sinceTime = now;
    let cancel = () => {};
    const wait = () => {
      if (clock.isStill !== true) cancel = clock.after(untilNextLine(run, sinceTime), writeNew);
    };
    const end = () => {
      cancel();
      unwatch();
      forget();
      open.delete(end);
      reply.end();
      resolve();
    };
    const writeNew = () => {
      const time = clock.now();
      write(sinceTime, time, Number.POSITIVE_INFINITY);
      sinceTime = time;
      if (bytesLeft <= 0) end();
      else wait();
    };
    const key = `${target.namespace}/${target.name}`;
    const unwatch = store.watch('/pods', (change) => {
      if (change.key !== key) return;
      const current = change.after === undefined ? undefined : statusOf(change.after, container);
      if (
        current?.state?.running !== undefined &&
        Date.parse(current.state.running.startedAt ?? '') === run.started
      )
        return;
      write(sinceTime, clock.now(), Number.POSITIVE_INFINITY);
      end();
    });
    const forget = onKubeletSilent(world, pod, end);
    open.add(end);
    reply.on('close', end);
    wait();
  });
}
