import { describe, expect, test } from 'vitest';
import { customKind } from '../../commands/kinds/custom.ts';
import { pod } from '../../commands/kinds/pod.ts';
import type { Row } from '../../src/contract/live.ts';
import { fittingColumns } from '../../src/web/features/list/columns.ts';
import { rowFilter, wordsOf } from '../../src/web/data/rows/filter.ts';
import { nextSort } from '../../src/web/features/list/ListHead.tsx';
import { namePartsOf } from '../../src/web/kit/names.ts';
import { placeColumns } from '../../src/web/data/rows/placed.ts';
import { windowSort } from '../../src/web/data/rows/sort-key.ts';
import { RowStore } from '../../src/web/data/rows/store.ts';
import { ToneCounter } from '../../src/web/data/rows/tone-counts.ts';
import { RowView } from '../../src/web/data/rows/view.ts';

const columns = placeColumns(pod, undefined);
interface Cells {
  readonly namespace?: string;
  readonly ready?: string;
  readonly status?: readonly [string, string];
  readonly restarts?: readonly [number, number | null];
  readonly node?: string;
  readonly age?: number;
}
/** A row with cells by column id, whatever columns pods have. */
function row(name: string, cells: Cells = {}): Row {
  const all: Readonly<Record<string, unknown>> = {
    namespace: 'shop',
    ready: '1/1',
    status: ['Running', 'ok'],
    restarts: [0, null],
    node: 'worker-a1',
    age: 1_000,
    name,
    ...cells,
  };
  return [`uid-${name}`, pod.columns.map((column) => (all[column.id] ?? null) as Row[1][number])];
}
const names = (rows: readonly Row[]) => rows.map((one) => one[0].slice(4));
const rowsOf = (rows: readonly Row[]) => {
  const store = new RowStore();
  store.apply({ rows: new Map(rows.map((one) => [one[0], one])), isWhole: true });
  return store.rows;
};
const sorted = (sort: string | undefined, ...rows: readonly Row[]) =>
  names(new RowView().arrange(rowsOf(rows), { columns, sort }).all());
const found = (text: string, ...rows: readonly Row[]) => {
  const filter = rowFilter(text, columns);
  return names(rows.filter((one) => filter === undefined || filter.passes(one, wordsOf(one, columns), 0)));
};

describe('the order of a list', () => {
  test('is worst first, then by name with numbers by value; what starts stands among what is well', () => {
    expect(
      sorted(
        undefined,
        row('web-10'),
        row('done', { status: ['Completed', 'idle'] }),
        row('web-2'),
        row('crash', { status: ['CrashLoopBackOff', 'bad'] }),
        row('pending', { status: ['Pending', 'warn'] }),
        row('web-3', { status: ['Not ready', 'info'] }),
      ),
    ).toEqual(['crash', 'pending', 'web-2', 'web-3', 'web-10', 'done']);
  });

  test('by a column, up and down; equal rows stand by name', () => {
    const rows = [
      row('b', { restarts: [3, null], age: 100, ready: '1/2' }),
      row('a', { restarts: [3, null], age: 300, ready: '2/2' }),
      row('c', { restarts: [20, 5], age: 200, ready: '0/9' }),
    ];
    expect(sorted('restarts', ...rows)).toEqual(['a', 'b', 'c']);
    expect(sorted('-restarts', ...rows)).toEqual(['c', 'a', 'b']);
    expect(sorted('age', ...rows)).toEqual(['a', 'c', 'b']);
    expect(sorted('ready', ...rows)).toEqual(['c', 'b', 'a']);
    expect(sorted('nonsense', ...rows)).toEqual(['a', 'b', 'c']);
  });

  test('a list cut off by its server stands as it was cut: the latest first', () => {
    const cut = { ...pod, window: { sort: '-age', limit: 2 } };
    expect(windowSort(pod)).toBeUndefined();
    expect(windowSort(cut)).toBe('age');
    expect(windowSort({ ...pod, window: { sort: '-restarts', limit: 2 } })).toBe('-restarts');
    expect(sorted(windowSort(cut), row('old', { age: 100 }), row('new', { age: 900 }))).toEqual([
      'new',
      'old',
    ]);
  });

  test('a heading leads up, down and back to worst first', () => {
    expect(nextSort('age', undefined)).toBe('age');
    expect(nextSort('age', 'age')).toBe('-age');
    expect(nextSort('age', '-age')).toBeUndefined();
    expect(nextSort('age', '-name')).toBe('age');
  });

  test('cells keep their headings when the server sends another order of columns', () => {
    const placed = placeColumns(pod, ['age', 'name', 'namespace']);
    expect(placed.map(({ column, index }) => [column.id, index])).toEqual([
      ['namespace', 2],
      ['name', 1],
      ['age', 0],
    ]);
  });
});

