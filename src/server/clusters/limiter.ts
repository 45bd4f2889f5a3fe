/** Lets a fixed number of tasks run at a time; the others wait in order. */
export interface Limiter {
  /** Runs the task when its turn comes. Throws the signal's reason when it is aborted while waiting. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** @param size how many run at a time */
export function createLimiter(size: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(abortReason(signal));
      };
      if (signal?.aborted === true) reject(abortReason(signal));
      else if (running < size) begin();
      else {
        waiting.push(begin);
        signal?.addEventListener('abort', leave, { once: true });
      }
    });

  return {
    async run(task, signal) {
      await turn(signal);
      try {
        return await task();
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };
}

/** What to throw for an aborted signal: its reason when that is an Error, else an AbortError. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The operation was aborted.', 'AbortError');
}
