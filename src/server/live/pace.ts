/** Counts messages against a pace. */
export interface Pace {
  /** Counts one message; true when it comes too early. */
  isTooFast(): boolean;
}

/**
 * @param limits how many may come at once, and how many more each second
 * @param now the time in ms
 */
export function createPace(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  now: () => number,
): Pace {
  let left = burst;
  let countedAt = now();
  return {
    isTooFast() {
      const time = now();
      left = Math.min(burst, left + ((time - countedAt) / 1000) * perSecond) - 1;
      countedAt = time;
      return left < 0;
    },
  };
}