describe('the filter', () => {
  const rows = [
    row('checkout-api', { node: 'worker-b1' }),
    row('cart', { namespace: 'checkout', status: ['CrashLoopBackOff', 'bad'] }),
    row('worker-b1-shell', { node: 'worker-a2' }),
  ];
  test('blank text hides nothing', () => expect(rowFilter('  ', columns)).toBeUndefined());
  test('words must all occur, upper and lower case alike', () => {
    expect(found('CHECKOUT', ...rows)).toEqual(['checkout-api', 'cart']);
    expect(found('checkout crash', ...rows)).toEqual(['cart']);
  });
  test('column:text looks at one column, * stands for anything', () => {
    expect(found('node:worker-b', ...rows)).toEqual(['checkout-api']);
    expect(found('node:worker-*2', ...rows)).toEqual(['worker-b1-shell']);
    expect(found('status:crash', ...rows)).toEqual(['cart']);
    expect(found('node:*(', ...rows)).toEqual([]);
  });
  test('a column without a value yet hides nothing', () => {
    expect(found('node:', ...rows)).toHaveLength(rows.length);
  });
  test('a word with a colon that names no column is just a word', () => {
    expect(found('foo:bar', ...rows)).toEqual([]);
  });
});

test('tones are counted', () => {
  const statusAt = columns.find(({ column }) => column.format === 'status')?.index ?? -1;
  const rows = rowsOf([row('a'), row('b', { status: ['Error', 'bad'] }), row('c')]);
  expect(new ToneCounter(statusAt).count(rows)).toMatchObject({ ok: 2, bad: 1 });
  expect(new ToneCounter(-1).count(rows)).toMatchObject({ ok: 0, bad: 0 });
});

test('narrow tiles drop columns by priority, wide ones show only when asked for', () => {
  const ids = (width: number, wide = false) =>
    fittingColumns(columns, width, { isWide: wide, columns: {} }).map(({ column }) => column.id);
  expect(ids(0)).not.toContain('ip');
  expect(ids(2_000, true)).toContain('ip');
  expect(ids(460)).toEqual(['name', 'ready', 'status', 'age']);
  expect(ids(100)).toEqual(['name', 'status']);
});

test('columns of a definition go one by one, the last of them first', () => {
  const names = ['datadir', 'mons', 'started', 'phase', 'message', 'health', 'external', 'fsid'];
  const kind = customKind({
    spec: {
      group: 'cols.example.org',
      scope: 'Namespaced',
      names: { kind: 'C8', plural: 'c8s' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: names.map((name) => ({
            name,
            type: 'string',
            jsonPath: `.spec.${name}`,
          })),
        },
      ],
    },
  });
  if (kind === undefined) throw new Error('The definition was not taken.');
  const placed = placeColumns(kind, undefined);
  const ids = (width: number) =>
    fittingColumns(placed, width)
      .map(({ column }) => column.id)
      .filter((id) => names.includes(id));
  expect(ids(0)).toEqual(names);
  expect(ids(1_266)).toEqual(names);
  let before = names.length;
  for (let width = 1_265; width > 300; width -= 1) {
    const shown = ids(width);
    expect(shown).toEqual(names.slice(0, shown.length));
    expect([before, before - 1]).toContain(shown.length);
    before = shown.length;
  }
  expect(before).toBe(0);
  expect(ids(1_200)).toHaveLength(7);
});

test.each([
  ['checkout-api-7d9f8b6c5d-4kx2j', ['checkout-api', '-7d9f8b6c5d-', '4kx2j']],
  ['ledger-export-29384410-7wq2k', ['ledger-export', '-29384410-', '7wq2k']],
  ['otel-collector-8m2xv', ['otel-collector', '-', '8m2xv']],
  ['loki-0', ['loki', '', '-0']],
  ['payments', ['payments', '', '']],
])('the name %s is cut in its middle', (name, parts) => {
  const { stem, middle, end } = namePartsOf(name);
  expect([stem, middle, end]).toEqual(parts);
  expect(stem + middle + end).toBe(name);
});
