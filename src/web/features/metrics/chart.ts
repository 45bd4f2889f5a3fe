/** A time in which nothing was sampled, epoch seconds. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The times that a chart shows, epoch seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A series as it is drawn: pieces between gaps, in a square of 1 by 1 with the origin below. */
export interface Drawn {
  readonly pieces: readonly (readonly (readonly [x: number, y: number])[])[];
  /** The value at the top of the chart. */
  readonly top: number;
}

/** Samples further apart than this have a gap between them: the server samples at least once a minute. Seconds. */
export const gapAfter = 90;

/** The lines that a chart has room for: a limit far above what is used would press the series to the ground. */
function nearLines(values: readonly (number | null)[], lines: readonly number[]): readonly number[] {
  const highest = Math.max(0, ...values.filter((value) => value !== null));
  return lines.filter((line) => line <= highest * 4);
}

/** The value that a chart reaches up to. @param lines values that have to be on the chart as well */
export function topOf(values: readonly (number | null)[], lines: readonly number[]): number {
  const known = values.filter((value) => value !== null);
  return Math.max(0, ...known, ...nearLines(values, lines)) * 1.1 || 1;
}

/**
 * Draws values over times; a null, or times too far apart, is a gap.
 * @param times epoch seconds, ascending
 * @param lines values that have to be on the chart as well: requests and limits
 * @param range the times at the left and right edge; those of the series if absent
 * @param gap samples further apart than this have a gap between them, s
 */
export function drawSeries(
  times: readonly number[],
  values: readonly (number | null)[],
  lines: readonly number[],
  range: TimeRange = { from: times[0] ?? 0, to: times.at(-1) ?? 0 },
  gap = gapAfter,
): Drawn {
  const top = topOf(values, lines);
  const span = Math.max(1, range.to - range.from);
  const pieces: (readonly [number, number])[][] = [];
  let last: number | undefined;
  times.forEach((time, index) => {
    const value = values[index];
    if (value === null || value === undefined) {
      last = undefined;
      return;
    }
    const point = [(time - range.from) / span, value / top] as const;
    if (last === undefined || time - last > gap) pieces.push([point]);
    else pieces.at(-1)?.push(point);
    last = time;
  });
  return { pieces, top };
}

/** The part of the chart that the label of a line takes at the right end: its width, and its height above the line. */
const [labelWidth, labelHeight] = [0.3, 0.17];

/** Whether the label of a line, at the right end above it, would cover the newest values. @param y of the line, 0 to 1 */
export function coversNewest(pieces: Drawn['pieces'], y: number): boolean {
  return pieces.some((piece) =>
    piece.some(([x, value]) => x > 1 - labelWidth && value > y - 0.02 && value < y + labelHeight),
  );
}

/** The times of a range in which nothing was sampled, oldest first. @param times epoch seconds, ascending */
export function gapsOf(times: readonly number[], { from, to }: TimeRange, gap = gapAfter): readonly Gap[] {
  const inside = times.filter((time) => time > from && time < to);
  const edges = [from, ...inside, to];
  return edges.slice(1).flatMap((edge, index) => {
    const before = edges[index] ?? edge;
    return edge - before > gap ? [{ from: before, to: edge }] : [];
  });
}

/** A place where the reading line can stand: a sample, or a gap. Epoch seconds. */
export type Stop =
  | { readonly at: number; readonly index: number; readonly gap?: undefined }
  | { readonly at: number; readonly gap: Gap };

/** Where the reading line can stand, oldest first: on the samples of a range and in the middle of its gaps. */
export function stopsOf(times: readonly number[], range: TimeRange, gap = gapAfter): readonly Stop[] {
  const samples = times.flatMap((at, index): Stop[] =>
    at >= range.from && at <= range.to ? [{ at, index }] : [],
  );
  const gaps = gapsOf(times, range, gap).map((one): Stop => ({ at: (one.from + one.to) / 2, gap: one }));
  return [...samples, ...gaps].sort((a, b) => a.at - b.at);
}

/** The index of the stop under a time: the gap that holds it, else the nearest sample; -1 without stops. */
export function stopAt(stops: readonly Stop[], time: number): number {
  const within = stops.findIndex(({ gap }) => gap !== undefined && time > gap.from && time < gap.to);
  if (within !== -1) return within;
  let best = -1;
  stops.forEach(({ at }, index) => {
    const known = stops[best];
    if (known === undefined || Math.abs(at - time) < Math.abs(known.at - time)) best = index;
  });
  return best;
}

/** The lowest, highest and newest of the known values; undefined without any. */
export function boundsOf(
  values: readonly (number | null)[],
): { readonly least: number; readonly most: number; readonly newest: number } | undefined {
  const known = values.filter((value) => value !== null);
  const newest = known.at(-1);
  if (newest === undefined) return undefined;
  return { least: Math.min(...known), most: Math.max(...known), newest };
}
