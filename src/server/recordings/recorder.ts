import { castEventLine, castHeaderLine, castSize, type CastEvent } from '../../contract/asciicast.ts';
import type { Clock } from '../kit/clock.ts';

/** Bounds of a recording: sizes in bytes, times in ms. */
export const recordingLimits = {
  /** Days of work at a prompt, a minute of a program that prints without end. A page replays it from memory. */
  size: 16 * 1024 * 1024,
  /** A working day. */
  duration: 12 * 3_600_000,
  /** What was shown is stored after this time, or once it is this much. */
  interval: 250,
  part: 64 * 1024,
  /** A store that takes longer than this for one part counts as failed. */
  patience: 10_000,
} as const;

/** Whose share of a day's recordings is used up. */
export type UsedQuota = 'person-quota' | 'company-quota';

/** Why a recording cannot go on: it is as large or as long as one may be, a share is used up, or it cannot be stored. */
export type RecordingStop = 'large' | 'long' | 'unrecorded' | UsedQuota;

/** Where a recording is kept. Parts come one after the other. */
export interface RecordingStore {
  /** Stores the next part; says why it is the last one, where it is. Throws when it cannot. @param position from 1 */
  append(part: {
    readonly position: number;
    readonly text: string;
    readonly duration: number;
  }): Promise<UsedQuota | undefined>;
  /** Marks it as ended, unless it is. Returns how it ended. */
  end(ending: string): Promise<string>;
}

export interface RecorderOptions {
  readonly store: RecordingStore;
  readonly clock: Clock;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly title: string;
  readonly limits?: Readonly<Record<keyof typeof recordingLimits, number>>;
}

/**
 * Records what one shell shows. Whoever shows something hands it over first, and reads no more from the shell while
 * `isBusy`: so what was shown and is not stored yet is never older than a store takes, after `interval`.
 */
export class Recorder {
  readonly #store: RecordingStore;
  readonly #clock: Clock;
  readonly #limits: NonNullable<RecorderOptions['limits']>;
  readonly #startedAt: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #stopped = Promise.withResolvers<RecordingStop>();
  #waiting = '';
  #position = 0;
  #size = 0;
  #seconds = 0;
  /** The newest size of the terminal, which is not part of the recording yet. */
  #resized: CastEvent | undefined;
  #hasStopped = false;
  #isClosed = false;
  #isWhole = false;
  #isBusy = false;
  #writing: Promise<void> = Promise.resolve();
  #cancelFlush: (() => void) | undefined;
  #cancelEnd: () => void = () => undefined;
  #onBusy: (isBusy: boolean) => void = () => undefined;

  constructor({ store, clock, size, title, limits = recordingLimits }: RecorderOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
    this.#startedAt = clock.now();
    const timestamp = Math.floor(this.#startedAt / 1_000);
    this.#add(castHeaderLine({ width: size.columns, height: size.rows, timestamp, title }));
  }

  /** Stores the beginning. Throws what the store throws: then nothing may be shown. */
  async start(): Promise<void> {
    await this.#write();
    this.#cancelEnd = this.#clock.after(this.#limits.duration, () => this.#stop('long'));
  }

  /** Resolves once it cannot go on: the shell has to end. */
  get stopped(): Promise<RecordingStop> {
    return this.#stopped.promise;
  }

  /** Says whenever a part begins to be stored, and when it is. */
  onBusy(listener: (isBusy: boolean) => void): void {
    this.#onBusy = listener;
    listener(this.#isBusy);
  }

  /** Records output. Returns false where it could not: then it must not be shown. */
  output(data: Uint8Array): boolean {
    if (this.#hasStopped || this.#isClosed) return false;
    const text = this.#decoder.decode(data, { stream: true });
    if (text !== '') this.#event('o', text);
    return true;
  }

  /** Records a size; of several without output between them, the last. */
  resize(columns: number, rows: number): void {
    if (this.#hasStopped || this.#isClosed) return;
    this.#resized = [this.#now(), 'r', castSize(columns, rows)];
    this.#flushLater();
  }

  /** A part is being stored, or could not be. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Everything up to the marker of its end is stored. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Stores the rest and, as a marker, how it ended, which is a sentence. Throws what the store throws. */
  async close(ending: string): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelEnd();
    this.#cancelFlush?.();
    await this.#writing;
    const rest = this.#decoder.decode();
    if (rest !== '') this.#event('o', rest);
    this.#event('m', await this.#inTime(this.#store.end(ending)));
    this.#cancelFlush?.();
    await this.#write();
    this.#isWhole = true;
  }

  /** Seconds since the beginning. A clock that is set back does not turn the order around. */
  #now(): number {
    this.#seconds = Math.max(this.#seconds, (this.#clock.now() - this.#startedAt) / 1_000);
    return this.#seconds;
  }

  #event(code: CastEvent[1], data: string): void {
    this.#addResize();
    this.#add(castEventLine([this.#now(), code, data]));
    if (this.#waiting.length >= this.#limits.part) this.#flush();
    else this.#flushLater();
  }

  #addResize(): void {
    if (this.#resized === undefined) return;
    this.#add(castEventLine(this.#resized));
    this.#resized = undefined;
  }

  #add(line: string): void {
    this.#waiting += line;
    this.#size += Buffer.byteLength(line);
    if (this.#size >= this.#limits.size) this.#stop('large');
  }

  #flushLater(): void {
    this.#cancelFlush ??= this.#clock.after(this.#limits.interval, () => this.#flush());
  }

  #stop(why: RecordingStop): void {
    if (this.#hasStopped || this.#isClosed) return;
    this.#hasStopped = true;
    this.#stopped.resolve(why);
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#isBusy || this.#isClosed) return;
    this.#addResize();
    this.#busy(true);
    this.#writing = this.#write().then(
      () => {
        this.#busy(false);
        // Whatever came meanwhile: a paused shell still hands over what had arrived.
        if (this.#isClosed) return;
        if (this.#waiting !== '') this.#flush();
        else if (this.#resized !== undefined) this.#flushLater();
      },
      () => this.#stop('unrecorded'),
    );
  }

  #busy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#onBusy(isBusy);
  }

  async #write(): Promise<void> {
    const text = this.#waiting;
    if (text === '') return;
    const position = this.#position + 1;
    const duration = Math.round(this.#seconds * 1_000);
    const used = await this.#inTime(this.#store.append({ position, text, duration }));
    this.#position = position;
    this.#waiting = this.#waiting.slice(text.length);
    if (used !== undefined) this.#stop(used);
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.after(this.#limits.patience, () =>
      late.reject(new Error('The store did not take a part of a recording in time.')),
    );
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      cancel();
    }
  }
}
