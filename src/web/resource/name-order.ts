import type { CellValue, Row } from '../../contract/live.ts';
import { plainText, sortText } from './pipeline.ts';
import type { Ranks } from './ranks.ts';

type Rows = ReadonlyMap<string, Row>;

/** What is remembered of an object: its names do not change with its states. */
interface Entry {
  readonly uid: string;
  readonly name: CellValue;
  readonly namespace: CellValue;
  /** Both as they sort. */
  readonly nameText: string;
  readonly namespaceText: string;
  /** Greater than that of every entry before it. */
  rank: number;
  /** Its place in the list that was sorted last; -1 for one that is not in it. */
  at: number;
}

const compareEntries = (a: Entry, b: Entry): number => {
  if (a.nameText !== b.nameText) return a.nameText < b.nameText ? -1 : 1;
  if (a.namespaceText !== b.namespaceText) return a.namespaceText < b.namespaceText ? -1 : 1;
  return a.uid === b.uid ? 0 : a.uid < b.uid ? -1 : 1;
};

/** The places of a list's objects by name, namespace and uid, as numbers: comparing two of them compares two numbers. */
export interface NameOrder {
  readonly nameAt: number;
  readonly namespaceAt: number;
  /** Places are comparable while this stays the same. */
  readonly version: number;
  /** Takes in what of these is not known yet. */
  learn(rows: Iterable<Row>): void;
  /** Whether two rows of an object call it the same. */
  isSameName(a: Row, b: Row): boolean;
  /** The place of a row that was learnt; undefined for another, or for one that is called otherwise now. */
  rankOf(row: Row): number | undefined;
  /** All of these rows in order, with their places. Learns them. */
  sorted(rows: Rows): ByName;
}

/**
 * Rows by name, and the place of each. What is asked of every row is asked in the order the list holds them, which is that
 * of memory: by name, each row waits for memory of its own, which takes five times as long.
 */
export interface ByName {
  readonly rows: readonly Row[];
  /** The same rows as the list holds them, and where among these each row by name is. */
  readonly held: readonly Row[];
  readonly heldAt: Uint32Array;
  readonly places: Float64Array;
  /** Each row's place among the different names. */
  readonly names: () => Ranks;
}

/** @param nameAt where in a row its name is; `namespaceAt` is -1 where there is none */
export function createNameOrder(nameAt: number, namespaceAt: number): NameOrder {
  let entries: readonly Entry[] = [];
  const byUid = new Map<string, Entry>();
  let version = 0;

  const cellAt = (row: Row, at: number): CellValue => row[1][at] ?? null;
  const isKnown = (entry: Entry | undefined, row: Row): entry is Entry =>
    entry !== undefined && entry.name === cellAt(row, nameAt) && entry.namespace === cellAt(row, namespaceAt);
  const entryOf = (row: Row): Entry => {
    const [name, namespace] = [cellAt(row, nameAt), cellAt(row, namespaceAt)];
    return {
      uid: row[0],
      name,
      namespace,
      nameText: sortText(plainText(name)),
      namespaceText: sortText(plainText(namespace)),
      rank: Number.NaN,
      at: -1,
    };
  };

  /** Gives those without a rank one between their neighbours; all of them anew where there is no room. */
  const rank = (): void => {
    let before = 0;
    for (let at = 0; at < entries.length; ) {
      const entry = entries[at];
      if (entry === undefined) return;
      let end = at;
      while (Number.isNaN(entries[end]?.rank)) end += 1;
      const count = end - at;
      if (count === 0) {
        before = entry.rank;
        at += 1;
        continue;
      }
      const step = ((entries[end]?.rank ?? before + count + 1) - before) / (count + 1);
      let last = before;
      for (; at < end; at += 1) {
        const other = entries[at];
        if (other === undefined) return;
        other.rank = last + step;
        if (!(other.rank > last)) return rankAnew();
        last = other.rank;
      }
      if (entries[end] !== undefined && !((entries[end]?.rank ?? 0) > last)) return rankAnew();
      before = last;
    }
  };
  const rankAnew = (): void => {
    for (const [at, entry] of entries.entries()) entry.rank = at + 1;
    version += 1;
  };

  let last: (ByName & { readonly of: Rows; readonly version: number }) | undefined;

  const order: NameOrder = {
    nameAt,
    namespaceAt,
    get version() {
      return version;
    },
    learn(rows) {
      const added: Entry[] = [];
      let isRenamed = false;
      for (const row of rows) {
        const known = byUid.get(row[0]);
        if (isKnown(known, row)) continue;
        isRenamed ||= known !== undefined;
        const entry = entryOf(row);
        byUid.set(row[0], entry);
        added.push(entry);
      }
      if (added.length === 0) return;
      const kept = isRenamed ? entries.filter((entry) => byUid.get(entry.uid) === entry) : entries;
      entries = inOneOrder(kept, added.sort(compareEntries));
      rank();
    },
    isSameName: (a, b) =>
      cellAt(a, nameAt) === cellAt(b, nameAt) && cellAt(a, namespaceAt) === cellAt(b, namespaceAt),
    rankOf(row) {
      const known = byUid.get(row[0]);
      return isKnown(known, row) ? known.rank : undefined;
    },
    sorted(rows) {
      if (last?.of === rows && last.version === version) return last;
      const held = [...rows.values()];
      order.learn(held);
      // Objects that went are forgotten once they are as many as those that are there.
      if (entries.length > 2 * rows.size)
        entries = entries.filter(({ uid }) => rows.has(uid) || !byUid.delete(uid));
      for (const entry of entries) entry.at = -1;
      for (const [at, row] of held.entries()) {
        const entry = byUid.get(row[0]);
        if (entry !== undefined) entry.at = at;
      }
      const inOrder: Row[] = [];
      const known: Entry[] = [];
      const places = new Float64Array(rows.size);
      const heldAt = new Uint32Array(rows.size);
      for (const entry of entries) {
        const row = entry.at < 0 ? undefined : held[entry.at];
        if (row === undefined) continue;
        places[inOrder.length] = entry.rank;
        heldAt[inOrder.length] = entry.at;
        inOrder.push(row);
        known.push(entry);
      }
      last = { of: rows, rows: inOrder, held, heldAt, places, names: () => ranksOfNames(known), version };
      return last;
    },
  };
  return order;
}

/** The place of each entry, which stand by name, among the different names. */
function ranksOfNames(entries: readonly Entry[]): Ranks {
  const of = new Uint32Array(entries.length);
  let rank = 0;
  for (const [at, { nameText }] of entries.entries()) {
    if (at > 0 && nameText !== entries[at - 1]?.nameText) rank += 1;
    of[at] = rank;
  }
  return { of, count: rank + 1 };
}

/** Two sorted lists as one. */
function inOneOrder(a: readonly Entry[], b: readonly Entry[]): readonly Entry[] {
  if (a.length === 0) return b;
  const entries: Entry[] = [];
  let next = 0;
  for (const other of b) {
    for (let one = a[next]; one !== undefined && compareEntries(one, other) < 0; one = a[next]) {
      entries.push(one);
      next += 1;
    }
    entries.push(other);
  }
  for (; next < a.length; next += 1) {
    const one = a[next];
    if (one !== undefined) entries.push(one);
  }
  return entries;
}
