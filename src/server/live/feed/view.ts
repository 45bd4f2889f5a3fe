import type { CellValue, Where } from '../../../contract/live.ts';
import type { JoinName } from '../../../registry/kinds/kind-action.ts';
import type { Column, AnyKind } from '../../../registry/kinds/kind.ts';
import { isWithin } from '../../access/place.ts';
import { isExcluded } from '../../access/sight.ts';
import type { Entry } from '../source/projector.ts';
import { type Batch, type Change, changeBodies, type Chunk, snapshotBodies } from './rows.ts';
import { compileWhere, type Condition } from './where.ts';

/** Which rows of a feed a subscription sees. Subscriptions with equal specs share one view. */
export interface ViewSpec {
  readonly namespace?: string | undefined;
  /** The namespaces whose rows the person may view: all without it. */
  readonly within?: ReadonlySet<string> | undefined;
  /** The namespaces that the person leaves out. */
  readonly excluded?: ReadonlySet<string> | undefined;
  readonly where?: Where | undefined;
  /** Joins whose values its rows carry: those that are wanted and that the person may see. */
  readonly joins?: readonly JoinName[] | undefined;
  /** Column id, descending with a leading minus. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
}

/** The rows behind a view. */
export interface RowSource {
  entries(): Iterable<Entry>;
  find(uid: string): Entry | undefined;
  /** A row on the wire, with the values of these joins. */
  text(entry: Entry, joins: readonly JoinName[]): string;
}

/** The rows of one spec, and what of them changed. */
export interface View {
  /** Applies changes. Undefined when nothing that is seen changed. */
  flush(changes: ReadonlyMap<string, Change>): Batch | undefined;
  /** Bodies of a snapshot, shared until the next change. */
  snapshot(): readonly Chunk[];
  /** The row now, if it is seen. */
  current(uid: string): Entry | undefined;
  /** A row on the wire. */
  text(entry: Entry): string;
  /** The rows that are seen, in no order. */
  entries(): Iterable<Entry>;
  /** How many rows exist, where a limit cuts them. */
  total(): number | undefined;
  /** Frees the shared snapshot. */
  trim(): void;
}

/** Key of a spec. */
export function viewKey(spec: ViewSpec): string {
  const { owner, labels, node, about, refers } = spec.where ?? {};
  return JSON.stringify([
    spec.namespace,
    spec.within === undefined ? undefined : [...spec.within].sort(),
    spec.excluded === undefined ? undefined : [...spec.excluded].sort(),
    [owner, labels, node, about, refers],
    [...(spec.joins ?? [])].sort(),
    spec.sort,
    spec.limit,
  ]);
}

/** The column a sort names, or undefined. */
export function sortColumn(kind: AnyKind, sort: string): Column<never> | undefined {
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

function comparator(kind: AnyKind, sort: string | undefined): (a: Entry, b: Entry) => number {
  const byPlace = (a: Entry, b: Entry) =>
    compareCells(a.namespace, b.namespace) || compareCells(a.name, b.name) || compareCells(a.uid, b.uid);
  if (sort === undefined) return byPlace;
  const column = sortColumn(kind, sort);
  const index = kind.columns.findIndex((other) => other.id === column?.id);
  const direction = sort.startsWith('-') ? -1 : 1;
  return (a, b) => direction * compareCells(a.cells[index], b.cells[index]) || byPlace(a, b);
}

/** Whether a spec's rows include an entry. Throws Problem 400 for a selector that cannot be read. */
function condition({ namespace, within, excluded, where }: ViewSpec, kind: AnyKind): Condition {
  const isMet = where === undefined ? undefined : compileWhere(where);
  return (entry) =>
    (namespace === undefined || entry.namespace === namespace) &&
    (within === undefined || isWithin(within, kind, entry)) &&
    (excluded === undefined || !isExcluded(excluded, kind, entry)) &&
    (isMet === undefined || isMet(entry));
}

/** All rows, or those of some namespaces: no change moves an entry in or out. */
function createPlainView(spec: ViewSpec, kind: AnyKind, source: RowSource): View {
  let shared: readonly Chunk[] | undefined;
  const sees = condition(spec, kind);
  const text = (entry: Entry) => source.text(entry, spec.joins ?? []);
  return {
    flush(changes) {
      const upserts: string[] = [];
      const removes: string[] = [];
      const uids: string[] = [];
      for (const [uid, { entry, gone, shown }] of changes) {
        if (!shown || !sees(entry)) continue;
        uids.push(uid);
        if (gone) removes.push(uid);
        else upserts.push(text(entry));
      }
      if (uids.length === 0) return undefined;
      shared = undefined;
      return { bodies: changeBodies(upserts, removes, undefined), uids };
    },
    snapshot() {
      shared ??= snapshotBodies([...source.entries()].filter(sees), undefined, text);
      return shared;
    },
    current(uid) {
      const entry = source.find(uid);
      return entry !== undefined && sees(entry) ? entry : undefined;
    },
    text,
    entries: () => [...source.entries()].filter(sees),
    total: () => undefined,
    trim() {
      shared = undefined;
    },
  };
}

/** The rows that meet conditions: a change of labels, owner or facts moves them in and out. */
function createFilteredView(spec: ViewSpec, kind: AnyKind, source: RowSource): View {
  const sees = condition(spec, kind);
  const text = (entry: Entry) => source.text(entry, spec.joins ?? []);
  /** The rows that a page of this view may have: a snapshot adds to them, only a flush removes some. */
  let members: Set<string> | undefined;
  let shared: readonly Chunk[] | undefined;

  function read(): Entry[] {
    const seen = [...source.entries()].filter(sees);
    members ??= new Set();
    for (const { uid } of seen) members.add(uid);
    return seen;
  }

  return {
    flush(changes) {
      if (members === undefined) return undefined;
      const upserts: string[] = [];
      const removes: string[] = [];
      const uids: string[] = [];
      for (const [uid, { entry, gone, shown }] of changes) {
        const wasIn = members.has(uid);
        const isIn = !gone && sees(entry);
        if (!wasIn && !isIn) continue;
        if (isIn && wasIn && !shown) continue;
        uids.push(uid);
        if (isIn) {
          members.add(uid);
          upserts.push(text(entry));
        } else {
          members.delete(uid);
          removes.push(uid);
        }
      }
      if (uids.length === 0) return undefined;
      shared = undefined;
      return { bodies: changeBodies(upserts, removes, undefined), uids };
    },
    snapshot() {
      shared ??= snapshotBodies(read(), undefined, text);
      return shared;
    },
    current(uid) {
      const entry = source.find(uid);
      return entry !== undefined && sees(entry) ? entry : undefined;
    },
    text,
    entries() {
      if (members === undefined) return read();
      const found = [...members].flatMap((uid) => source.find(uid) ?? []);
      return found.filter(sees);
    },
    total: () => undefined,
    trim() {
      shared = undefined;
    },
  };
}

/** The first rows by an order: what falls out of the window is removed, what moves in is added. */
function createWindowView(spec: ViewSpec, limit: number, kind: AnyKind, source: RowSource): View {
  const compare = comparator(kind, spec.sort);
  const sees = condition(spec, kind);
  const text = (entry: Entry) => source.text(entry, spec.joins ?? []);
  let window: ReadonlyMap<string, Entry> | undefined;
  let total = 0;
  let shared: readonly Chunk[] | undefined;

  function read(): ReadonlyMap<string, Entry> {
    const all = [...source.entries()].filter(sees);
    total = all.length;
    const first = all.sort(compare).slice(0, limit);
    return new Map(first.map((entry) => [entry.uid, entry]));
  }

  return {
    flush(changes) {
      const before = window;
      const totalBefore = total;
      if (before === undefined || changes.size === 0) return undefined;
      const after = read();
      window = after;
      const isNew = (entry: Entry) => {
        const known = before.get(entry.uid);
        if (known === undefined) return true;
        return known === entry ? changes.get(entry.uid)?.shown === true : known.cells !== entry.cells;
      };
      const moved = [...after.values()].filter(isNew);
      const removes = [...before.keys()].filter((uid) => !after.has(uid));
      if (moved.length === 0 && removes.length === 0 && total === totalBefore) return undefined;
      shared = undefined;
      const uids = [...moved.map((entry) => entry.uid), ...removes];
      return { bodies: changeBodies(moved.map(text), removes, total), uids };
    },
    snapshot() {
      window ??= read();
      shared ??= snapshotBodies([...window.values()], total, text);
      return shared;
    },
    current: (uid) => window?.get(uid),
    text,
    entries: () => (window ??= read()).values(),
    total: () => total,
    trim() {
      shared = undefined;
    },
  };
}

/** The view of a spec; its `sort` must name a column of the kind. Throws Problem 400 for a bad label selector. */
export function createView(spec: ViewSpec, kind: AnyKind, source: RowSource): View {
  if (spec.limit !== undefined) return createWindowView(spec, spec.limit, kind, source);
  return spec.where === undefined
    ? createPlainView(spec, kind, source)
    : createFilteredView(spec, kind, source);
}
