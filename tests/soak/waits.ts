import { setTimeout as wait } from 'node:timers/promises';
import type { Ends } from './installation.ts';

/** Every end of something that was started has this long, ms. */
const endLimit = 20_000;

/** A wait was given up because the run is to end. */
export class Interruption extends Error {}

/** Waits that are over: each in its time, with a sentence, and all of them at once when the run is interrupted. */
export class Waits {
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Asks again and again until it is so. Throws `It took longer than … until WHAT.` @param limit ms */
  async until(what: string, isSo: () => boolean | Promise<boolean>, limit = 60_000): Promise<void> {
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted && !(await isSo())) await wait(20);
    })();
    try {
      await this.within(what, asking, limit);
    } finally {
      over.abort();
    }
  }

  /** Gives what a promise gives. Throws as `until` where that takes longer. @param limit ms */
  async within<T>(what: string, outcome: Promise<T>, limit = 60_000): Promise<T> {
    const done = new AbortController();
    const late = wait(limit, undefined, { signal: AbortSignal.any([this.#signal, done.signal]) }).then(
      () => {
        throw new Error(`It took longer than ${limit / 1_000} s until ${what}.`);
      },
      () => {
        throw new Interruption(`Nobody waits any longer until ${what}.`);
      },
    );
    try {
      return await Promise.race([outcome, late]);
    } finally {
      done.abort();
    }
  }
}

/** Waits that an interruption does not end: a measurement that has begun is brought to its end. */
export const steadyWaits = new Waits(new AbortController().signal);

/**
 * Aborted by the first SIGINT or SIGTERM, so that what was started is ended in order; a later one ends this process at
 * once. Ctrl-C comes from the terminal and through npm: two within a second are one.
 */
export function signalOfInterruption(say: (text: string) => void): AbortSignal {
  const interrupted = new AbortController();
  let at = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) {
        if (performance.now() - at > 1_000) process.exit(exitCode);
        return;
      }
      at = performance.now();
      say(`\n${signal}: what was started is ended, which takes some seconds. Once more ends it at once.`);
      interrupted.abort();
    });
  return interrupted.signal;
}

/** The exit code of a run that was interrupted. */
export const exitCode = 130;

/** Ends everything that was started, the newest first; what fails or hangs is said, and keeps nothing else from ending. */
export async function endAll(ends: Ends, say: (text: string) => void): Promise<void> {
  for (const [index, end] of ends.entries().toArray().reverse())
    await steadyWaits
      .within(`part ${index} of what was started has ended`, Promise.resolve().then(end), endLimit)
      .catch((error: unknown) => say(String(error)));
}

/** Ends the process as its run ended; an error is printed, unless the run was interrupted. */
export async function finish(run: () => Promise<boolean>, signal: AbortSignal, hint: string): Promise<never> {
  // What a dependency left open keeps nobody waiting.
  try {
    const isGood = await run();
    process.exit(signal.aborted ? exitCode : isGood ? 0 : 1);
  } catch (error) {
    // A child that got the same Ctrl-C may have failed before the signal is heard here.
    await wait(100);
    if (signal.aborted) process.exit(exitCode);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${text}\n${hint}`);
    process.exit(1);
  }
}
