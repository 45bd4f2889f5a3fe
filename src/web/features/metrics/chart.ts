/** A series as it is drawn: pieces between gaps, in a square of 1 by 1 with the origin below. */
export interface Drawn {
  readonly pieces: readonly (readonly (readonly [x: number, y: number])[])[];
  /** The value at the top of the chart. */
  readonly top: number;
}

/** Samples further apart than this have a gap between them: the server samples only while somebody looks. Seconds. */
export const gapAfter = 45;

/**
 * Draws values over times; a null, or times too far apart, is a gap.
 * @param times epoch seconds, ascending
 * @param lines values that have to be on the chart as well: requests and limits
 */
export function drawSeries(
  times: readonly number[],
  values: readonly (number | null)[],
  lines: readonly number[],
): Drawn {
  const known = values.filter((value) => value !== null);
  const highest = Math.max(0, ...known);
  // A limit far above what is used would press the line to the ground: it is named, and stands outside.
  const near = lines.filter((line) => line <= highest * 4);
  const top = Math.max(highest, ...near) * 1.1 || 1;
  const start = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - start);
  const pieces: (readonly [number, number])[][] = [];
  let last: number | undefined;
  times.forEach((time, index) => {
    const value = values[index];
    if (value === null || value === undefined) {
      last = undefined;
      return;
    }
    const point = [(time - start) / span, value / top] as const;
    if (last === undefined || time - last > gapAfter) pieces.push([point]);
    else pieces.at(-1)?.push(point);
    last = time;
  });
  return { pieces, top };
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
