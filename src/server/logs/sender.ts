import { logBatch, type LogLine, type LogMessage } from '../../contract/log.ts';
import type { Clock } from '../kit/clock.ts';
import type { LogOutcome } from './follow.ts';
import type { Room } from './room.ts';

/** Bounds of what is on its way to a page. */
export const senderLimits = {
  /** Lines wait for others for at most this time, ms. */
  flush: 100,
  /** Characters in one message, about. */
  batch: 64 * 1024,
  /** With more bytes unsent, nothing further is read until the page has taken some. */
  highWater: 512 * 1024,
  /** Time after which lines of a followed log are dropped while the page takes nothing, ms. */
  patience: 5_000,
} as const;

/** A page's socket, as far as a log needs it. */
export interface LogOutlet {
  readonly unsent: number;
  /** @param sent called once it left the process */
  send(text: string, sent: () => void): void;
}

/** Inputs of a sender. */
export interface LogSenderParts {
  readonly outlet: LogOutlet;
  readonly clock: Clock;
  /** Whether the log goes on: then lines are dropped for a page that takes nothing. */
  readonly isFollowed: boolean;
}

/**
 * Sends lines in batches, no faster than the page takes them. Memory is bounded: one batch that is being collected, and
 * what the socket has not sent. While that is too much, reading waits; a followed log waits only for a while, then drops
 * lines and counts them.
 */
export class LogSender {
  readonly #parts: LogSenderParts;
  #batch: LogLine[] = [];
  /** Characters of the batch, about. */
  #size = 0;
  #dropped = 0;
  #isHeld = false;
  #isDropping = false;
  #cancelFlush: (() => void) | undefined;
  #cancelPatience: (() => void) | undefined;
  #room: Room | undefined;
  /** Messages that wait for `release`, in their order. */
  readonly #queue: LogMessage[] = [];
  #finish: (() => void) | undefined;

  constructor(parts: LogSenderParts) {
    this.#parts = parts;
  }

  /** Takes a line. A promise: read no further before it is settled. */
  line(line: LogLine): Promise<void> | undefined {
    if (this.#isDropping) {
      this.#dropped += 1;
      return undefined;
    }
    this.#batch.push(line);
    this.#size += line[0].length + line[1].length + 8;
    if (this.#batch.length < logBatch && this.#size < senderLimits.batch) {
      this.#cancelFlush ??= this.#parts.clock.after(senderLimits.flush, () => this.#flush());
      return undefined;
    }
    this.#flush();
    return this.#isFull ? this.#untilRoom() : undefined;
  }

  /** Sends something else behind the lines that came before it. */
  tell(message: LogMessage): void {
    this.#flush();
    this.#post(message);
  }

  /** Sends nothing until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    for (const message of this.#queue.splice(0)) this.#post(message);
    this.#flush();
    this.#drained();
    this.#finish?.();
  }

  /** Sends what is left, and why the log ended. @param done called once that was handed over */
  end({ reason, title }: LogOutcome, done: () => void): void {
    this.#finish = () => {
      this.#flush();
      this.#post({ type: 'ended', reason, title });
      done();
    };
    if (!this.#isHeld) this.#finish();
  }

  dispose(): void {
    this.#cancelFlush?.();
    this.#goOn();
  }

  get #isFull(): boolean {
    return this.#isHeld || this.#parts.outlet.unsent > senderLimits.highWater;
  }

  #post(message: LogMessage): void {
    if (this.#isHeld) this.#queue.push(message);
    else this.#parts.outlet.send(JSON.stringify(message), () => this.#drained());
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#isHeld || (this.#batch.length === 0 && this.#dropped === 0)) return;
    const dropped = this.#dropped === 0 ? {} : { dropped: this.#dropped };
    this.#post({ type: 'lines', lines: this.#batch, ...dropped });
    this.#batch = [];
    this.#size = 0;
    this.#dropped = 0;
  }

  #drained(): void {
    if (this.#isFull) return;
    this.#isDropping = false;
    if (this.#dropped > 0) this.#flush();
    this.#goOn();
  }

  /** Lets the log be read further. */
  #goOn(): void {
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Drops lines from now on, as the page takes nothing. */
  #startDropping(): void {
    this.#isDropping = true;
    // The collected lines come before the gap.
    if (this.#batch.length > 0) this.#queue.push({ type: 'lines', lines: this.#batch });
    this.#batch = [];
    this.#size = 0;
    this.#goOn();
  }

  /** Waits until the page has taken what it was sent. */
  #untilRoom(): Promise<void> {
    this.#room ??= Promise.withResolvers<void>();
    if (this.#parts.isFollowed)
      this.#cancelPatience ??= this.#parts.clock.after(senderLimits.patience, () => this.#startDropping());
    return this.#room.promise;
  }
}
