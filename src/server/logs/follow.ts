import type { LogEnd, LogLine, LogQuery } from '../../contract/log.ts';
import { objectPath } from '../../kube/change.ts';
import type { ContainerState, ContainerStatus, Pod } from '../../kube/core.ts';
import { cleanLogLine, lastWritten, splitLogLine } from '../../kube/log-line.ts';
import { cleanText } from '../../kube/text.ts';
import type { KubeStream, Transport } from '../clusters/transport.ts';
import type { Clock } from '../live/clock.ts';
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

/** Where the lines go. */
export interface LogSink {
  /** Takes a line. A promise: read no further before it is settled. */
  line(line: LogLine): Promise<void> | undefined;
  state(status: 'live' | 'waiting' | 'reconnecting', message?: string): void;
}

export interface LogOptions {
  readonly namespace: string;
  readonly name: string;
  readonly query: LogQuery;
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

function statusOf(pod: Pod, container: string | undefined): ContainerStatus | undefined {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return container === undefined ? all[0] : all.find(({ name }) => name === container);
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
 * last line, a container that has yet to start is waited for. Returns why it ended; throws the signal's reason.
 */
export async function followLog(options: LogOptions, sink: LogSink): Promise<LogOutcome> {
  const { namespace, name, query, clock, signal } = options;
  const isFollowed = query.follow === 'true' && query.previous === 'false';
  const address = podAddress(namespace, name);
  const pod = podName(namespace, name);
  const filter = createLogFilter(
    query.after === undefined ? undefined : { time: query.after, count: query.skip },
  );
  let failures = 0;
  /** Restarts of the container when the log was begun: a higher count is another run. */
  let run: number | undefined;

  const containerNow = async () => {
    const transport = await options.transport();
    const found = await transport.json<Pod>({ path: objectPath(address), signal });
    return statusOf(found, query.container);
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
      query: {
        container: query.container,
        previous: query.previous === 'true' ? true : undefined,
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
        const text = lastWritten(written);
        const rest = text.length - logLimits.line;
        const cut = rest > 0 ? `${text.slice(0, logLimits.line)}… (${rest} more characters)` : text;
        const full = sink.line([time, cleanLogLine(cut)]);
        if (full !== undefined) await full;
      }
    } finally {
      stream.close();
    }
  }

  /** What the end of a followed stream means: undefined when it has to be resumed, a number to wait before (ms). */
  async function ending(): Promise<LogOutcome | number> {
    const status = await containerNow();
    const who = query.container === undefined ? 'The container' : `Container ${query.container}`;
    const { state = {}, lastState = {}, restartCount = 0 } = status ?? {};
    const ended = (title: string): LogOutcome => ({ reason: 'ended', title });
    if (run !== undefined && restartCount > run) {
      return ended(`${who} ${endingOf(lastState.terminated ?? state.terminated)} and was started again.`);
    }
    if (state.terminated !== undefined) return ended(`${who} ${endingOf(state.terminated)}.`);
    if (state.running !== undefined) return 0;
    if (lastState.terminated !== undefined) return ended(`${who} ${endingOf(lastState.terminated)}.`);
    sink.state('waiting', `${who} has not started yet.`);
    return logLimits.waiting;
  }

  /** One stream; the outcome, or how long to wait before the next, ms. */
  async function once(): Promise<LogOutcome | number> {
    if (isFollowed) run ??= (await containerNow())?.restartCount ?? 0;
    const stream = await open();
    sink.state('live');
    await read(stream);
    signal.throwIfAborted();
    if (!isFollowed) return { reason: 'ended', title: 'This is all of the log.' };
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
        sink.state('reconnecting', fault.message);
        wait = Math.max(backoff(), Math.min(fault.retryAfter, 30_000));
      }
    }
    if (typeof wait !== 'number') return wait;
    await pause(wait);
  }
}
