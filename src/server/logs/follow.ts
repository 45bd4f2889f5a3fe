import type { LogEnd } from '../../contract/log.ts';
import { objectPath } from '../../kube/change.ts';
import type { Pod } from '../../kube/core.ts';
import { cleanLogLine, lastWritten, splitLogLine } from '../../kube/log-line.ts';
import { cleanText } from '../../kube/text.ts';
import type { KubeStream, Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { pause } from '../kit/pause.ts';
import { containerStatusOf, endingOf, isRestarted } from './container-run.ts';
import { judgeLog, podName } from './faults.ts';
import { LogFilter } from './resume.ts';

/** Times of a log (ms), and its bounds. */
export const logLimits = {
  /** Delay before a container that has not started is checked again. */
  waiting: 2_000,
  backoffFirst: 250,
  backoffLongest: 10_000,
  /** Failed tries in a row after which the log ends. */
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

/** The part of a container's log to read. */
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
  /** Called with failures of the console itself. */
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

/**
 * Reads a container's log into a sink, and follows it if that is asked for: a stream that breaks is resumed after the
 * last line, a container that has yet to start, or will be started again, is waited for. Returns why it ended; throws
 * the signal's reason.
 */
export const followLog = (options: LogOptions, sink: LogSink): Promise<LogOutcome> =>
  new LogFollower(options, sink).run();

/** The log of one container while it is read. */
class LogFollower {
  readonly #options: LogOptions;
  readonly #sink: LogSink;
  readonly #filter: LogFilter;
  readonly #isFollowed: boolean;
  /** Tries in a row that failed. */
  #failures = 0;
  /** Restarts of the container when its present run began: a higher count is another run. */
  #run: number | undefined;
  /** The run whose end has a mark already: it gets no second one. */
  #endedRun: number | undefined;
  /** The stream broke after the last line, and has a mark that says so. */
  #isBroken = false;

  constructor(options: LogOptions, sink: LogSink) {
    const { after, skip = 0, follow, previous } = options.query;
    this.#options = options;
    this.#sink = sink;
    this.#isFollowed = follow && !previous;
    this.#filter = new LogFilter(after === undefined ? undefined : { time: after, count: skip });
  }

  async run(): Promise<LogOutcome> {
    const { clock, signal } = this.#options;
    for (;;) {
      let next: LogOutcome | number;
      try {
        signal.throwIfAborted();
        next = await this.#readOnce();
      } catch (error) {
        signal.throwIfAborted();
        next = this.#afterFailure(error);
      }
      if (typeof next !== 'number') return next;
      await pause(clock, next, signal);
    }
  }

  /** Reads one stream; returns why the log is over, or how long to wait before the next stream (ms). */
  async #readOnce(): Promise<LogOutcome | number> {
    const { signal, query } = this.#options;
    if (this.#isFollowed && this.#run === undefined)
      this.#run = containerStatusOf(await this.#pod(), query.container)?.restartCount ?? 0;
    if (this.#endedRun !== undefined && this.#endedRun === this.#run) {
      const next = await this.#afterEnd();
      if (next !== 0) return next;
    }
    const stream = await this.#open();
    if (this.#isBroken) this.#sink.mark('Streaming resumed.');
    this.#isBroken = false;
    this.#sink.state('live');
    await this.#pass(stream);
    signal.throwIfAborted();
    if (!this.#isFollowed) return { reason: 'ended', title: 'End of the log.' };
    const next = await this.#afterEnd();
    if (next !== 0) return next;
    // A stream that ends at once, again and again, is opened less and less often.
    this.#failures += 1;
    return this.#backoff();
  }

  async #pod(): Promise<Pod> {
    const { transport, namespace, name, signal } = this.#options;
    return await (await transport()).json<Pod>({ path: objectPath(podAddress(namespace, name)), signal });
  }

  async #open(): Promise<KubeStream> {
    const { query, namespace, name, signal } = this.#options;
    const transport = await this.#options.transport();
    const since = this.#filter.position;
    this.#filter.resume();
    return await transport.stream({
      path: objectPath(podAddress(namespace, name), 'log'),
      accept: '*/*',
      ...(query.isRaw === true ? { keepsReturns: true } : {}),
      query: {
        container: query.container,
        previous: query.previous ? true : undefined,
        follow: this.#isFollowed ? true : undefined,
        timestamps: true,
        ...(since === undefined
          ? { tailLines: query.tailLines, sinceSeconds: query.sinceSeconds }
          : { sinceTime: since.time }),
      },
      signal,
    });
  }

  /** Passes the new lines of a stream on until it ends. */
  async #pass(stream: KubeStream): Promise<void> {
    const { signal, query } = this.#options;
    try {
      for await (const raw of stream.lines) {
        signal.throwIfAborted();
        const [time, written] = splitLogLine(raw);
        if (!this.#filter.passes(time)) continue;
        this.#failures = 0;
        const full = this.#sink.line(time, query.isRaw === true ? written : shownLine(written));
        if (full !== undefined) await full;
      }
    } finally {
      stream.close();
    }
  }

  /** The meaning of the end of a followed stream: why the log is over, or the delay before it is resumed, ms. */
  async #afterEnd(): Promise<LogOutcome | number> {
    const { container } = this.#options.query;
    const pod = await this.#pod();
    const who = container === undefined ? 'The container' : `Container ${container}`;
    const { state = {}, lastState = {}, restartCount = 0 } = containerStatusOf(pod, container) ?? {};
    if (this.#run !== undefined && restartCount > this.#run) {
      const ended = ` ${endingOf(lastState.terminated ?? state.terminated)} and`;
      this.#sink.mark(`${who}${this.#endedRun === this.#run ? '' : ended} restarted.`);
      // The new run is read even if it has ended meanwhile.
      this.#run = restartCount;
      return 0;
    }
    const over = state.terminated ?? (state.running === undefined ? lastState.terminated : undefined);
    if (over === undefined) {
      if (state.running !== undefined) return 0;
      this.#sink.state('waiting', `${who} has not started yet.`);
      return logLimits.waiting;
    }
    const title = `${who} ${endingOf(over)}.`;
    if (!isRestarted(pod, container, over.exitCode ?? 0)) return { reason: 'ended', title };
    if (this.#endedRun !== restartCount) this.#sink.mark(title);
    this.#endedRun = restartCount;
    const why = state.waiting?.reason === undefined ? '' : ` (${cleanText(state.waiting.reason)})`;
    this.#sink.state('waiting', `${who} is waiting to restart${why}.`);
    return logLimits.waiting;
  }

  /** The meaning of a failure: why the log is over, or the delay before the next attempt, ms. */
  #afterFailure(error: unknown): LogOutcome | number {
    const { namespace, name, cluster, onError } = this.#options;
    const fault = judgeLog(error, podName(namespace, name), cluster);
    if (fault.type === 'over') return { reason: fault.reason, title: fault.title };
    if (fault.type === 'waiting') {
      if (!this.#isFollowed) return { reason: 'wrong', title: fault.message };
      this.#sink.state('waiting', fault.message);
      return logLimits.waiting;
    }
    if (fault.isOurs) onError(error);
    this.#failures += 1;
    if (this.#failures >= logLimits.tries) return { reason: 'unreachable', title: fault.message };
    if (!this.#isBroken && this.#filter.position !== undefined) {
      this.#isBroken = true;
      this.#sink.mark(`The stream was interrupted: ${fault.message}`);
    }
    this.#sink.state('reconnecting', fault.message);
    return Math.max(this.#backoff(), Math.min(fault.retryAfter, 30_000));
  }

  #backoff(): number {
    const wait = logLimits.backoffFirst * 2 ** Math.min(this.#failures - 1, 10);
    return Math.min(logLimits.backoffLongest, wait);
  }
}

/** A line as pages show it: what was written last over it, without control characters, cut where it is too long. */
function shownLine(written: string): string {
  const text = lastWritten(written);
  const excess = text.length - logLimits.line;
  return cleanLogLine(excess > 0 ? `${text.slice(0, logLimits.line)}… (${excess} more characters)` : text);
}
