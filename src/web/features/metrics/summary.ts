import { boundsOf, gapAfter, type Stop } from './chart.ts';
import type { UsageLine } from './limits.ts';
import { gapText, stampText } from './ticks.ts';

const share = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
/** A duration in its largest fitting unit: `40 s`, `15 min`, `6 h`, `7 d`. */
function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/**
 * A series summarised in one sentence.
 * @param end where the series ends, and how far apart its points may be; its last time if absent
 */
export function summaryOf(
  name: string,
  series: { readonly times: readonly number[]; readonly values: readonly (number | null)[] },
  lines: readonly UsageLine[],
  format: (value: number) => string,
  { end = series.times.at(-1) ?? 0, gap = gapAfter }: { readonly end?: number; readonly gap?: number } = {},
): string {
  const bounds = boundsOf(series.values);
  if (bounds === undefined) return `${name}: nothing measured yet.`;
  const { least, most, newest } = bounds;
  const span = (series.times.at(-1) ?? 0) - (series.times[0] ?? 0);
  const measured = series.times[series.values.findLastIndex((value) => value !== null)] ?? 0;
  const since = end - measured;
  const when = since > gap ? `${durationText(since)} ago, not measured since` : 'now';
  const parts = lines.map(({ label, value }) => `${share(newest, value)} of the ${label} ${format(value)}`);
  const [from, to] = [format(least), format(most)];
  const range =
    span <= 0
      ? ''
      : from === to
        ? `, steady for ${durationText(span)}`
        : `, ${from} to ${to} in ${durationText(span)}`;
  return `${name}: ${format(newest)} ${when}${parts.length === 0 ? '' : `, ${parts.join(', ')}`}${range}.`;
}

/**
 * The sample or gap at the reading line in words: `10:12:30: 250m cores, 50% of the limit 500m cores.`
 * @param span of the chart, s
 */
export function readingText(
  stop: Stop,
  value: number | null | undefined,
  lines: readonly UsageLine[],
  format: (value: number) => string,
  span = 0,
): string {
  if (stop.gap !== undefined) {
    const text = gapText(stop.gap, span);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }
  const time = stampText(stop.at, span, true);
  if (value === null || value === undefined) return `${time}: not measured.`;
  const parts = lines.map((line) => `${share(value, line.value)} of the ${line.label} ${format(line.value)}`);
  return `${time}: ${[format(value), ...parts].join(', ')}.`;
}
