import { useMemo } from 'react';
import type { Row } from '../../contract/live.ts';
import { figureChars, sized } from './columns.ts';
import type { PlacedColumn } from './pipeline.ts';

/** The columns as wide as the figures in their rows; the same ones as long as no figure outgrows them. */
export function useSized(
  columns: readonly PlacedColumn[],
  rows: ReadonlyMap<string, Row>,
): readonly PlacedColumn[] {
  const text = useMemo(() => figureChars(columns, rows.values()).join(' '), [columns, rows]);
  return useMemo(() => sized(columns, text.split(' ').map(Number)), [columns, text]);
}
