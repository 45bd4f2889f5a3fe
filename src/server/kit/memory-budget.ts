import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { type Clock, systemClock } from './clock.ts';
import { collectAll } from './memory-return.ts';

/** Memory that one part of the server holds, and its limit. */
export interface Budget {
  /** Bytes. */
  readonly limit: number;
  held: number;
}

/**
 * The share of V8's limit that may be in use for each part to take on more. Names are refused first, as whoever looks for
 * an object also finds it in its list; answers last, as they are given back at once. What is left is for everything else
 * and for what V8 has yet to collect: near its limit it ends the process.
 */
export const budgetShares = { names: 0.6, usage: 0.65, lists: 0.7, answers: 0.8 } as const;
export type BudgetPart = keyof typeof budgetShares;

const parts = Object.keys(budgetShares) as BudgetPart[];

/** A full collection that is made to find out whether there is room takes some 0.3 s: at most one in this time, ms. */
const lookEvery = 30_000;

/** Where the figures of the process come from; from V8 without it. */
export interface MemorySource {
  /** Most that V8 holds before it ends the process, bytes. */
  readonly limit: number;
  /** Memory in use, with garbage that is yet to be collected, bytes. */
  used(): number;
  /** Collects everything that can be. */
  collect(): void;
  /** Called after each full collection, until the answer is called. */
  onCollected(listener: () => void): () => void;
}

/** The size of a half of V8's young generation where no flag says it, and its halves with what they grow to, MB. */
const [usualHalf, halves] = [64, 3];

/**
 * Most that V8 holds of what lives for long, bytes: its limit without the young generation, which does not take what is
 * too much for the old one.
 */
function oldLimit(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')].join(' ');
  const half = Number(/--max-semi-space-size=(?<half>\d+)/.exec(flags)?.groups?.['half'] ?? usualHalf);
  return Math.max(limit / 2, limit - halves * half * 1024 * 1024);
}

const v8Source: MemorySource = {
  limit: oldLimit(),
  used() {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external;
  },
  collect: collectAll,
  onCollected(listener) {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajor)) listener();
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

/**
 * The memory of this process, which lists, names, samples of usage and the answers of clusters share. In use is what V8
 * found alive at its last full collection, and what the parts took on since, by their own reckoning.
 */
export class MemoryBudget {
  /** Most that V8 holds before it ends the process, bytes. */
  readonly limit: number;
  readonly #source: MemorySource;
  readonly #clock: Clock;
  readonly #held: Record<BudgetPart, number> = { names: 0, usage: 0, lists: 0, answers: 0 };
  readonly #unfollow: () => void;
  #alive: number;
  /** Bytes that the parts held when that was found. */
  #heldThen = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock = systemClock, source: MemorySource = v8Source) {
    this.#clock = clock;
    this.#source = source;
    this.limit = source.limit;
    this.#alive = source.used();
    this.#unfollow = source.onCollected(() => this.#note());
  }

  /** About how much is in use, bytes. */
  get used(): number {
    return this.#alive + Math.max(0, this.#sum() - this.#heldThen);
  }

  /** The budget of a part: its limit is what it holds and what is left for it. */
  part(name: BudgetPart): Budget {
    const held = this.#held;
    const limit = () => held[name] + this.#roomFor(name);
    return {
      get limit() {
        return limit();
      },
      get held() {
        return held[name];
      },
      set held(bytes) {
        held[name] = bytes;
      },
    };
  }

  /** Stops following the collections. */
  close(): void {
    this.#unfollow();
  }

  #roomFor(name: BudgetPart): number {
    const most = this.limit * budgetShares[name];
    // What the parts reckon is rather too much, and what was given back counts until it is collected.
    if (most - this.used < most / 20) this.#look();
    return Math.max(0, most - this.used);
  }

  #look(): void {
    const now = this.#clock.now();
    if (now - this.#lookedAt < lookEvery) return;
    this.#lookedAt = now;
    this.#source.collect();
    this.#note();
  }

  #note(): void {
    this.#alive = this.#source.used();
    this.#heldThen = this.#sum();
  }

  #sum(): number {
    return parts.reduce((sum, part) => sum + this.#held[part], 0);
  }
}

function isMajor(entry: PerformanceEntry): boolean {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'kind' in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  );
}
