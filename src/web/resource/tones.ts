import type { CellValue, Row } from '../../contract/live.ts';
import type { Tone } from '../../registry/tone.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';

const tones: ReadonlySet<unknown> = new Set<Tone>(['ok', 'info', 'idle', 'warn', 'bad']);

/** A status cell taken apart: `[label, tone]`. Undefined for anything else. */
export function statusOf(
  value: CellValue | undefined,
): { readonly label: string; readonly tone: Tone } | undefined {
  if (!Array.isArray(value)) return undefined;
  const label = (value as readonly unknown[])[0];
  const tone = toneOf(value);
  return typeof label === 'string' && tone !== undefined ? { label, tone } : undefined;
}

/** The tone of a status cell; undefined for anything else. Asked of every row of a list: it makes nothing. */
export function toneOf(value: CellValue | undefined): Tone | undefined {
  if (!Array.isArray(value)) return undefined;
  const tone = (value as readonly unknown[])[1];
  return tones.has(tone) ? (tone as Tone) : undefined;
}

/** Where in a row a kind's status is; -1 for a kind without one. */
export function statusIndex(kind: KindFacts): number {
  return kind.columns.findIndex((column) => column.format === 'status');
}

/** How many rows have each tone. */
export function toneCounts(
  kind: KindFacts,
  rows: ReadonlyMap<string, Row> | readonly Row[],
): Readonly<Record<Tone, number>> {
  const counts: Record<Tone, number> = { ok: 0, info: 0, idle: 0, warn: 0, bad: 0 };
  const at = statusIndex(kind);
  if (at < 0) return counts;
  for (const row of rows.values()) {
    const tone = toneOf(row[1][at]);
    if (tone !== undefined) counts[tone] += 1;
  }
  return counts;
}
