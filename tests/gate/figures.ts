import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageBytes, type PageBytes } from '../bench/built-page.ts';
import { sources } from '../sources.ts';
import { type Failure, root, type RunTimes } from './results.ts';

/** Use of the machine by one part of the gate. */
export interface PartFigures {
  /** Seconds of all its processes. */
  readonly cpu: number;
  /** Seconds from its begin to its end. */
  readonly wall: number;
}

/** Figures of one run of the gate. */
export interface Figures {
  /** The commit that was tested, short. */
  readonly commit: string;
  readonly parts: Readonly<Record<string, PartFigures>>;
  readonly total: PartFigures;
  /** Bytes of the built page as served, in gzip; absent where the page was not built. */
  readonly page?: PageBytes | undefined;
  /** Lines of TypeScript in `src` and `commands`. */
  readonly lines: number;
}

/** Place of the figures that were noted last. */
export const figuresFile = join(import.meta.dirname, 'figures.json');

/** Reads the figures that `npm run figures` noted last. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(figuresFile, 'utf8')) as Figures;
}

/** Lines of the product's own source. */
export function countLines(): number {
  return ['src', 'commands']
    .flatMap(sources)
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
}

/** Bytes of the page that was built last; undefined where there is none. */
export async function readPageBytes(): Promise<PageBytes | undefined> {
  try {
    return await pageBytes();
  } catch {
    return undefined;
  }
}

const change = (now: number, before: number | undefined): string => {
  if (before === undefined) return 'new';
  const difference = Math.round(now) - Math.round(before);
  return difference > 0 ? `+${difference}` : String(difference);
};

const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(24) : String(cell).padStart(12))).join('');

/** The table that the gate prints at its end: this run, and its change against the figures noted before. */
export function figuresTable(now: Figures, before: Figures): string {
  const parts = Object.entries({ ...now.parts, total: now.total }).map(([name, { cpu, wall }]) => {
    const earlier = name === 'total' ? before.total : before.parts[name];
    return row([
      name,
      Math.round(cpu),
      change(cpu, earlier?.cpu),
      (wall / 60).toFixed(1),
      earlier === undefined ? 'new' : (earlier.wall / 60).toFixed(1),
    ]);
  });
  const sizes: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ['bytes of entry', now.page?.entry, before.page?.entry],
    ['bytes of first list', now.page?.firstList, before.page?.firstList],
    ['bytes of everything', now.page?.everything, before.page?.everything],
    ['lines of source', now.lines, before.lines],
  ];
  return [
    `Figures of ${now.commit} against ${before.commit}`,
    row(['', 'CPU s', 'change', 'minutes', 'before']),
    ...parts,
    row(['', 'now', 'change']),
    ...sizes.map(([name, value, earlier]) =>
      value === undefined ? row([name, 'not built']) : row([name, value, change(value, earlier)]),
    ),
  ].join('\n');
}

/** The slowest tests of the runs, the slowest first, one a line. */
export function slowestTests(runs: readonly RunTimes[], count = 10): string {
  return runs
    .flatMap(({ tests }) => tests)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ title, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${title}`)
    .join('\n');
}

/** The failures, each with the begin of its message, at most `count` of them. */
export function failuresText(failures: readonly Failure[], count = 8): string {
  const lines = failures.slice(0, count).map(({ title, message }) => `  ${title}\n    ${message}`);
  const left = failures.length - lines.length;
  return ['Failures', ...lines, ...(left > 0 ? [`  and ${left} more, above`] : [])].join('\n');
}
