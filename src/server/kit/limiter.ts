import { besideTurn } from './turns.ts';

/** Lets a fixed number of tasks run at a time; the others wait. */
export interface Limiter {
  /**
   * Runs the task when its turn comes. Throws the signal's reason when it is aborted while waiting.
   * @param who each of them gets a turn before anybody gets a second one; the tasks of one run in order
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal, who?: number | string): Promise<T>;
}

/** @param size how many run at a time */
export function createLimiter(size: number): Limiter {
  let running = 0;
  /** Waiting calls, by owner. The owners at the front of the map have the next turn. */
  const waiting = new Map<number | string | undefined, (() => void)[]>();

  const turn = (signal: AbortSignal | undefined, who: number | string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      const leave = () => {
        const own = (waiting.get(who) ?? []).filter((one) => one !== begin);
        if (own.length === 0) waiting.delete(who);
        else waiting.set(who, own);
        reject(abortReason(signal));
      };
      if (signal?.aborted === true) reject(abortReason(signal));
      else if (running < size) begin();
      else {
        const own = waiting.get(who);
        if (own === undefined) waiting.set(who, [begin]);
        else own.push(begin);
        signal?.addEventListener('abort', leave, { once: true });
      }
    });

  function next(): void {
    const [front] = waiting;
    if (front === undefined) return;
    const [who, own] = front;
    const begin = own.shift();
    // To the back of the map, for the turn after the others'.
    waiting.delete(who);
    if (own.length > 0) waiting.set(who, own);
    begin?.();
  }

  return {
    async run(task, signal, who) {
      if (running < size) await turn(signal, who);
      else await besideTurn(() => turn(signal, who));
      try {
        return await task();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}

/** The error for an aborted signal: its reason when that is an Error, else an AbortError. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The operation was aborted.', 'AbortError');
}
