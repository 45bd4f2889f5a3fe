import { useMemo } from 'react';
import type { Row } from '../../contract/live.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import type { PlacedColumn } from './pipeline.ts';

type Rows = ReadonlyMap<string, Row>;

/** Which rows of a list are left out at first: split off by one column's text. */
export function splitAside(
  rows: Rows,
  { column, value }: NonNullable<KindFacts['aside']>,
  columns: readonly PlacedColumn[],
): { readonly rows: Rows; readonly aside: number } {
  const index = columns.find((one) => one.column.id === column)?.index;
  if (index === undefined) return { rows, aside: 0 };
  const kept = new Map([...rows].filter(([, [, cells]]) => cells[index] !== value));
  return kept.size === rows.size ? { rows, aside: 0 } : { rows: kept, aside: rows.size - kept.size };
}

/** The rows of a list as they are wanted, and how many can be left out. */
export function useAside(
  rows: Rows,
  aside: KindFacts['aside'],
  columns: readonly PlacedColumn[],
  isWhole: boolean,
): { readonly rows: Rows; readonly aside: number } {
  const split = useMemo(
    () => (aside === undefined ? { rows, aside: 0 } : splitAside(rows, aside, columns)),
    [rows, aside, columns],
  );
  return isWhole ? { rows, aside: split.aside } : split;
}
