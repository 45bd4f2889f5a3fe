import { logTimeKey } from './log-line.ts';

/** Where a log goes on: the latest time of its lines, and how many of them have exactly that time. */
export interface LogPosition {
  readonly time: string;
  readonly count: number;
}

/** How far a line may be behind an earlier one, ms: a container's two outputs are written to one log. */
const disorder = 10_000;

/**
 * The position after one more line. A line that is a little out of order does not move it, else the lines between would
 * come again; one that is far behind follows a clock that was set back, and moves it there.
 */
export function positionAfter(position: LogPosition | undefined, time: string): LogPosition {
  if (position === undefined) return { time, count: 1 };
  const [key, last] = [logTimeKey(time), logTimeKey(position.time)];
  if (key === last) return { time: position.time, count: position.count + 1 };
  const isBehind = key < last && Date.parse(position.time) - Date.parse(time) <= disorder;
  return isBehind ? position : { time, count: 1 };
}
