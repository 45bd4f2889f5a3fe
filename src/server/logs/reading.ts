import {
  everyContainer,
  type LogEnd,
  type LogMessage,
  type LogRequest,
  type LogSource,
  logSources,
  sourceKey,
} from '../../contract/log.ts';
import type { Pod } from '../../kube/core.ts';
import { cleanText } from '../../kube/text.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { Tap, Tapped } from '../live/audience.ts';
import { judgeLog, podName } from './faults.ts';
import type { LogOptions, LogOutcome, LogSink } from './follow.ts';
import type { Members } from './members.ts';
import { createMerge, type MergeEntry } from './merge.ts';
import type { LogSender } from './sender.ts';
import { createReadingState } from './state.ts';

/** Times of a reading, ms. */
export const readingLimits = {
  /** Changes of pods that come together are looked at together. */
  settle: 300,
  /** Pods are looked up again after this, whatever was heard of them. */
  lookup: 20_000,
  /** A look-up that failed is tried again after this. */
  retry: 3_000,
} as const;

/** Names that are said of what is left out, at most. */
const mostNames = 20;

export interface ReadingOptions {
  readonly request: LogRequest;
  readonly members: Members;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly transport: () => Promise<Transport>;
  /** Follows the cluster's pods; throws where that is not possible. */
  readonly tap: (listener: Tap) => Tapped;
  /** Takes a place among what the person may read at a time; false when there is none. */
  readonly takePlace: () => boolean;
  readonly givePlace: () => void;
  /** Reads one container, as `followLog` does. */
  readonly follow: (options: LogOptions, sink: LogSink) => Promise<LogOutcome>;
  readonly out: Pick<LogSender, 'line' | 'tell'>;
  /** Lines come as they were written: nothing is cleaned or cut. For files, never for pages. */
  readonly isRaw?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of failures of our own. */
  readonly onError: (error: unknown) => void;
}

interface Reader {
  readonly source: LogSource;
  readonly entry: MergeEntry;
  readonly ending: AbortController;
  outcome: LogOutcome | undefined;
}

/** The containers of a pod that a request means. */
function containersOf({ spec }: Pod, wanted: string | undefined): readonly string[] {
  const all = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ].flatMap(({ name }) => (typeof name === 'string' && name !== '' ? [name] : []));
  return wanted === undefined || wanted === everyContainer ? all : all.filter((name) => name === wanted);
}

