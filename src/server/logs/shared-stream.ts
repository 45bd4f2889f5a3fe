import { followLog, type FollowQuery, type LogOptions, type LogOutcome, type LogSink } from './follow.ts';
import type { LogFilter } from './resume.ts';
import { type LogEntry, LogRing, type RingBudget, ringLimits } from './ring.ts';
import type { KeptStream } from './ring-place.ts';
import type { Room } from './room.ts';

/** Bounds of streams that are shared. */
export const sharedLimits = {
  /** A stream that was quiet for this time has sent what was written before it was opened, ms. */
  quiet: 250,
  /** The cluster's stream waits while its quickest reader is this many lines behind it. */
  ahead: ringLimits.least / 2,
  /** The same by weight, characters. */
  aheadSize: ringLimits.size / 2,
} as const;

/** Why somebody stopped reading along: the log ended, or entries that they have not read are no longer kept. */
export type ReadEnd = LogOutcome | 'behind';

/** Somebody who reads along. */
interface Reader {
  readonly sink: LogSink;
  readonly filter: LogFilter;
  /** Number of the next entry. */
  cursor: number;
  /** The sink has no room. */
  isBusy: boolean;
  readonly done: (end: ReadEnd) => void;
  readonly failed: (error: unknown) => void;
}

/** Somebody who begins to read. */
export interface Joining {
  readonly sink: LogSink;
  readonly filter: LogFilter;
  /** Number of the first entry. */
  readonly place: number;
  readonly signal: AbortSignal;
}

/** Passes one entry on, unless the reader has it. A promise: pass no further entry before it is settled. */
function give({ sink, filter }: Reader, { time, text, isMark }: LogEntry): Promise<void> | undefined {
  if (isMark) {
    sink.mark(text);
    return undefined;
  }
  return filter.passes(time) ? sink.line(time, text) : undefined;
}

/** One stream of a cluster with everybody who reads it. */
export class SharedStream implements KeptStream {
  readonly query: FollowQuery;
  readonly ring: LogRing;
  readonly #options: LogOptions;
  readonly #readers = new Set<Reader>();
  readonly #ending = new AbortController();
  readonly #onOver: (stream: SharedStream) => void;
  #state: Parameters<LogSink['state']> | undefined;
  /** When the cluster last opened its stream (ms since 1970); undefined before the first time. */
  #openedAt: number | undefined;
  /** When the cluster last sent something (ms since 1970). */
  #heardAt: number;
  #outcome: LogOutcome | undefined;
  /** The cluster's stream waits for it. */
  #room: Room | undefined;

  /** @param onOver called once nobody else may join */
  constructor(options: LogOptions, budget: RingBudget, onOver: (stream: SharedStream) => void) {
    this.#options = options;
    this.query = options.query;
    this.ring = new LogRing(budget);
    this.#onOver = onOver;
    this.#heardAt = options.clock.now();
  }

  get isPresent(): boolean {
    if (this.#openedAt === undefined) return false;
    const { time = '' } = this.ring.at(this.ring.end - 1) ?? {};
    const quiet = this.#options.clock.now() - this.#heardAt;
    return quiet >= sharedLimits.quiet || Date.parse(time) >= this.#openedAt;
  }

  /** Follows the cluster's log until it ends, or its last reader leaves. */
  start(): void {
    followLog({ ...this.#options, signal: this.#ending.signal }, this.#sink()).then(
      (outcome) => {
        this.#onOver(this);
        this.#outcome = outcome;
        for (const reader of this.#readers) this.#pass(reader);
      },
      (error: unknown) => {
        this.#onOver(this);
        for (const reader of this.#readers) reader.failed(error);
      },
    );
  }

  /** Reads along until the log is over or the reader is too far behind. Throws the signal's reason. */
  async read({ sink, filter, place, signal }: Joining): Promise<ReadEnd> {
    const over = Promise.withResolvers<ReadEnd>();
    const reader: Reader = {
      sink,
      filter,
      cursor: place,
      isBusy: false,
      done: over.resolve,
      failed: over.reject,
    };
    const leave = () => over.reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    this.#readers.add(reader);
    try {
      signal.throwIfAborted();
      if (this.#state !== undefined) sink.state(...this.#state);
      this.#pass(reader);
      // The reader for whom the stream waited may no longer be the quickest.
      this.#makeRoom();
      return await over.promise;
    } finally {
      signal.removeEventListener('abort', leave);
      this.#leave(reader);
    }
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    this.#makeRoom();
    if (this.#readers.size > 0) return;
    this.#onOver(this);
    this.#ending.abort(new Error('Nobody is reading this log any more.'));
    this.ring.dispose();
  }

  #sink(): LogSink {
    const { clock } = this.#options;
    return {
      line: (time, text) => {
        this.#heardAt = clock.now();
        this.#push({ time, text, isMark: false });
        if (this.#lag() < 1) return undefined;
        this.#room ??= Promise.withResolvers<void>();
        return this.#room.promise;
      },
      mark: (text) => this.#push({ time: '', text, isMark: true }),
      state: (...state) => {
        if (state[0] === 'live') {
          this.#openedAt = clock.now();
          this.#heardAt = clock.now();
        }
        this.#state = state;
        for (const reader of this.#readers) reader.sink.state(...state);
      },
    };
  }

  #push(entry: LogEntry): void {
    this.ring.push(entry);
    for (const reader of this.#readers) this.#pass(reader);
  }

  /** Passes on what a reader has not had, as far as there is room. */
  #pass(reader: Reader): void {
    if (reader.isBusy || !this.#readers.has(reader)) return;
    while (reader.cursor < this.ring.end) {
      const entry = this.ring.at(reader.cursor);
      if (entry === undefined) {
        reader.done('behind');
        return;
      }
      reader.cursor += 1;
      const full = give(reader, entry);
      if (full === undefined) continue;
      reader.isBusy = true;
      void full.then(() => {
        reader.isBusy = false;
        this.#pass(reader);
        this.#makeRoom();
      }, reader.failed);
      return;
    }
    if (this.#outcome !== undefined) reader.done(this.#outcome);
  }

  /** How far the quickest reader is behind, as part of what it may be: at 1 the cluster's stream waits. */
  #lag(): number {
    if (this.#readers.size === 0) return 0;
    let furthest = 0;
    for (const { cursor } of this.#readers) furthest = Math.max(furthest, cursor);
    return Math.max(
      (this.ring.end - furthest) / sharedLimits.ahead,
      this.ring.weightFrom(furthest) / sharedLimits.aheadSize,
    );
  }

  /** Lets the cluster's stream go on, if its quickest reader has caught up. */
  #makeRoom(): void {
    if (this.#room === undefined || this.#lag() > 0.5) return;
    this.#room.resolve();
    this.#room = undefined;
  }
}
