import type { LogEnd } from '../../contract/log.ts';
import { objectPath } from '../../kube/change.ts';
import type { ContainerState, ContainerStatus, Pod } from '../../kube/core.ts';
import { cleanLogLine, lastWritten, splitLogLine } from '../../kube/log-line.ts';
import { cleanText } from '../../kube/text.ts';
import type { KubeStream, Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { judgeLog, podName } from './faults.ts';
import { createLogFilter } from './resume.ts';

/** Times of a log, ms. */
export const logLimits = {
  /** A container that has not started is asked for again after this. */
  waiting: 2_000,
  backoffFirst: 250,
  backoffLongest: 10_000,
  /** Tries in a row that fail before the log is given up. */
  tries: 10,
  /** Longest text of a line, characters. */
  line: 64 * 1024,
} as const;

/** Where the lines of a container go. */
export interface LogSink {
  /** Takes a line. A promise: read no further before it is settled. */
  line(time: string, text: string): Promise<void> | undefined;
  /** Takes what the console says between the lines. */
  mark(text: string): void;
  state(status: 'live' | 'waiting' | 'reconnecting', message?: string): void;
}

/** What of a container's log is read. */
export interface FollowQuery {
  /** May be left out where the pod has one container. */
  readonly container?: string | undefined;
  /** The run before the present one. */
  readonly previous: boolean;
  /** Goes on with what comes, also with the next run. */
  readonly follow: boolean;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** Only lines after this time, as a line carried it; overrides `tailLines` and `sinceSeconds`. */
  readonly after?: string | undefined;
  /** Lines of exactly that time that are known already. */
  readonly skip?: number | undefined;
  /** Lines come as they were written. */
  readonly isRaw?: boolean | undefined;
}

export interface LogOptions {
  readonly namespace: string;
  readonly name: string;
  readonly query: FollowQuery;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly transport: () => Promise<Transport>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of failures of our own. */
  readonly onError: (error: unknown) => void;
}

/** Why a log ended, in words. */
export interface LogOutcome {
  readonly reason: LogEnd;
  readonly title: string;
}

const podAddress = (namespace: string, name: string) => ({
  group: '',
  version: 'v1',
  plural: 'pods',
  namespace,
  name,
});

function statusOf({ status }: Pod, container: string | undefined): ContainerStatus | undefined {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return container === undefined ? all[0] : all.find(({ name }) => name === container);
}

/** Whether a container that ended will be started again. */
function isRestarted({ spec, status }: Pod, container: string | undefined, exitCode: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  if (spec?.ephemeralContainers?.some(({ name }) => name === container) === true) return false;
  const policy = spec?.restartPolicy ?? 'Always';
  const init = spec?.initContainers?.find(({ name }) => name === container);
  if (init !== undefined && init.restartPolicy !== 'Always') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || init !== undefined || (policy === 'OnFailure' && exitCode !== 0);
}

/** How a container ended: `ended with code 1 (Error)`. */
function endingOf(terminated: ContainerState['terminated']): string {
  if (terminated === undefined) return 'ended';
  const { signal, exitCode = 0, reason } = terminated;
  const how = signal === undefined ? `code ${exitCode}` : `signal ${signal}`;
  return `ended with ${how}${reason === undefined ? '' : ` (${cleanText(reason)})`}`;
}

/**
 * Reads a container's log into a sink, and follows it if that is asked for: a stream that breaks is resumed after the
 * last line, a container that has yet to start, or will be started again, is waited for. Returns why it ended; throws
 * the signal's reason.
 */
export async function followLog(options: LogOptions, sink: LogSink): Promise<LogOutcome> {
  const { namespace, name, query, clock, signal } = options;
  const isFollowed = query.follow && !query.previous;
  const address = podAddress(namespace, name);
  const pod = podName(namespace, name);
  const filter = createLogFilter(
    query.after === undefined ? undefined : { time: query.after, count: query.skip ?? 0 },
  );
  let failures = 0;
  /** Restarts of the container when its present run was begun: a higher count is another run. */
  let run: number | undefined;
  /** The run whose end was told: it is told once. */
  let toldRun: number | undefined;
  let isBroken = false;

  const podNow = async () => {
    const transport = await options.transport();
    return await transport.json<Pod>({ path: objectPath(address), signal });
  };

  function pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = () => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = clock.after(ms, () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      });
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  async function open(): Promise<KubeStream> {
    const transport = await options.transport();
    const since = filter.position;
    filter.resume();
    return await transport.stream({
      path: objectPath(address, 'log'),
      accept: '*/*',
      ...(query.isRaw === true ? { keepsReturns: true } : {}),
      query: {
        container: query.container,
        previous: query.previous ? true : undefined,
        follow: isFollowed ? true : undefined,
        timestamps: true,
        ...(since === undefined
          ? { tailLines: query.tailLines, sinceSeconds: query.sinceSeconds }
          : { sinceTime: since.time }),
      },
      signal,
    });
  }

  async function read(stream: KubeStream): Promise<void> {
    try {
      for await (const raw of stream.lines) {
        signal.throwIfAborted();
        const [time, written] = splitLogLine(raw);
        if (!filter.passes(time)) continue;
        failures = 0;
        if (query.isRaw === true) {
          const full = sink.line(time, written);
          if (full !== undefined) await full;
          continue;
        }
        const text = lastWritten(written);
        const rest = text.length - logLimits.line;
        const cut = rest > 0 ? `${text.slice(0, logLimits.line)}… (${rest} more characters)` : text;
        const full = sink.line(time, cleanLogLine(cut));
        if (full !== undefined) await full;
      }
    } finally {
      stream.close();
    }
  }

  /** What the end of a followed stream means: why it is over, or how long to wait before it is resumed, ms. */
  async function ending(): Promise<LogOutcome | number> {
    const found = await podNow();
    const status = statusOf(found, query.container);
    const who = query.container === undefined ? 'The container' : `Container ${query.container}`;
    const { state = {}, lastState = {}, restartCount = 0 } = status ?? {};
    const over = state.terminated ?? (state.running === undefined ? lastState.terminated : undefined);
    if (run !== undefined && restartCount > run) {
      if (toldRun !== run)
        sink.mark(`${who} ${endingOf(lastState.terminated ?? state.terminated)} and restarted.`);
      else sink.mark(`${who} restarted.`);
      // Read even if it has ended meanwhile.
      run = restartCount;
      return 0;
    }
    if (over === undefined) {
      if (state.running !== undefined) return 0;
      sink.state('waiting', `${who} has not started yet.`);
      return logLimits.waiting;
    }
    const title = `${who} ${endingOf(over)}.`;
    if (!isRestarted(found, query.container, over.exitCode ?? 0)) return { reason: 'ended', title };
    if (toldRun !== restartCount) sink.mark(title);
    toldRun = restartCount;
    const why = state.waiting?.reason === undefined ? '' : ` (${cleanText(state.waiting.reason)})`;
    sink.state('waiting', `${who} is waiting to restart${why}.`);
    return logLimits.waiting;
  }

  /** One stream; the outcome, or how long to wait before the next, ms. */
  async function once(): Promise<LogOutcome | number> {
    if (isFollowed && run === undefined) run = statusOf(await podNow(), query.container)?.restartCount ?? 0;
    if (toldRun !== undefined && toldRun === run) {
      const next = await ending();
      if (next !== 0) return next;
    }
    const stream = await open();
    if (isBroken) sink.mark('Streaming resumed.');
    isBroken = false;
    sink.state('live');
    await read(stream);
    signal.throwIfAborted();
    if (!isFollowed) return { reason: 'ended', title: 'End of the log.' };
    const next = await ending();
    if (next !== 0) return next;
    // A stream that ends at once and again is no connection to rely on.
    failures += 1;
    return backoff();
  }

  const backoff = () =>
    Math.min(logLimits.backoffLongest, logLimits.backoffFirst * 2 ** Math.min(failures - 1, 10));

  for (;;) {
    let wait: LogOutcome | number;
    try {
      signal.throwIfAborted();
      wait = await once();
    } catch (error) {
      signal.throwIfAborted();
      const fault = judgeLog(error, pod, options.cluster);
      if (fault.type === 'over') return { reason: fault.reason, title: fault.title };
      if (fault.type === 'waiting') {
        if (!isFollowed) return { reason: 'wrong', title: fault.message };
        sink.state('waiting', fault.message);
        wait = logLimits.waiting;
      } else {
        if (fault.isOurs) options.onError(error);
        failures += 1;
        if (failures >= logLimits.tries) return { reason: 'unreachable', title: fault.message };
        if (!isBroken && filter.position !== undefined) {
          isBroken = true;
          sink.mark(`The stream was interrupted: ${fault.message}`);
        }
        sink.state('reconnecting', fault.message);
        wait = Math.max(backoff(), Math.min(fault.retryAfter, 30_000));
      }
    }
    if (typeof wait !== 'number') return wait;
    await pause(wait);
  }
}
