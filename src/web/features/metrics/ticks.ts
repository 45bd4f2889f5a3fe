import type { TimeRange } from './chart.ts';

/** Round steps of a decimal scale within one power of ten. */
const decimalSteps = [1, 2, 5, 10] as const;
/** Round steps of a scale of bytes within one unit. */
const binarySteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1024] as const;

/** The smallest round step of which at most `most` fit below `top`. */
function stepFor(top: number, most: number, base: number, steps: readonly number[]): number {
  const raw = top / most;
  const unit = base ** Math.floor(Math.log(raw) / Math.log(base));
  return (steps.find((step) => step * unit >= raw) ?? base) * unit;
}

/**
 * Round values of a vertical axis from 0 up, at most `most` above it.
 * @param top the value at the top of the chart, above 0
 * @param scale `bytes` has steps that are round in Ki, Mi, Gi
 */
export function valueTicks(top: number, scale: 'cores' | 'bytes', most = 3): readonly number[] {
  const step =
    scale === 'bytes' ? stepFor(top, most, 1024, binarySteps) : stepFor(top, most, 10, decimalSteps);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

const hour = 3_600;
const day = 24 * hour;
/** Steps of a time axis, s. */
const timeSteps = [60, 300, 900, hour, 3 * hour, 6 * hour, day] as const;

/** Round times of a horizontal axis, epoch seconds, at most `most`. */
export function timeTicks({ from, to }: TimeRange, most = 5): readonly number[] {
  const step = timeSteps.find((one) => (to - from) / one <= most) ?? 2 * day;
  // Up to a quarter of an hour they are round in every time zone; longer ones are round on the reader's clock.
  const zone = step > 900 ? new Date(to * 1000).getTimezoneOffset() * 60 : 0;
  const first = Math.ceil((from - zone) / step) * step + zone;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

const pad = (value: number) => String(value).padStart(2, '0');

/** A time on the clock of the reader: `10:12`. @param seconds with them */
export function clockText(epoch: number, seconds = false): string {
  const date = new Date(epoch * 1000);
  const minutes = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  return seconds ? `${minutes}:${pad(date.getSeconds())}` : minutes;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/**
 * A time as a chart of this length writes it: with the day where the clock alone would be of several days.
 * @param span of the chart, s
 * @param isExact with seconds, where points are that close
 */
export function stampText(epoch: number, span: number, isExact = false): string {
  if (span < day) return clockText(epoch, isExact && span <= hour);
  return `${weekdays[new Date(epoch * 1000).getDay()] ?? ''} ${clockText(epoch)}`;
}

/** The label of a tick: at midnight of a long chart the day alone. */
export function tickText(epoch: number, span: number): string {
  if (span <= day) return clockText(epoch);
  const date = new Date(epoch * 1000);
  return `${weekdays[date.getDay()] ?? ''} ${date.getDate()}`;
}

/** A gap in words: `not sampled 10:12–10:17`. @param span of the chart, s */
export function gapText({ from, to }: TimeRange, span = 0): string {
  return `not sampled ${stampText(from, span)}–${stampText(to, span)}`;
}
