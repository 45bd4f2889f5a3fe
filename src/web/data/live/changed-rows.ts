import type { Row } from '../../../contract/live.ts';

type Rows = ReadonlyMap<string, Row>;

/** Rows that changes are made in before anybody is handed them. */
export type OwnRows = Rows & {
  set(uid: string, row: Row): unknown;
  delete(uid: string): boolean;
};

/** Puts a row in the place of one that is known to be there. */
export function replaceRow(rows: OwnRows, row: Row): void {
  if (rows instanceof ChangedRows) rows.latest.set(row[0], row);
  else rows.set(row[0], row);
}

/** Fewer rows than this are copied whole. */
const few = 2_000;
/** Changes are written into a new base once they are this share of it. */
const mostChanged = 0.2;
/** The latest changes are put to those before them once they are so many: they are copied for each batch. */
const mostLatest = 1_000;

/** What became of some rows; null is a row that went. */
type Changes = ReadonlyMap<string, Row | null>;

/** Rows to change without changing those given: copying many of them for each batch would cost more than the batch. */
export function ownRows(rows: Rows): OwnRows {
  if (rows.size < few) return new Map(rows);
  if (!(rows instanceof ChangedRows)) return new ChangedRows(rows, new Map(), new Map(), rows.size);
  const { base, earlier, latest, size } = rows;
  if (latest.size <= mostLatest) return new ChangedRows(base, earlier, new Map(latest), size);
  const all = joined(earlier, latest);
  return all.size > base.size * mostChanged
    ? new ChangedRows(written(base, all), new Map(), new Map(), size)
    : new ChangedRows(base, all, new Map(), size);
}

// A `Map` of a `Map` is copied ten times as fast as what goes over its entries.

function joined(earlier: Changes, latest: Changes): Changes {
  const all = new Map(earlier);
  for (const [uid, row] of latest) all.set(uid, row);
  return all;
}

function written(base: Rows, changes: Changes): Rows {
  const rows = new Map(base);
  for (const [uid, row] of changes) {
    if (row === null) rows.delete(uid);
    else rows.set(uid, row);
  }
  return rows;
}

/** Rows, and what became of some of them since. */
class ChangedRows implements OwnRows {
  readonly base: Rows;
  readonly earlier: Changes;
  readonly latest: Map<string, Row | null>;
  size: number;

  constructor(base: Rows, earlier: Changes, latest: Map<string, Row | null>, size: number) {
    this.base = base;
    this.earlier = earlier;
    this.latest = latest;
    this.size = size;
  }

  get(uid: string): Row | undefined {
    let row = this.latest.get(uid);
    if (row === undefined) row = this.earlier.get(uid);
    return row === undefined ? this.base.get(uid) : (row ?? undefined);
  }

  has(uid: string): boolean {
    return this.get(uid) !== undefined;
  }

  set(uid: string, row: Row): this {
    if (!this.has(uid)) this.size += 1;
    this.latest.set(uid, row);
    return this;
  }

  delete(uid: string): boolean {
    if (!this.has(uid)) return false;
    this.size -= 1;
    this.latest.set(uid, null);
    return true;
  }

  *entries(): MapIterator<[string, Row]> {
    const { base } = this;
    const changes = joined(this.earlier, this.latest);
    for (const [uid, before] of base) {
      const row = changes.get(uid);
      if (row !== null) yield [uid, row ?? before];
    }
    for (const [uid, row] of changes) if (row !== null && !base.has(uid)) yield [uid, row];
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
