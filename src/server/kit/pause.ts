import type { Clock } from './clock.ts';

/** Waits (ms). Throws the signal's reason when it is aborted before or meanwhile. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal.reason instanceof Error ? signal.reason : new Error('It was stopped.'));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
