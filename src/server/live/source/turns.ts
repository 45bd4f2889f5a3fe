import type { Clock } from '../../kit/clock.ts';

/** Entries that time alone will change, each at a time of its own: one timer for all of them. */
export interface Turns {
  /** When an entry changes, epoch seconds; undefined: not any more. */
  set(uid: string, at: number | undefined): void;
  dispose(): void;
}

/**
 * A timer wheel of whole seconds. What it costs depends on the entries that will change, not on those that are held.
 * @param run called with the entries whose second has come
 */
export function createTurns(clock: Clock, run: (uids: readonly string[]) => void): Turns {
  const seconds = new Map<string, number>();
  const buckets = new Map<number, Set<string>>();
  let armedFor = Number.POSITIVE_INFINITY;
  let cancel: (() => void) | undefined;

  function arm(second: number): void {
    if (second >= armedFor) return;
    cancel?.();
    armedFor = second;
    cancel = clock.after(Math.max(0, second * 1000 - clock.now()), fire);
  }

  function fire(): void {
    cancel = undefined;
    armedFor = Number.POSITIVE_INFINITY;
    const now = clock.now() / 1000;
    const due: string[] = [];
    for (const [second, uids] of buckets) {
      if (second > now) continue;
      buckets.delete(second);
      for (const uid of uids) {
        seconds.delete(uid);
        due.push(uid);
      }
    }
    if (due.length > 0) run(due);
    let next = Number.POSITIVE_INFINITY;
    for (const second of buckets.keys()) next = Math.min(next, second);
    if (next < Number.POSITIVE_INFINITY) arm(next);
  }

  return {
    set(uid, at) {
      const before = seconds.get(uid);
      const second = at === undefined || !Number.isFinite(at) ? undefined : Math.ceil(at);
      if (second === before) return;
      if (before !== undefined) {
        const bucket = buckets.get(before);
        bucket?.delete(uid);
        if (bucket?.size === 0) buckets.delete(before);
      }
      if (second === undefined) {
        seconds.delete(uid);
        return;
      }
      seconds.set(uid, second);
      const bucket = buckets.get(second) ?? new Set();
      buckets.set(second, bucket.add(uid));
      arm(second);
    },
    dispose() {
      cancel?.();
      seconds.clear();
      buckets.clear();
    },
  };
}
