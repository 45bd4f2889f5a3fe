import { logTimeKey } from '../../kube/log-line.ts';
import type { Clock } from '../kit/clock.ts';
import { type FollowQuery, followLog, type LogOptions, type LogOutcome, type LogSink } from './follow.ts';
import { createLogFilter, type LogFilter } from './resume.ts';
import { createLogRing, type LogRing, type RingBudget, ringLimits, type Told } from './ring.ts';

/** Bounds of streams that are shared. */
export const sharedLimits = {
  /** A stream that has said nothing for so long has told what was written before it was opened, ms. */
  quiet: 250,
  /** The cluster's stream waits while its quickest reader is so many lines behind it. */
  ahead: ringLimits.least / 2,
  /** The same by weight, characters. */
  aheadSize: ringLimits.size / 2,
} as const;

/** Follows containers' logs as `followLog` does; those of the same container share one stream of the cluster. */
export interface SharedLogs {
  /** Streams of clusters that are followed just now. */
  readonly size: number;
  /** @param clusterId whose pod it is. As `followLog` else. */
  follow(clusterId: number, options: LogOptions, sink: LogSink): Promise<LogOutcome>;
}

/** Somebody who reads along. */
interface Reader {
  readonly sink: LogSink;
  readonly filter: LogFilter;
  /** What is before this number was passed on. */
  cursor: number;
  /** Waits for room. */
  isBusy: boolean;
  /** Done: with the log, or `behind` when lines it has not seen are no longer kept. */
  readonly done: (outcome: LogOutcome | 'behind') => void;
  readonly failed: (error: unknown) => void;
}

/** One stream of a cluster with all who read it. */
interface Stream {
  readonly query: FollowQuery;
  readonly ring: LogRing;
  readonly readers: Set<Reader>;
  readonly ending: AbortController;
  state: Parameters<LogSink['state']> | undefined;
  /** When the cluster last opened its stream, undefined before the first time, and when it last said something, ms. */
  openedAt: number | undefined;
  saidAt: number;
  outcome: LogOutcome | undefined;
  /** The cluster's stream waits for it. */
  room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
}

/** What the quickest reader of a stream has not had, as part of what it may be: 1 is as much as is allowed. */
function lagOf({ ring, readers }: Stream): number {
  if (readers.size === 0) return 0;
  let furthest = 0;
  for (const { cursor } of readers) furthest = Math.max(furthest, cursor);
  return Math.max(
    (ring.end - furthest) / sharedLimits.ahead,
    ring.weightFrom(furthest) / sharedLimits.aheadSize,
  );
}

/** The number of the newest lines of a ring, so many; undefined when there are fewer. Marks do not count. */
function newest(ring: LogRing, count: number): number | undefined {
  let left = count;
  let at = ring.end;
  while (left > 0 && at > ring.first) {
    at -= 1;
    if (ring.at(at)?.isMark === false) left -= 1;
  }
  return left === 0 ? at : undefined;
}

/** The number of the first line that was written at or after a time, ms; undefined when older ones are not kept. */
function sinceTime(ring: LogRing, from: number): number | undefined {
  for (let at = ring.end - 1; at >= ring.first; at -= 1) {
    const time = ring.at(at)?.time ?? '';
    if (time !== '' && Date.parse(time) < from) return at + 1;
  }
  return undefined;
}

/**
 * The number of the first line of a ring that was not written before this one; its end when all were. Undefined when
 * lines after this one may no longer be kept. What stands before it, marks too, is known to who has read so far.
 */
function afterTime(ring: LogRing, after: string): number | undefined {
  const key = logTimeKey(after);
  let isReached = false;
  for (let at = ring.first; at < ring.end; at += 1) {
    const time = ring.at(at)?.time ?? '';
    if (time === '') continue;
    if (logTimeKey(time) >= key) return isReached ? at : undefined;
    isReached = true;
  }
  return isReached ? ring.end : undefined;
}

/** Where in a stream's ring somebody begins to read who asks for this; undefined: what is kept will not do. */
function placeIn(stream: Stream, query: FollowQuery, clock: Clock): number | undefined {
  const { ring, query: own } = stream;
  const isWhole = ring.first === 0;
  if (query.after !== undefined) return afterTime(ring, query.after);
  const isSame =
    own.after === undefined && own.tailLines === query.tailLines && own.sinceSeconds === query.sinceSeconds;
  const { time = '' } = ring.at(ring.end - 1) ?? {};
  const isPresent =
    stream.openedAt !== undefined &&
    (clock.now() - stream.saidAt >= sharedLimits.quiet || Date.parse(time) >= stream.openedAt);
  // What was written before it was opened is still coming: who asked for the same gets the same.
  if (!isPresent) return isSame && isWhole ? 0 : undefined;
  const isUnbounded = isWhole && own.after === undefined && own.sinceSeconds === undefined;
  const isAll = isUnbounded && own.tailLines === undefined;
  const { tailLines, sinceSeconds } = query;
  if (sinceSeconds === undefined) {
    if (tailLines === undefined) return isAll ? 0 : undefined;
    const enough = newest(ring, tailLines);
    if (enough !== undefined) return enough;
    // The log itself has no more.
    return isAll || (isUnbounded && (own.tailLines ?? 0) >= tailLines) ? 0 : undefined;
  }
  const since = sinceTime(ring, clock.now() - sinceSeconds * 1000) ?? (isAll ? 0 : undefined);
  if (since === undefined || tailLines === undefined) return since;
  return Math.max(since, newest(ring, tailLines) ?? 0);
}

