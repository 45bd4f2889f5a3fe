import type { Row } from '../../../contract/live.ts';

type Rows = ReadonlyMap<string, Row>;

/** Rows that changes are made in before anybody is handed them. */
export type OwnRows = Rows & {
  set(uid: string, row: Row): unknown;
  delete(uid: string): boolean;
};

/** Fewer rows than this are copied whole. */
const few = 2_000;
/** Changes are written into a new base once they are this share of it. */
const mostChanged = 0.1;

/** Rows to change without changing those given: copying many of them for each batch would cost more than the batch. */
export function ownRows(rows: Rows): OwnRows {
  if (rows.size < few) return new Map(rows);
  if (!(rows instanceof ChangedRows)) return new ChangedRows(rows, new Map());
  const { base, changes } = rows;
  return changes.size > base.size * mostChanged
    ? new ChangedRows(new Map(rows), new Map())
    : new ChangedRows(base, new Map(changes));
}

/** Rows, and what became of some of them since; undefined is a row that went. */
class ChangedRows implements OwnRows {
  readonly base: Rows;
  readonly changes: Map<string, Row | undefined>;
  size: number;

  constructor(base: Rows, changes: Map<string, Row | undefined>) {
    this.base = base;
    this.changes = changes;
    this.size = base.size;
    for (const [uid, row] of changes) this.size += Number(row !== undefined) - Number(base.has(uid));
  }

  get(uid: string): Row | undefined {
    return this.changes.get(uid) ?? (this.changes.has(uid) ? undefined : this.base.get(uid));
  }

  has(uid: string): boolean {
    return this.get(uid) !== undefined;
  }

  set(uid: string, row: Row): this {
    if (!this.has(uid)) this.size += 1;
    this.changes.set(uid, row);
    return this;
  }

  delete(uid: string): boolean {
    if (!this.has(uid)) return false;
    this.size -= 1;
    this.changes.set(uid, undefined);
    return true;
  }

  *entries(): MapIterator<[string, Row]> {
    for (const [uid, before] of this.base) {
      const row = this.changes.has(uid) ? this.changes.get(uid) : before;
      if (row !== undefined) yield [uid, row];
    }
    for (const [uid, row] of this.changes) if (row !== undefined && !this.base.has(uid)) yield [uid, row];
  }

  *keys(): MapIterator<string> {
    for (const [uid] of this.entries()) yield uid;
  }

  *values(): MapIterator<Row> {
    for (const [, row] of this.entries()) yield row;
  }

  [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries();
  }

  forEach(run: (row: Row, uid: string, rows: Rows) => void): void {
    for (const [uid, row] of this.entries()) run(row, uid, this);
  }
}
