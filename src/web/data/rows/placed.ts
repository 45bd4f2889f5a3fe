import type { ColumnFacts, KindFacts } from '../../../registry/kinds/kind-facts.ts';

/** A column and where its cell is in a row. */
export interface PlacedColumn {
  readonly column: ColumnFacts;
  readonly index: number;
  /** Characters of its longest figure, where that says how wide it is. */
  readonly chars?: number;
  /** Usage as a bar and a figure, without its past. */
  readonly isBrief?: boolean;
}

/**
 * A kind's columns with their places. `order` are the column ids as the server sends them: a page older or newer than
 * the server still puts every cell under its own heading.
 */
export function placeColumns(kind: KindFacts, order: readonly string[] | undefined): readonly PlacedColumn[] {
  return kind.columns.flatMap((column, index): readonly PlacedColumn[] => {
    const at = order === undefined ? index : order.indexOf(column.id);
    return at < 0 ? [] : [{ column, index: at }];
  });
}
