import type { UsageHistory } from '../../../contract/live.ts';
import type { Budget } from '../../kit/memory-budget.ts';
import type { Usage } from './usage.ts';

/** Bounds of a ring of samples. */
export interface SampleBounds {
  /** Samples kept of a series. */
  readonly length: number;
  /** Objects whose samples are kept; those beyond go without. */
  readonly places: number;
}

/** Samples while a page shows usage: one each 15 s, of a quarter of an hour. */
export const recentBounds: SampleBounds = { length: 60, places: 20_000 };
/** Samples of a cluster that is connected: one a minute, of an hour. */
export const hourBounds: SampleBounds = { length: 60, places: 5_000 };

interface Series {
  readonly cpu: Float32Array;
  readonly memory: Float64Array;
  labels: Usage['labels'];
}

/** Three significant digits: a chart shows no more. */
const short = (value: number) => Number(value.toPrecision(3));

/** What a series takes besides its samples, bytes. */
const seriesFrame = 500;
/** A sample of CPU and one of memory, bytes. */
const sampleBytes = 12;

/** A ring of usage samples: bounded, in memory only. */
export class UsageSamples {
  readonly #bounds: SampleBounds;
  readonly #budget: Budget;
  readonly #seriesBytes: number;
  readonly #series = new Map<string, Series>();
  #times: readonly number[] = [];
  /** Samples ever taken: the next one stands at this number in the ring. */
  #count = 0;

  /** @param budget of the samples of all clusters: an object for which it has no room goes without */
  constructor(bounds: SampleBounds, budget: Budget) {
    this.#bounds = bounds;
    this.#budget = budget;
    this.#seriesBytes = seriesFrame + bounds.length * sampleBytes;
  }

  /** Takes one sample. @param at epoch ms */
  add(at: number, usages: ReadonlyMap<string, Usage>): void {
    const { length, places } = this.#bounds;
    const index = this.#count % length;
    this.#count += 1;
    this.#times = [...this.#times, Math.round(at / 1000)].slice(-length);
    for (const [place, { cpu, memory }] of this.#series) {
      cpu[index] = Number.NaN;
      memory[index] = Number.NaN;
      // Nothing is left of what is long gone.
      if (!usages.has(place) && cpu.every(Number.isNaN)) this.#drop(place);
    }
    for (const [place, usage] of usages) {
      let own = this.#series.get(place);
      if (own === undefined) {
        if (this.#series.size >= places || !this.#hasRoom()) continue;
        this.#budget.held += this.#seriesBytes;
        own = {
          cpu: new Float32Array(length).fill(Number.NaN),
          memory: new Float64Array(length).fill(Number.NaN),
          labels: usage.labels,
        };
        this.#series.set(place, own);
      }
      own.cpu[index] = usage.cpu;
      own.memory[index] = usage.memory;
      own.labels = usage.labels;
    }
  }

  /** Whether there was no room for one of these objects. */
  lacks(places: Iterable<string>): boolean {
    if (this.#series.size < this.#bounds.places && this.#hasRoom()) return false;
    for (const place of places) if (!this.#series.has(place)) return true;
    return false;
  }

  /** The objects that have samples and meet a condition. */
  places(condition: (place: string, labels: Usage['labels']) => boolean): readonly string[] {
    return [...this.#series].flatMap(([place, { labels }]) => (condition(place, labels) ? [place] : []));
  }

  /**
   * The sum of these objects at each time, oldest first; null where none of them was measured then.
   * @param places all that have samples, if absent
   * @param since older samples are left out, epoch seconds
   */
  of(places: Iterable<string> = this.#series.keys(), since = 0): UsageHistory {
    const all = [...new Set(places)].flatMap((place) => this.#series.get(place) ?? []);
    const first = this.#times.findIndex((time) => time >= since);
    const times = first === -1 ? [] : this.#times.slice(first);
    const sum = (name: 'cpu' | 'memory') =>
      times.map((_, position) => {
        const index = (this.#count - times.length + position) % this.#bounds.length;
        let total: number | null = null;
        for (const own of all) {
          const value = own[name][index];
          if (value !== undefined && !Number.isNaN(value)) total = (total ?? 0) + value;
        }
        return total === null ? null : short(total);
      });
    return { times, cpu: sum('cpu'), memory: sum('memory') };
  }

  clear(): void {
    this.#budget.held -= this.#series.size * this.#seriesBytes;
    this.#series.clear();
    this.#times = [];
    this.#count = 0;
  }

  #hasRoom(): boolean {
    return this.#budget.held + this.#seriesBytes <= this.#budget.limit;
  }

  #drop(place: string): void {
    if (this.#series.delete(place)) this.#budget.held -= this.#seriesBytes;
  }
}

/** A sample of the hour this close to a recent one says nothing more, s. */
const closeBy = 45;

/** One history of two: the recent samples, and those of the hour from when there is no recent one. */
export function mergeHistories(hour: UsageHistory, recent: UsageHistory): UsageHistory {
  const taken = [
    ...recent.times.map((at, index) => ({ at, index, of: recent })),
    ...hour.times
      .map((at, index) => ({ at, index, of: hour }))
      .filter(({ at }) => !recent.times.some((time) => Math.abs(time - at) < closeBy)),
  ].sort((a, b) => a.at - b.at);
  return {
    times: taken.map(({ at }) => at),
    cpu: taken.map(({ of, index }) => of.cpu[index] ?? null),
    memory: taken.map(({ of, index }) => of.memory[index] ?? null),
  };
}
