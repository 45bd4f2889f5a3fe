import { pod } from '../../../commands/kinds/pod.ts';
import type { CellValue, Row } from '../../../src/contract/live.ts';
import { rowFilter, wordsOf } from '../../../src/web/data/rows/filter.ts';
import { placeColumns } from '../../../src/web/data/rows/placed.ts';
import { RowStore } from '../../../src/web/data/rows/store.ts';

/** The columns of pods, as the server sends them. */
export const columns = placeColumns(pod, undefined);

/** Where in a row of pods the cell of a column is. */
export const cellAt = (id: string): number => columns.find(({ column }) => column.id === id)?.index ?? -1;

const tones = ['ok', 'warn', 'bad', 'idle', 'info'] as const;

/** The row of a pod by a few numbers. */
export function podRow(uid: number, tone = 0, restarts = 0, name = `web-${uid}`): Row {
  const cells: Readonly<Record<string, CellValue>> = {
    name,
    namespace: `ns-${uid % 3}`,
    status: [`S${tone}`, tones[tone % tones.length] ?? null],
    restarts: [restarts, null],
    node: `node-${(uid * 7 + restarts) % 5}`,
    age: (uid * 7_919) % 2_503,
  };
  return [`uid-${uid}`, pod.columns.map(({ id }) => cells[id] ?? null)];
}

/** A store with these rows, as a first snapshot leaves it. */
export function storeOf(rows: readonly Row[]): RowStore {
  const store = new RowStore();
  store.apply({ rows: new Map(rows.map((row) => [row[0], row])), isWhole: true });
  return store;
}

/** A change by rows that come and uids that go. */
export function change(store: RowStore, upserts: readonly Row[], removes: readonly string[] = []): boolean {
  const rows = new Map<string, Row | null>(removes.map((uid) => [uid, null]));
  for (const row of upserts) rows.set(row[0], row);
  return store.apply({ rows, isWhole: false });
}

const byText = (a: CellValue | undefined, b: CellValue | undefined): number => {
  const [left, right] = [a, b].map((text) =>
    String(Array.isArray(text) ? text[0] : (text ?? ''))
      .toLowerCase()
      .replace(/\d+/g, (digits) => digits.padStart(10, '0')),
  );
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
};
const numberOf = (cell: CellValue | undefined): number => {
  const first: unknown = Array.isArray(cell) ? (cell as readonly unknown[])[0] : cell;
  return typeof first === 'number' ? first : -1;
};
const severity = { bad: 0, warn: 1, info: 3, ok: 3, idle: 4 };
const severityOf = ([, cells]: Row): number => {
  const cell = cells[cellAt('status')];
  const tone: unknown = Array.isArray(cell) ? (cell as readonly unknown[])[1] : undefined;
  return severity[tone as keyof typeof severity] ?? 5;
};

/** By how much one row stands before another by a column, ascending. */
const byColumn: Readonly<Record<string, (a: Row, b: Row) => number>> = {
  name: (a, b) => byText(a[1][cellAt('name')], b[1][cellAt('name')]),
  node: (a, b) => byText(a[1][cellAt('node')], b[1][cellAt('node')]),
  namespace: (a, b) => byText(a[1][cellAt('namespace')], b[1][cellAt('namespace')]),
  status: (a, b) => severityOf(a) - severityOf(b) || byText(a[1][cellAt('status')], b[1][cellAt('status')]),
  restarts: (a, b) => numberOf(a[1][cellAt('restarts')]) - numberOf(b[1][cellAt('restarts')]),
  // Older is more.
  age: (a, b) => numberOf(b[1][cellAt('age')]) - numberOf(a[1][cellAt('age')]),
};

/** The rows of pods as they should stand, sorted and filtered anew by comparing every row. */
export function naive(rows: Iterable<Row>, sort: string | undefined, filter: string): readonly Row[] {
  const test = rowFilter(filter, columns);
  const by = byColumn[sort?.replace('-', '') ?? ''];
  const sign = sort?.startsWith('-') === true ? -1 : 1;
  return [...rows]
    .filter((row) => test === undefined || test.passes(row, wordsOf(row, columns), 0))
    .sort(
      (a, b) =>
        (by === undefined ? severityOf(a) - severityOf(b) : sign * by(a, b)) ||
        byText(a[1][cellAt('name')], b[1][cellAt('name')]) ||
        byText(a[1][cellAt('namespace')], b[1][cellAt('namespace')]) ||
        (a[0] < b[0] ? -1 : 1),
    );
}
