import type { EventMinute } from '../../../contract/dashboard.ts';
import { eventMinutes } from '../../../contract/event-minutes.ts';

/** Minutes that one bar stands for. */
const minutesPerBar = 5;
const bars = eventMinutes / minutesPerBar;
const [width, height] = [72, 16];
const step = width / bars;

/** Warnings of each five minutes of the last hour, oldest first. */
export function trendOf(minutes: readonly EventMinute[], now: number): readonly number[] {
  const newest = Math.floor(now / 60_000);
  const counts = Array.from({ length: bars }, () => 0);
  for (const [minute, , warnings] of minutes) {
    const bar = bars - 1 - Math.floor((newest - minute) / minutesPerBar);
    const before = counts[bar];
    if (before !== undefined) counts[bar] = before + warnings;
  }
  return counts;
}

/** The trend in words. */
export function trendText(counts: readonly number[]): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No warnings in the last hour';
  const half = counts.length / 2;
  const late = counts.slice(half).reduce((sum, count) => sum + count, 0);
  const words = late * 2 > total * 1.3 ? ', rising' : late * 2 < total * 0.7 ? ', falling' : '';
  return `${total === 1 ? '1 warning' : `${total} warnings`} in the last hour${words}`;
}

interface TrendProps {
  readonly minutes: readonly EventMinute[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** Warnings of the last hour as a small chart, a bar for five minutes. */
export function Trend({ minutes, now }: TrendProps) {
  const counts = trendOf(minutes, now);
  const most = Math.max(1, ...counts);
  const text = trendText(counts);
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={text}
      className="align-middle forced-color-adjust-none"
    >
      <title>{text}</title>
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--color-border)" />
      {counts.map((count, index) => {
        const bar = count === 0 ? 0 : Math.max(2, (count / most) * (height - 2));
        return (
          <rect
            key={index}
            x={index * step + 0.5}
            y={height - 1 - bar}
            width={step - 1}
            height={bar}
            fill="var(--color-chart-2)"
          />
        );
      })}
    </svg>
  );
}
