/** Time and chance as the live side sees them: injected, so that tests own both. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Calls once after `ms`, or after the longest wait of the machine (24 days) if that is less; the returned disposer may be called at any time, also after the call. */
  after(ms: number, run: () => void): () => void;
}

/** A timer that should wait longer fires at once. */
const maxWait = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, maxWait));
    return () => clearTimeout(timer);
  },
};