/**
 * Streams of logs that several people (or several tiles of one) follow at the same time. The first opens it; whoever
 * comes later gets the last lines from memory and reads along; it ends with the last. Nobody waits for the slowest:
 * the cluster's stream goes on with the quickest, and who is so far behind that lines are no longer kept reads on with
 * a stream of their own, where they were.
 */
export function createSharedLogs(): SharedLogs {
  const streams = new Map<string, Set<Stream>>();
  const budget: RingBudget = { held: 0 };

  /** Lets the cluster's stream go on, if its quickest reader has caught up. */
  function makeRoom(stream: Stream): void {
    if (stream.room === undefined || lagOf(stream) > 0.5) return;
    stream.room.resolve();
    stream.room = undefined;
  }

  /** Passes on what a reader has not had, as far as there is room. */
  function pass(stream: Stream, reader: Reader): void {
    if (reader.isBusy || !stream.readers.has(reader)) return;
    const { ring } = stream;
    while (reader.cursor < ring.end) {
      const told = ring.at(reader.cursor);
      if (told === undefined) {
        reader.done('behind');
        return;
      }
      reader.cursor += 1;
      const full = give(reader, told);
      if (full === undefined) continue;
      reader.isBusy = true;
      void full.then(() => {
        reader.isBusy = false;
        pass(stream, reader);
        makeRoom(stream);
      }, reader.failed);
      return;
    }
    if (stream.outcome !== undefined) reader.done(stream.outcome);
  }

  function give({ sink, filter }: Reader, { time, text, isMark }: Told): Promise<void> | undefined {
    if (isMark) {
      sink.mark(text);
      return undefined;
    }
    return filter.passes(time) ? sink.line(time, text) : undefined;
  }

  function open(key: string, options: LogOptions): Stream {
    const { query, clock } = options;
    const stream: Stream = {
      query,
      ring: createLogRing(budget),
      readers: new Set(),
      ending: new AbortController(),
      state: undefined,
      openedAt: undefined,
      saidAt: clock.now(),
      outcome: undefined,
      room: undefined,
    };
    const all = streams.get(key) ?? new Set();
    streams.set(key, all.add(stream));
    const tell = (told: Told) => {
      stream.ring.push(told);
      for (const reader of stream.readers) pass(stream, reader);
    };
    const sink: LogSink = {
      line(time, text) {
        stream.saidAt = clock.now();
        tell({ time, text, isMark: false });
        if (lagOf(stream) < 1) return undefined;
        stream.room ??= Promise.withResolvers<void>();
        return stream.room.promise;
      },
      mark: (text) => tell({ time: '', text, isMark: true }),
      state(...state) {
        if (state[0] === 'live') {
          stream.openedAt = clock.now();
          stream.saidAt = clock.now();
        }
        stream.state = state;
        for (const reader of stream.readers) reader.sink.state(...state);
      },
    };
    followLog({ ...options, signal: stream.ending.signal }, sink).then(
      (outcome) => {
        forget(key, stream);
        stream.outcome = outcome;
        for (const reader of stream.readers) pass(stream, reader);
      },
      (error: unknown) => {
        forget(key, stream);
        for (const reader of stream.readers) reader.failed(error);
      },
    );
    return stream;
  }

  /** Nobody else may join it. */
  function forget(key: string, stream: Stream): void {
    const all = streams.get(key);
    all?.delete(stream);
    if (all?.size === 0) streams.delete(key);
  }

  /** Reads along until the log is over or the reader is too far behind. Throws the signal's reason. */
  async function read(
    key: string,
    { stream, place }: { readonly stream: Stream; readonly place: number },
    signal: AbortSignal,
    sink: LogSink,
    filter: LogFilter,
  ): Promise<LogOutcome | 'behind'> {
    const over = Promise.withResolvers<LogOutcome | 'behind'>();
    const reader: Reader = {
      sink,
      filter,
      cursor: place,
      isBusy: false,
      done: over.resolve,
      failed: over.reject,
    };
    const left = () => over.reject(signal.reason as Error);
    signal.addEventListener('abort', left, { once: true });
    stream.readers.add(reader);
    try {
      signal.throwIfAborted();
      if (stream.state !== undefined) sink.state(...stream.state);
      pass(stream, reader);
      // Whom the stream waited for may no longer be the quickest.
      makeRoom(stream);
      return await over.promise;
    } finally {
      signal.removeEventListener('abort', left);
      stream.readers.delete(reader);
      makeRoom(stream);
      if (stream.readers.size === 0) {
        forget(key, stream);
        stream.ending.abort(new Error('Nobody reads this log any more.'));
        stream.ring.dispose();
      }
    }
  }

  return {
    get size() {
      return [...streams.values()].reduce((sum, all) => sum + all.size, 0);
    },
    async follow(clusterId, options, sink) {
      const { namespace, name, clock } = options;
      const key = `${clusterId} ${namespace}/${name}/${options.query.container ?? ''}`;
      let { query } = options;
      // What is kept comes at once: all logs that are merged must be known by then.
      await Promise.resolve();
      for (;;) {
        const filter = createLogFilter(
          query.after === undefined ? undefined : { time: query.after, count: query.skip ?? 0 },
        );
        let found: { readonly stream: Stream; readonly place: number } | undefined;
        for (const stream of streams.get(key) ?? []) {
          const place = placeIn(stream, query, clock);
          if (place === undefined) continue;
          found = { stream, place };
          break;
        }
        // The cluster gives all from `after` on; what of it is known is passed over by each reader for itself.
        found ??= { stream: open(key, { ...options, query: { ...query, skip: 0 } }), place: 0 };
        const outcome = await read(key, found, options.signal, sink, filter);
        if (outcome !== 'behind') return outcome;
        const at = filter.position;
        if (at !== undefined) query = { ...query, after: at.time, skip: at.count };
      }
    },
  };
}
