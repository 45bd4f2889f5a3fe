import type { UsageHistory } from '../../../contract/live.ts';
import type { Usage } from './usage.ts';

/** Samples kept: half an hour of them. */
export const historyLength = 120;
/** Objects whose samples are kept; beyond, those seen last go without. */
const mostPlaces = 20_000;

interface Samples {
  readonly cpu: Float32Array;
  readonly memory: Float64Array;
}

/** Usage samples of the times when somebody looked: bounded, in memory only. */
export interface UsageSamples {
  add(at: number, usages: ReadonlyMap<string, Usage>): void;
  /** The sum of these objects at each time, oldest first; null where none of them was measured then. */
  of(places: Iterable<string>): UsageHistory;
  clear(): void;
}

/** Three significant digits: a chart shows no more. */
const short = (value: number) => Number(value.toPrecision(3));

/** A ring of samples. */
export function createUsageSamples(): UsageSamples {
  const samples = new Map<string, Samples>();
  let times: number[] = [];
  /** Samples ever taken: the next one stands at this number in the ring. */
  let count = 0;

  return {
    add(at, usages) {
      const index = count % historyLength;
      count += 1;
      times = [...times, Math.round(at / 1000)].slice(-historyLength);
      for (const [place, { cpu, memory }] of samples) {
        cpu[index] = Number.NaN;
        memory[index] = Number.NaN;
        // Nothing is left of what is long gone.
        if (!usages.has(place) && cpu.every(Number.isNaN)) samples.delete(place);
      }
      for (const [place, usage] of usages) {
        let own = samples.get(place);
        if (own === undefined) {
          if (samples.size >= mostPlaces) continue;
          own = {
            cpu: new Float32Array(historyLength).fill(Number.NaN),
            memory: new Float64Array(historyLength).fill(Number.NaN),
          };
          samples.set(place, own);
        }
        own.cpu[index] = usage.cpu;
        own.memory[index] = usage.memory;
      }
    },
    of(places) {
      const all = [...places].flatMap((place) => samples.get(place) ?? []);
      const sum = (name: keyof Samples) =>
        times.map((_, position) => {
          const index = (count - times.length + position) % historyLength;
          let total: number | null = null;
          for (const own of all) {
            const value = own[name][index];
            if (value !== undefined && !Number.isNaN(value)) total = (total ?? 0) + value;
          }
          return total === null ? null : short(total);
        });
      return { times, cpu: sum('cpu'), memory: sum('memory') };
    },
    clear() {
      samples.clear();
      times = [];
      count = 0;
    },
  };
}
