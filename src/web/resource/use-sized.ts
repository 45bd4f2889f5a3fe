import { useMemo, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import { changeBetween } from '../data/live/lineage.ts';
import { longestChars, sized, tellsUsage } from './columns.ts';
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

/** Remembers whether usage was told, so that a change of a list without it is looked through by what came with it. */
function createTeller() {
  let last: { columns: readonly PlacedColumn[]; rows: Rows; tells: boolean } | undefined;
  return (columns: readonly PlacedColumn[], rows: Rows): boolean => {
    const known = last?.columns === columns && !last.tells ? last : undefined;
    const change = known === undefined ? undefined : changeBetween(known.rows, rows);
    const tells = tellsUsage(columns, (change === undefined ? rows : change.came).values());
    last = { columns, rows, tells };
    return tells;
  };
}

/** Whether rows tell what objects use. */
export function useTellsUsage(columns: readonly PlacedColumn[], rows: Rows): boolean {
  const [tells] = useState(createTeller);
  return useMemo(() => tells(columns, rows), [tells, columns, rows]);
}
