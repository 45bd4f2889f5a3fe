import { boundsOf, gapAfter } from './chart.ts';
import type { UsageLine } from './limits.ts';

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
