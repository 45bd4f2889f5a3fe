/** Time and chance as the live side sees them: injected, so that tests own both. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Calls once after `ms`; the returned disposer may be called at any time, also after the call. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
