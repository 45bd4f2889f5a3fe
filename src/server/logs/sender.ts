import { logBatch, type LogLine, type LogMessage } from '../../contract/log.ts';
import type { Clock } from '../kit/clock.ts';
import type { LogOutcome } from './follow.ts';

/** Bounds of what is on its way to a page. */
export const senderLimits = {
  /** Lines wait at most so long for others, ms. */
  flush: 100,
  /** Characters in one message, about. */
  batch: 64 * 1024,
  /** More than this unsent: nothing further is read until the page has taken it, bytes. */
  highWater: 512 * 1024,
  /** A page that takes nothing for so long while a log is followed has lines dropped, ms. */
  patience: 5_000,
} as const;

/** A page's socket, as far as a log needs it. */
export interface LogOutlet {
  readonly unsent: number;
  /** @param sent called once it left the process */
  send(text: string, sent: () => void): void;
}

/** Sends lines in batches, no faster than the page takes them. */
export interface LogSender {
  /** Takes a line. A promise: read no further before it is settled. */
  line(line: LogLine): Promise<void> | undefined;
  /** Sends something else behind the lines that came before it. */
  tell(message: LogMessage): void;
  /** Sends nothing until `release`. */
  hold(): void;
  release(): void;
  /** Sends what is left, and why the log ended. @param done called once that was handed over */
  end(outcome: LogOutcome, done: () => void): void;
  dispose(): void;
}

/**
 * Memory is bounded: one batch that is being collected, and what the socket has not sent. While that is too much,
 * reading waits; a followed log waits only for a while, then passes over lines and says how many.
 */
export function createLogSender(outlet: LogOutlet, clock: Clock, isFollowed: boolean): LogSender {
  let batch: LogLine[] = [];
  let size = 0;
  let dropped = 0;
  let isHeld = false;
  let isSkipping = false;
  let cancelFlush: (() => void) | undefined;
  let cancelPatience: (() => void) | undefined;
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  const later: LogMessage[] = [];
  /** What is left to do while nothing may be sent. */
  let ending: (() => void) | undefined;

  const isFull = () => isHeld || outlet.unsent > senderLimits.highWater;

  function post(message: LogMessage): void {
    if (isHeld) later.push(message);
    else outlet.send(JSON.stringify(message), drained);
  }

  function flush(): void {
    cancelFlush?.();
    cancelFlush = undefined;
    if (isHeld || (batch.length === 0 && dropped === 0)) return;
    post({ type: 'lines', lines: batch, ...(dropped === 0 ? {} : { dropped }) });
    batch = [];
    size = 0;
    dropped = 0;
  }

  function goOn(): void {
    cancelPatience?.();
    cancelPatience = undefined;
    waiting?.resolve();
    waiting = undefined;
  }

  function drained(): void {
    if (isFull()) return;
    isSkipping = false;
    if (dropped > 0) flush();
    goOn();
  }

  /** The page takes nothing: what comes now is counted only. */
  function skip(): void {
    isSkipping = true;
    // What was collected stands before the gap.
    if (batch.length > 0) later.push({ type: 'lines', lines: batch });
    batch = [];
    size = 0;
    goOn();
  }

  /** Waits until the page has taken what it was sent. */
  function room(): Promise<void> {
    waiting ??= Promise.withResolvers<void>();
    if (isFollowed) {
      cancelPatience ??= clock.after(senderLimits.patience, skip);
    }
    return waiting.promise;
  }

  return {
    line(line) {
      if (isSkipping) {
        dropped += 1;
        return undefined;
      }
      batch.push(line);
      size += line[0].length + line[1].length + 8;
      if (batch.length < logBatch && size < senderLimits.batch) {
        cancelFlush ??= clock.after(senderLimits.flush, flush);
        return undefined;
      }
      flush();
      return isFull() ? room() : undefined;
    },
    tell(message) {
      flush();
      post(message);
    },
    hold() {
      isHeld = true;
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      for (const message of later.splice(0)) post(message);
      flush();
      drained();
      ending?.();
    },
    end({ reason, title }, done) {
      ending = () => {
        flush();
        post({ type: 'ended', reason, title });
        done();
      };
      if (!isHeld) ending();
    },
    dispose() {
      cancelFlush?.();
      goOn();
    },
  };
}
