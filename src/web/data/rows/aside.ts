import type { CellValue, Row } from '../../../contract/live.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { PlacedColumn } from './placed.ts';
import { withRoom } from './sequence.ts';
import { Changes, type RowStore } from './store.ts';

/** The cell by which rows are set apart: those with this value. */
export interface AsideCell {
  readonly index: number;
  readonly value: CellValue;
}

/** Where in a row that cell is; undefined for a kind that sets nothing apart. */
export function asideCell(
  aside: KindFacts['aside'],
  columns: readonly PlacedColumn[],
): AsideCell | undefined {
  const placed = columns.find(({ column }) => column.id === aside?.column);
  return aside === undefined || placed === undefined
    ? undefined
    : { index: placed.index, value: aside.value };
}

/** Whether a row is set apart. */
export const isAside = (row: Row, cell: AsideCell | undefined): boolean =>
  cell !== undefined && row[1][cell.index] === cell.value;

/** Which rows of a store are set apart: a list leaves them out until they are asked for. */
export class Aside {
  readonly cell: AsideCell;
  readonly #rows: RowStore;
  readonly #changes = new Changes();
  #marks = new Uint8Array(0);
  #count = 0;

  constructor(rows: RowStore, cell: AsideCell) {
    this.#rows = rows;
    this.cell = cell;
  }

  /** By slot: 1 for a row that is set apart. */
  get marks(): Uint8Array {
    return this.#marks;
  }

  /** Number of rows that are set apart. */
  get count(): number {
    return this.#count;
  }

  /** Takes in what changed in the store. */
  catchUp(): void {
    const changed = this.#changes.of(this.#rows);
    const { room } = this.#rows;
    if (changed !== undefined) {
      this.#marks = withRoom(this.#marks, room);
      for (const slot of changed) this.#mark(slot);
      return;
    }
    this.#marks = new Uint8Array(room);
    this.#count = 0;
    for (let slot = 0; slot < room; slot += 1) this.#mark(slot);
  }

  #mark(slot: number): void {
    const row = this.#rows.at(slot);
    const mark = Number(row !== undefined && isAside(row, this.cell));
    this.#count += mark - (this.#marks[slot] ?? 0);
    this.#marks[slot] = mark;
  }
}
