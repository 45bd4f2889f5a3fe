import type { CellValue } from '../../contract/live.ts';
import type { Column, Kind } from '../../registry/kind.ts';
import type { Entry } from './projector.ts';
import { type Batch, type Change, changeBodies, snapshotBodies } from './rows.ts';

/** Which rows of a feed a subscription sees. Subscriptions with equal specs share one view. */
export interface ViewSpec {
  readonly namespace?: string | undefined;
  /** Column id, descending with a leading minus. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
}

/** The rows behind a view. */
export interface RowSource {
  entries(): Iterable<Entry>;
  find(uid: string): Entry | undefined;
}

/** The rows of one spec, and what of them changed. */
export interface View {
  /** Applies changes. Undefined when nothing that is seen changed. @param text the row on the wire. */
  flush(changes: ReadonlyMap<string, Change>, text: (entry: Entry) => string): Batch | undefined;
  /** Bodies of a snapshot, shared until the next change. */
  snapshot(): readonly string[];
  /** The row now, if it is seen. */
  current(uid: string): Entry | undefined;
  /** How many rows exist, where a limit cuts them. */
  total(): number | undefined;
  /** Frees the shared snapshot. */
  trim(): void;
}

/** Key of a spec. */
export function viewKey(spec: ViewSpec): string {
  return JSON.stringify([spec.namespace ?? null, spec.sort ?? null, spec.limit ?? null]);
}

/** The column a sort names, or undefined. */
export function sortColumn(kind: Kind, sort: string): Column<never> | undefined {
  const id = sort.startsWith('-') ? sort.slice(1) : sort;
  return kind.columns.find((column) => column.id === id);
}

/** Compares plain cell values: numbers by value, texts by code unit, lists by their first item, nothing last. */
export function compareCells(a: CellValue | undefined, b: CellValue | undefined): number {
  const left = Array.isArray(a) ? (a as readonly CellValue[])[0] : a;
  const right = Array.isArray(b) ? (b as readonly CellValue[])[0] : b;
  if (left === right) return 0;
  if (left === null || left === undefined) return 1;
  if (right === null || right === undefined) return -1;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [x, y] = [String(left), String(right)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function comparator(kind: Kind, sort: string | undefined): (a: Entry, b: Entry) => number {
  const byPlace = (a: Entry, b: Entry) =>
    compareCells(a.namespace, b.namespace) || compareCells(a.name, b.name) || compareCells(a.uid, b.uid);
  if (sort === undefined) return byPlace;
  const column = sortColumn(kind, sort);
  const index = kind.columns.findIndex((other) => other.id === column?.id);
  const direction = sort.startsWith('-') ? -1 : 1;
  return (a, b) => direction * compareCells(a.cells[index], b.cells[index]) || byPlace(a, b);
}

/** All rows, or those of one namespace. */
function createPlainView(spec: ViewSpec, source: RowSource): View {
  let shared: readonly string[] | undefined;
  const sees = (entry: Entry) => spec.namespace === undefined || entry.namespace === spec.namespace;
  return {
    flush(changes, text) {
      const upserts: string[] = [];
      const removes: string[] = [];
      const uids: string[] = [];
      for (const [uid, { entry, gone }] of changes) {
        if (!sees(entry)) continue;
        uids.push(uid);
        if (gone) removes.push(uid);
        else upserts.push(text(entry));
      }
      if (uids.length === 0) return undefined;
      shared = undefined;
      return { bodies: changeBodies(upserts, removes, undefined), uids };
    },
    snapshot() {
      shared ??= snapshotBodies([...source.entries()].filter(sees), undefined);
      return shared;
    },
    current(uid) {
      const entry = source.find(uid);
      return entry !== undefined && sees(entry) ? entry : undefined;
    },
    total: () => undefined,
    trim() {
      shared = undefined;
    },
  };
}

/** The first rows by an order: what falls out of the window is removed, what moves in is added. */
function createWindowView(spec: ViewSpec, limit: number, kind: Kind, source: RowSource): View {
  const compare = comparator(kind, spec.sort);
  let window: ReadonlyMap<string, Entry> | undefined;
  let total = 0;
  let shared: readonly string[] | undefined;

  function read(): ReadonlyMap<string, Entry> {
    const all = [...source.entries()].filter(
      (entry) => spec.namespace === undefined || entry.namespace === spec.namespace,
    );
    total = all.length;
    const first = all.sort(compare).slice(0, limit);
    return new Map(first.map((entry) => [entry.uid, entry]));
  }

  return {
    flush(changes, text) {
      const before = window;
      const totalBefore = total;
      if (before === undefined || changes.size === 0) return undefined;
      const after = read();
      window = after;
      const moved = [...after.values()].filter((entry) => before.get(entry.uid) !== entry);
      const removes = [...before.keys()].filter((uid) => !after.has(uid));
      if (moved.length === 0 && removes.length === 0 && total === totalBefore) return undefined;
      shared = undefined;
      const uids = [...moved.map((entry) => entry.uid), ...removes];
      return { bodies: changeBodies(moved.map(text), removes, total), uids };
    },
    snapshot() {
      window ??= read();
      shared ??= snapshotBodies([...window.values()], total);
      return shared;
    },
    current: (uid) => window?.get(uid),
    total: () => total,
    trim() {
      shared = undefined;
    },
  };
}

/** The view of a spec; its `sort` must name a column of the kind. */
export function createView(spec: ViewSpec, kind: Kind, source: RowSource): View {
  return spec.limit === undefined
    ? createPlainView(spec, source)
    : createWindowView(spec, spec.limit, kind, source);
}
