import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds that each test file took in the run that `npm run figures` noted, by its path from the root. */
export type Timings = Readonly<Record<string, number>>;

/** Place of the timings. */
export const timingsFile = join(import.meta.dirname, 'timings.json');

/** Reads the timings that were noted last. */
export function readTimings(): Timings {
  return JSON.parse(readFileSync(timingsFile, 'utf8')) as Timings;
}

/** Sorts files so that the longest begins first. A new file may be long: it begins before all others. */
export function longestFirst<T>(files: readonly T[], pathOf: (file: T) => string, timings: Timings): T[] {
  const time = (file: T): number => timings[pathOf(file)] ?? Number.POSITIVE_INFINITY;
  return files.toSorted((one, other) => {
    const [first, second] = [time(one), time(other)];
    return first === second ? 0 : second - first;
  });
}

/** Files whose times are a second or more, rounded: shorter ones need no order. */
export function timingsOf(milliseconds: Readonly<Record<string, number>>): Timings {
  return Object.fromEntries(
    Object.entries(milliseconds)
      .map(([file, ms]): [string, number] => [file, Math.round(ms / 1000)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
