/** A value at a time. */
export interface Point {
  /** Seconds since the soak began. */
  readonly at: number;
  readonly value: number;
}

/** The slope of the straight line that fits best (least squares), per second; 0 for less than two times. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  let [rise, run] = [0, 0];
  for (const point of points) {
    rise += (point.at - at) * (point.value - value);
    run += (point.at - at) ** 2;
  }
  return run === 0 ? 0 : rise / run;
}

/** By which share the line through the points after a warm-up rises from its first to its last, of their mean. */
export function growthOf(points: readonly Point[], warmUp: number): number {
  const warm = points.filter(({ at }) => at >= warmUp);
  const [first, last] = [warm[0], warm.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const mean = warm.reduce((sum, { value }) => sum + value, 0) / warm.length;
  return (slopeOf(warm) * (last.at - first.at)) / mean;
}
