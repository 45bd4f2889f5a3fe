import {
  everyContainer,
  type LogEnd,
  type LogRequest,
  type LogSource,
  logSources,
  sourceKey,
} from '../../contract/log.ts';
import type { Pod } from '../../kube/core.ts';
import { cleanText } from '../../kube/text.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { Tap, Tapped } from '../live/feed/audience.ts';
import { judgeLog, podName } from './faults.ts';
import type { LogOptions, LogOutcome, LogSink } from './follow.ts';
import type { Members } from './members.ts';
import { LogMerge, type MergeEntry } from './merge.ts';
import { lookupLimits, PodLookup } from './pod-lookup.ts';
import type { LogSender } from './sender.ts';
import { ReadingState } from './state.ts';

/** Names in the message about containers that are left out, at most. */
const maxNames = 20;

export interface ReadingOptions {
  readonly request: LogRequest;
  readonly members: Members;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly transport: () => Promise<Transport>;
  /** Follows the cluster's pods; throws where that is not possible. */
  readonly tap: (listener: Tap) => Tapped;
  /** Takes a place among the containers that the person may read at a time; false when there is none. */
  readonly takePlace: () => boolean;
  readonly givePlace: () => void;
  /** Reads one container, as `followLog` does. */
  readonly follow: (options: LogOptions, sink: LogSink) => Promise<LogOutcome>;
  readonly out: Pick<LogSender, 'line' | 'tell'>;
  /** Lines come as they were written: nothing is cleaned or cut. For files, never for pages. */
  readonly isRaw?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with failures of the console itself. */
  readonly onError: (error: unknown) => void;
}

/** One container that is, or was, read. */
interface Reader {
  readonly source: LogSource;
  readonly entry: MergeEntry;
  readonly ending: AbortController;
  outcome: LogOutcome | undefined;
}

/** The containers of a pod that a request asks for. */
function containersOf({ spec }: Pod, wanted: string | undefined): readonly string[] {
  const all = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ].flatMap(({ name }) => (typeof name === 'string' && name !== '' ? [name] : []));
  return wanted === undefined || wanted === everyContainer ? all : all.filter((name) => name === wanted);
}

/** Why a log of several containers is over, by why each of them is. */
function overallOutcome(outcomes: readonly LogOutcome[], isFollowed: boolean): LogOutcome {
  const [first] = outcomes;
  if (first === undefined) return { reason: 'ended', title: 'Nothing was written.' };
  if (outcomes.length === 1) return first;
  const reasons = new Set<LogEnd>(outcomes.map(({ reason }) => reason));
  if (reasons.size === 1 && first.reason !== 'ended') return first;
  return {
    reason: 'ended',
    title: isFollowed ? 'None of these containers is running any more.' : 'End of the logs.',
  };
}

/** Reads the logs of pods, merged, until they are over or the signal ends it. Throws the signal's reason. */
export const readLogs = (options: ReadingOptions): Promise<LogOutcome> => new LogReading(options).run();

class LogReading {
  readonly #options: ReadingOptions;
  readonly #isFollowed: boolean;
  readonly #done = Promise.withResolvers<LogOutcome>();
  readonly #state: ReadingState;
  readonly #merge: LogMerge;
  readonly #lookup: PodLookup;
  /** Every container that was ever read, by key: it keeps its number. */
  readonly #sources = new Map<string, LogSource>();
  readonly #readers = new Map<string, Reader>();
  /** Outcomes of the containers that are not read any more. */
  #outcomes: readonly LogOutcome[] = [];
  /** Names in the last message about containers that are left out, to compare. */
  #leftOut = '';
  /** No look at the pods has succeeded yet. */
  #isFirst = true;
  #isOver = false;