/** Reads the logs of pods, merged, until they are over or the signal ends it. Throws the signal's reason. */
export async function readLogs(options: ReadingOptions): Promise<LogOutcome> {
  const { request, members, cluster, transport, out, clock, signal, onError } = options;
  const isFollowed = request.follow && !request.previous;
  const done = Promise.withResolvers<LogOutcome>();
  // Who leaves while the pods are looked up rejects it before anybody waits for it: unheard, that would end the server.
  done.promise.catch(() => {});
  const state = createReadingState((message) => out.tell(message), clock);
  const merge = createMerge(
    (line) => {
      const full = out.line(line);
      state.wrote();
      return full;
    },
    clock,
    !isFollowed,
  );
  /** Every container that was ever read, by key: it keeps its number. */
  const known = new Map<string, LogSource>();
  const readers = new Map<string, Reader>();
  let toldLeftOut = '';
  let isFirst = true;
  let isOver = false;
  let cancelLookup: (() => void) | undefined;
  let isLooking = false;
  let isAskedAgain = false;
  let ended: LogOutcome[] = [];

  /** What the console says of a pod as a whole, in line with what its containers wrote. */
  const mark = (source: LogSource, text: string) => {
    void out.line([new Date(clock.now()).toISOString(), text, source.id, 'mark']);
  };

  function begin(pod: Pod, container: string): boolean {
    const { namespace = '', name = '' } = pod.metadata ?? {};
    const key = sourceKey({ namespace, pod: name, container });
    if (readers.has(key)) return true;
    if (running() >= logSources) return false;
    if (!options.takePlace()) return false;
    const isNew = !known.has(key);
    const source = known.get(key) ?? {
      id: known.size,
      namespace,
      pod: cleanText(name),
      container: cleanText(container),
    };
    known.set(key, source);
    if (isNew) out.tell({ type: 'source', source });
    if (!isFirst && isNew) mark(source, `${podName(namespace, name)}: container ${container} is new.`);
    const reader: Reader = {
      source,
      entry: merge.add(),
      ending: new AbortController(),
      outcome: undefined,
    };
    readers.set(key, reader);
    state.add(source.id);
    void follow(reader, key);
    return true;
  }

  const running = () => [...readers.values()].filter(({ outcome }) => outcome === undefined).length;

  async function follow(reader: Reader, key: string): Promise<void> {
    const { source, entry } = reader;
    const resume = request.resume?.[key];
    let last = '';
    let outcome: LogOutcome;
    try {
      outcome = await options.follow(
        {
          namespace: source.namespace,
          name: source.pod,
          query: {
            container: source.container,
            previous: request.previous,
            follow: isFollowed,
            tailLines: request.tailLines,
            sinceSeconds: request.sinceSeconds,
            after: resume?.after,
            skip: resume?.skip,
            isRaw: options.isRaw,
          },
          cluster,
          transport,
          clock,
          signal: AbortSignal.any([signal, reader.ending.signal]),
          onError,
        },
        {
          line(time, text) {
            last = time === '' ? last : time;
            return entry.line([time, text, source.id]);
          },
          mark: (text) => void entry.line([last, text, source.id, 'mark']),
          state(status, message) {
            if (status === 'live') entry.opened();
            else entry.idle();
            state.set(source.id, status, message);
          },
        },
      );
    } catch (error) {
      if (signal.aborted || isOver) return;
      if (!reader.ending.signal.aborted) onError(error);
      outcome = { reason: 'gone', title: `${podName(source.namespace, source.pod)} is gone.` };
    }
    options.givePlace();
    reader.outcome = outcome;
    ended = [...ended, outcome];
    state.over(source.id);
    // One source ends with the log itself; of several each says why.
    if (isFollowed && (members.isOpen || known.size > 1)) {
      void entry.line([last, outcome.title, source.id, 'mark']);
    }
    entry.end();
    if (running() === 0) allOver();
    else if (isFollowed) look();
  }

  /** Nothing is read any more: the log is over, unless others may come. */
  function allOver(): void {
    if (isFollowed && members.isOpen) {
      const fatal = ended.find(({ reason }) => reason === 'forbidden' || reason === 'unreachable');
      if (fatal === undefined) state.nothing(`No container of ${members.label} is running.`);
      else void finish(fatal);
      return;
    }
    void finish(overall());
  }

  function overall(): LogOutcome {
    const [first] = ended;
    if (first === undefined) return { reason: 'ended', title: 'Nothing was written.' };
    if (ended.length === 1) return first;
    const reasons = new Set<LogEnd>(ended.map(({ reason }) => reason));
    if (reasons.size === 1 && first.reason !== 'ended') return first;
    return {
      reason: 'ended',
      title: isFollowed ? 'Nothing of this is running any more.' : 'End of the logs.',
    };
  }

  async function finish(outcome: LogOutcome): Promise<void> {
    await merge.drained();
    done.resolve(outcome);
  }

  /** Looks the pods up again soon. */
  function look(): void {
    cancelLookup?.();
    cancelLookup = clock.after(readingLimits.settle, () => void lookup());
  }

  async function lookup(): Promise<void> {
    if (isLooking) {
      isAskedAgain = true;
      return;
    }
    isLooking = true;
    let wait: number = readingLimits.lookup;
    try {
      const pods = await members.list();
      if (signal.aborted) return;
      take(pods);
    } catch (error) {
      if (signal.aborted) return;
      const fault = judgeLog(error, members.label, cluster);
      if (fault.type === 'over' && (isFirst || fault.reason !== 'gone')) {
        done.resolve({ reason: fault.reason, title: fault.title });
        return;
      }
      if (fault.type === 'lost') {
        if (fault.isOurs) onError(error);
        wait = readingLimits.retry;
        if (readers.size === 0) state.lost(fault.message);
      } else if (running() === 0) {
        done.resolve({ reason: 'gone', title: `${members.label} is gone.` });
        return;
      }
    } finally {
      isLooking = false;
    }
    cancelLookup?.();
    cancelLookup = undefined;
    if (!isFollowed) return;
    if (isAskedAgain) {
      isAskedAgain = false;
      look();
    } else cancelLookup = clock.after(wait, () => void lookup());
  }

  /** Begins what is new, ends what is gone, says what is left out. */
  function take(pods: readonly Pod[]): void {
    const wanted = new Set<string>();
    const leftOut: string[] = [];
    // The newest first: of too many those matter most.
    for (const pod of pods.toReversed()) {
      const { namespace = '', name = '' } = pod.metadata ?? {};
      for (const container of containersOf(pod, request.container)) {
        const key = sourceKey({ namespace, pod: name, container });
        wanted.add(key);
        const before = readers.get(key);
        // A pod of the same name that came again (a StatefulSet's) is another one.
        if (before?.outcome?.reason === 'gone') {
          readers.delete(key);
          ended = ended.filter((one) => one !== before.outcome);
        }
        if (!begin(pod, container)) leftOut.push(cleanText(`${name}/${container}`));
      }
    }
    for (const [key, reader] of readers) {
      if (wanted.has(key) || reader.outcome !== undefined || !members.isOpen) continue;
      // What it wrote last may still be under way: its stream ends by itself, this is for one that hangs.
      clock.after(readingLimits.retry, () => reader.ending.abort());
    }
    sayLeftOut(leftOut);
    if (readers.size === 0 && isFirst) nothingToRead(pods);
    isFirst = false;
  }

  function nothingToRead(pods: readonly Pod[]): void {
    if (pods.length > 0 && request.container !== undefined) {
      void finish({
        reason: 'wrong',
        title: `No container of ${members.label} is called ${cleanText(request.container)}.`,
      });
    } else if (members.isOpen && isFollowed) state.nothing(`${members.label} has no pods at the moment.`);
    else if (members.isOpen) void finish({ reason: 'ended', title: `${members.label} has no pod.` });
    else void finish({ reason: 'gone', title: `${members.label} was not found.` });
  }

  function sayLeftOut(names: readonly string[]): void {
    const rest = names.length - mostNames;
    const shown = rest > 0 ? [...names.slice(0, mostNames), `and ${rest} more`] : names;
    const text = shown.join(' ');
    if (text === toldLeftOut) return;
    toldLeftOut = text;
    const message: LogMessage = { type: 'left-out', names: shown };
    out.tell(message);
  }

  const left = () => done.reject(signal.reason as Error);
  signal.addEventListener('abort', left, { once: true });
  let tapped: Tapped | undefined;
  try {
    signal.throwIfAborted();
    if (isFollowed) {
      try {
        tapped = options.tap({
          changed: (entry, previous) => {
            const one = entry ?? previous;
            if (one !== undefined && members.has(one)) look();
          },
          settled: () => {},
        });
      } catch {
        // Too many lists are open there: the look-up every now and then will do.
      }
    }
    await lookup();
    return await done.promise;
  } finally {
    isOver = true;
    signal.removeEventListener('abort', left);
    tapped?.leave();
    cancelLookup?.();
    merge.dispose();
    state.dispose();
    for (const reader of readers.values()) {
      if (reader.outcome === undefined) {
        reader.ending.abort();
        options.givePlace();
      }
    }
  }
}
