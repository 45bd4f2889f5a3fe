import { Problem } from '../../contract/problem.ts';

/** Refused for now: `retryAfter` seconds are also sent as Retry-After. */
export class TooManyTries extends Problem {
  readonly retryAfter: number;

  constructor(title: string, retryAfter: number) {
    super({ status: 429, title, retryable: true });
    this.name = 'TooManyTries';
    this.retryAfter = retryAfter;
  }
}

/** One try under way; it counts as failed until it is said to have succeeded. */
export interface Try {
  succeeded(): void;
}

/** Slows down password guessing: per account and address, per address, and per account. */
export interface Throttle {
  /** Counts a try. Throws TooManyTries while one of the three has to wait. */
  begin(account: string, address: string): Try;
}

interface Counter {
  failures: number;
  /** No further try before this time (ms). */
  blockedUntil: number;
  lastAt: number;
}

/**
 * `free` failures cost nothing; after them the wait doubles from one second up to `longest` (s). The account's own wait
 * is short and does not touch addresses from which it has signed in before: strangers cannot lock anybody out.
 */
const rules = {
  pair: { free: 5, longest: 900 },
  address: { free: 20, longest: 900 },
  account: { free: 50, longest: 30 },
} as const;
const forgetAfter = 3_600_000;
const entriesAtMost = 20_000;

/** A throttle in the memory of this process; `now` in ms. */
export function createThrottle(now: () => number): Throttle {
  const counters = new Map<string, Counter>();
  const trusted = new Map<string, true>();

  const counter = (key: string): Counter => {
    const time = now();
    let found = counters.get(key);
    if (found === undefined || time - found.lastAt > forgetAfter) {
      found = { failures: 0, blockedUntil: 0, lastAt: time };
    }
    // Reinserting keeps the map in the order of use, so that the oldest are dropped first.
    counters.delete(key);
    counters.set(key, found);
    drop(counters);
    return found;
  };

  return {
    begin(account, address) {
      const time = now();
      const pairKey = JSON.stringify([account, address]);
      const counted: [Counter, (typeof rules)[keyof typeof rules]][] = [
        [counter(`pair ${pairKey}`), rules.pair],
        [counter(`address ${address}`), rules.address],
      ];
      if (!trusted.has(pairKey)) counted.push([counter(`account ${account}`), rules.account]);

      const until = Math.max(...counted.map(([entry]) => entry.blockedUntil));
      if (until > time) {
        const seconds = Math.ceil((until - time) / 1000);
        throw new TooManyTries(
          `Too many failed tries. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
          seconds,
        );
      }
      for (const [entry, rule] of counted) {
        entry.failures += 1;
        entry.lastAt = time;
        const over = entry.failures - rule.free;
        if (over >= 0) entry.blockedUntil = time + 1000 * Math.min(2 ** Math.min(over, 20), rule.longest);
      }
      return {
        succeeded() {
          const [pair, ...others] = counted;
          if (pair !== undefined) Object.assign(pair[0], { failures: 0, blockedUntil: 0 });
          // Only the own try is taken back: an account of one's own must not clear the address for guessing others.
          for (const [entry, rule] of others) {
            entry.failures = Math.max(0, entry.failures - 1);
            if (entry.failures < rule.free) entry.blockedUntil = 0;
          }
          trusted.delete(pairKey);
          trusted.set(pairKey, true);
          drop(trusted);
        },
      };
    },
  };
}

function drop(map: Map<string, unknown>): void {
  if (map.size <= entriesAtMost) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
