import { boundsOf, gapAfter, type Stop } from './chart.ts';
import type { UsageLine } from './limits.ts';
import { clockText, gapText } from './ticks.ts';

const share = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
const minutes = (seconds: number) =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** A series summarised in one sentence. */
export function summaryOf(
  name: string,
  series: { readonly times: readonly number[]; readonly values: readonly (number | null)[] },
  lines: readonly UsageLine[],
  format: (value: number) => string,
): string {
  const bounds = boundsOf(series.values);
  if (bounds === undefined) return `${name}: nothing measured yet.`;
  const { least, most, newest } = bounds;
  const span = (series.times.at(-1) ?? 0) - (series.times[0] ?? 0);
  const measured = series.times[series.values.findLastIndex((value) => value !== null)] ?? 0;
  const since = (series.times.at(-1) ?? 0) - measured;
  const when = since > gapAfter ? `${minutes(since)} ago, not measured since` : 'now';
  const parts = lines.map(({ label, value }) => `${share(newest, value)} of the ${label} ${format(value)}`);
  const [from, to] = [format(least), format(most)];
  const range =
    span <= 0 ? '' : from === to ? `, steady for ${minutes(span)}` : `, ${from} to ${to} in ${minutes(span)}`;
  return `${name}: ${format(newest)} ${when}${parts.length === 0 ? '' : `, ${parts.join(', ')}`}${range}.`;
}

/** The sample or gap at the reading line in words: `10:12:30: 250m cores, 50% of the limit 500m cores.` */
export function readingText(
  stop: Stop,
  value: number | null | undefined,
  lines: readonly UsageLine[],
  format: (value: number) => string,
): string {
  if (stop.gap !== undefined) {
    const text = gapText(stop.gap);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }
  const time = clockText(stop.at, true);
  if (value === null || value === undefined) return `${time}: not measured.`;
  const parts = lines.map((line) => `${share(value, line.value)} of the ${line.label} ${format(line.value)}`);
  return `${time}: ${[format(value), ...parts].join(', ')}.`;
}
