import type { CellValue } from '../../../contract/live.ts';
import type { Tone } from '../../../registry/tone.ts';

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

/** The tone of a status cell; undefined for anything else. Called for every row of a list: it allocates nothing. */
export function toneOf(value: CellValue | undefined): Tone | undefined {
  if (!Array.isArray(value)) return undefined;
  const tone = (value as readonly unknown[])[1];
  return tones.has(tone) ? (tone as Tone) : undefined;
}
