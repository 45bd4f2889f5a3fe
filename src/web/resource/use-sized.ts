import { useMemo, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import { changeBetween } from '../data/live/lineage.ts';
import { longestChars, sized } from './columns.ts';
import type { PlacedColumn } from './pipeline.ts';

type Rows = ReadonlyMap<string, Row>;

/** Remembers the longest figures and texts, so that a change is measured by the rows that came with it. */
function createMeasurer() {
  let last: { columns: readonly PlacedColumn[]; rows: Rows; chars: readonly number[] } | undefined;
  return (columns: readonly PlacedColumn[], rows: Rows): string => {
    const known = last?.columns === columns ? last : undefined;
    const change = known === undefined ? undefined : changeBetween(known.rows, rows);
    const found = longestChars(columns, change === undefined ? rows.values() : change.came.values());
    const chars =
      change === undefined ? found : found.map((count, at) => Math.max(count, known?.chars[at] ?? 0));
    last = { columns, rows, chars };
    return chars.join(' ');
  };
}

/**
 * The columns by the figures and texts in their rows; the same ones as long as none outgrows them. No column becomes
 * narrower while its list changes.
 */
export function useSized(columns: readonly PlacedColumn[], rows: Rows): readonly PlacedColumn[] {
  const [measure] = useState(createMeasurer);
  const text = useMemo(() => measure(columns, rows), [measure, columns, rows]);
  return useMemo(() => sized(columns, text.split(' ').map(Number)), [columns, text]);
}