  constructor(options: ReadingOptions) {
    const { request, out, clock } = options;
    this.#options = options;
    this.#isFollowed = request.follow && !request.previous;
    // A signal may reject it before anybody waits for it, which would end the process.
    this.#done.promise.catch(() => {});
    this.#state = new ReadingState((message) => out.tell(message), clock);
    this.#merge = new LogMerge({
      pass: (line) => {
        const full = out.line(line);
        this.#state.wrote();
        return full;
      },
      clock,
      isPatient: !this.#isFollowed,
    });
    this.#lookup = new PodLookup({ clock, look: () => this.#look() });
  }

  async run(): Promise<LogOutcome> {
    const { signal } = this.#options;
    const leave = () => this.#done.reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    let tapped: Tapped | undefined;
    try {
      signal.throwIfAborted();
      if (this.#isFollowed) tapped = this.#tap();
      await this.#lookup.now();
      return await this.#done.promise;
    } finally {
      this.#isOver = true;
      signal.removeEventListener('abort', leave);
      tapped?.leave();
      this.#close();
    }
  }

  #close(): void {
    this.#lookup.stop();
    this.#merge.dispose();
    this.#state.dispose();
    for (const { outcome, ending } of this.#readers.values()) {
      if (outcome !== undefined) continue;
      ending.abort();
      this.#options.givePlace();
    }
  }

  /** Looks the pods up soon after each change of one of them. */
  #tap(): Tapped | undefined {
    const { tap, members } = this.#options;
    try {
      return tap({
        changed: (entry, previous) => {
          const changed = entry ?? previous;
          if (changed !== undefined && members.has(changed)) this.#lookup.soon();
        },
        settled: () => {},
      });
    } catch {
      // Too many lists are open: the repeated look finds the changes, later.
      return undefined;
    }
  }

  /** @returns the time until the next look, ms; undefined where there is none */
  async #look(): Promise<number | undefined> {
    const { members, signal } = this.#options;
    let wait: number | undefined = lookupLimits.repeat;
    try {
      const pods = await members.list();
      if (signal.aborted) return undefined;
      this.#take(pods);
    } catch (error) {
      if (signal.aborted) return undefined;
      wait = this.#afterFailure(error);
    }
    return this.#isFollowed ? wait : undefined;
  }

  /** @returns the time until the next look, ms; undefined where the log is over */
  #afterFailure(error: unknown): number | undefined {
    const { members, cluster, onError } = this.#options;
    const fault = judgeLog(error, members.label, cluster);
    if (fault.type === 'over' && (this.#isFirst || fault.reason !== 'gone')) {
      this.#done.resolve({ reason: fault.reason, title: fault.title });
      return undefined;
    }
    if (fault.type === 'lost') {
      if (fault.isOurs) onError(error);
      if (!this.#isFollowed) {
        this.#done.resolve({ reason: 'unreachable', title: fault.message });
        return undefined;
      }
      if (this.#readers.size === 0) this.#state.lost(fault.message);
      return lookupLimits.retry;
    }
    if (this.#running() > 0) return lookupLimits.repeat;
    this.#done.resolve({ reason: 'gone', title: `${members.label} is gone.` });
    return undefined;
  }

  /** Begins what is new, ends what is gone, reports what is left out. */
  #take(pods: readonly Pod[]): void {
    const { request, members, clock } = this.#options;
    const wanted = new Set<string>();
    const leftOut: string[] = [];
    // The newest first: of too many those matter more.
    for (const pod of pods.toReversed()) {
      const { namespace = '', name = '' } = pod.metadata ?? {};
      for (const container of containersOf(pod, request.container)) {
        const key = sourceKey({ namespace, pod: name, container });
        wanted.add(key);
        this.#forgetGone(key);
        if (!this.#begin(pod, container)) leftOut.push(cleanText(`${name}/${container}`));
      }
    }
    for (const [key, reader] of this.#readers) {
      if (wanted.has(key) || reader.outcome !== undefined || !members.isOpen) continue;
      // Its last lines may still be on their way, and its stream normally ends. This ends one that hangs.
      clock.after(lookupLimits.retry, () => reader.ending.abort());
    }
    this.#reportLeftOut(leftOut);
    if (this.#readers.size === 0 && this.#isFirst) this.#reportNothing(pods);
    this.#isFirst = false;
  }

  /** A pod of the same name that came again, such as a StatefulSet's, is another one. */
  #forgetGone(key: string): void {
    const before = this.#readers.get(key);
    if (before?.outcome?.reason !== 'gone') return;
    this.#readers.delete(key);
    this.#outcomes = this.#outcomes.filter((one) => one !== before.outcome);
  }

  /** Begins to read a container; false where there is no place for it. */
  #begin(pod: Pod, container: string): boolean {
    const { out, clock, takePlace } = this.#options;
    const { namespace = '', name = '' } = pod.metadata ?? {};
    const key = sourceKey({ namespace, pod: name, container });
    if (this.#readers.has(key)) return true;
    if (this.#running() >= logSources || !takePlace()) return false;
    const known = this.#sources.get(key);
    const source = known ?? {
      id: this.#sources.size,
      namespace,
      pod: cleanText(name),
      container: cleanText(container),
    };
    if (known === undefined) {
      this.#sources.set(key, source);
      out.tell({ type: 'source', source });
      if (!this.#isFirst) {
        const text = `${podName(namespace, name)}: container ${container} is new.`;
        void out.line([new Date(clock.now()).toISOString(), text, source.id, 'mark']);
      }
    }
    const reader = {
      source,
      entry: this.#merge.add(),
      ending: new AbortController(),
      outcome: undefined,
    };
    this.#readers.set(key, reader);
    this.#state.add(source.id);
    void this.#follow(reader, key);
    return true;
  }

  /** Reads a container until its log is over. */
  async #follow(reader: Reader, key: string): Promise<void> {
    const { source, entry } = reader;
    const { signal, onError, members, follow, givePlace } = this.#options;
    let lastTime = '';
    let outcome: LogOutcome;
    try {
      outcome = await follow(this.#followOptions(reader, key), {
        line: (time, text) => {
          if (time !== '') lastTime = time;
          return entry.line([time, text, source.id]);
        },
        mark: (text) => void entry.line([lastTime, text, source.id, 'mark']),
        state: (status, message) => {
          if (status === 'live') entry.opened();
          else entry.idle();
          this.#state.set(source.id, status, message);
        },
      });
    } catch (error) {
      if (signal.aborted || this.#isOver) return;
      if (!reader.ending.signal.aborted) onError(error);
      outcome = { reason: 'gone', title: `${podName(source.namespace, source.pod)} is gone.` };
    }
    givePlace();
    reader.outcome = outcome;
    this.#outcomes = [...this.#outcomes, outcome];
    this.#state.over(source.id);
    // A single source ends with the log itself; of several, each says why it ended.
    if (this.#isFollowed && (members.isOpen || this.#sources.size > 1))
      void entry.line([lastTime, outcome.title, source.id, 'mark']);
    entry.end();
    if (this.#running() === 0) this.#allOver();
    else if (this.#isFollowed) this.#lookup.soon();
  }

  #followOptions({ source, ending }: Reader, key: string): LogOptions {
    const { request, cluster, transport, clock, signal, onError, isRaw } = this.#options;
    const resume = request.resume?.[key];
    return {
      namespace: source.namespace,
      name: source.pod,
      query: {
        container: source.container,
        previous: request.previous,
        follow: this.#isFollowed,
        tailLines: request.tailLines,
        sinceSeconds: request.sinceSeconds,
        after: resume?.after,
        skip: resume?.skip,
        isRaw,
      },
      cluster,
      transport,
      clock,
      signal: AbortSignal.any([signal, ending.signal]),
      onError,
    };
  }

  #running(): number {
    let running = 0;
    for (const { outcome } of this.#readers.values()) if (outcome === undefined) running += 1;
    return running;
  }

  /** Nothing is read any more: the log is over, unless other pods may come. */
  #allOver(): void {
    const { members } = this.#options;
    if (!this.#isFollowed || !members.isOpen) {
      void this.#finish(overallOutcome(this.#outcomes, this.#isFollowed));
      return;
    }
    const fatal = this.#outcomes.find(({ reason }) => reason === 'forbidden' || reason === 'unreachable');
    if (fatal === undefined) this.#state.nothing(`No container of ${members.label} is running.`);
    else void this.#finish(fatal);
  }

  async #finish(outcome: LogOutcome): Promise<void> {
    await this.#merge.drained();
    this.#done.resolve(outcome);
  }

  #reportNothing(pods: readonly Pod[]): void {
    const { request, members } = this.#options;
    if (pods.length > 0 && request.container !== undefined) {
      void this.#finish({
        reason: 'wrong',
        title: `No container of ${members.label} is called ${cleanText(request.container)}.`,
      });
    } else if (members.isOpen && this.#isFollowed)
      this.#state.nothing(`${members.label} has no pods at the moment.`);
    else if (members.isOpen) void this.#finish({ reason: 'ended', title: `${members.label} has no pod.` });
    else void this.#finish({ reason: 'gone', title: `${members.label} was not found.` });
  }

  #reportLeftOut(all: readonly string[]): void {
    const excess = all.length - maxNames;
    const names = excess > 0 ? [...all.slice(0, maxNames), `and ${excess} more`] : all;
    const text = names.join(' ');
    if (text === this.#leftOut) return;
    this.#leftOut = text;
    this.#options.out.tell({ type: 'left-out', names });
  }
}
