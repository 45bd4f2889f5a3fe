import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/contract/live.ts';
import type { RowStore } from '../../../src/web/data/rows/store.ts';
import { HeldOrder } from '../../../src/web/data/rows/held-order.ts';
import { RowView } from '../../../src/web/data/rows/view.ts';
import { ToneCounter } from '../../../src/web/data/rows/tone-counts.ts';
import { toneOf } from '../../../src/web/data/rows/tones.ts';
import { proof } from '../../prove.ts';
import { cellAt, change, columns, naive, podRow, storeOf } from './naive.ts';

fc.configureGlobal(proof());

const sorts = [
  undefined,
  'name',
  '-name',
  'restarts',
  '-restarts',
  'age',
  '-age',
  'status',
  '-status',
  'node',
];
const filters = ['', 'w', 'we', 'web-1', 'web-1 ns-2', 'ns:ns-1', '!web-2', 'status:s2', 'is:unhealthy'];
const anyRow = fc
  .tuple(fc.nat(60), fc.nat(4), fc.nat(3), fc.boolean())
  .map(([uid, tone, restarts, isRenamed]) =>
    podRow(uid, tone, restarts, isRenamed && uid % 10 === 0 ? 'a-name' : `web-${uid}`),
  );
const anyStep = fc.record({
  upserts: fc.uniqueArray(anyRow, { selector: ([uid]) => uid, maxLength: 8 }),
  removes: fc.uniqueArray(
    fc.nat(60).map((uid) => `uid-${uid}`),
    { maxLength: 4 },
  ),
  // Now and then all rows are told anew, and most of them go.
  isWhole: fc.nat(9).map((number) => number === 0),
  sort: fc.constantFrom(...sorts),
  filter: fc.constantFrom(...filters),
  isLookedAt: fc.nat(3).map((number) => number > 0),
});
const aside = { index: cellAt('namespace'), value: 'ns-0' };

describe('a view of rows', () => {
  test('stands, counts and finds as rows that are filtered and sorted anew, whatever changed and was asked before', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyRow, { selector: ([uid]) => uid, maxLength: 60 }),
        fc.array(anyStep, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        (first, steps, isWhole) => {
          const store = storeOf(first);
          const plain = new Map(first.map((row) => [row[0], row]));
          const view = new RowView();
          const tones = new ToneCounter(cellAt('status'));
          for (const { upserts, removes, isWhole: isAll, sort, filter, isLookedAt } of steps) {
            if (isAll) plain.clear();
            else for (const uid of removes) plain.delete(uid);
            for (const row of upserts) plain.set(row[0], row);
            if (isAll) store.apply({ rows: new Map(upserts.map((row) => [row[0], row])), isWhole: true });
            else change(store, upserts, removes);
            if (!isLookedAt) continue;
            const left = [...plain.values()].filter((row) => row[1][aside.index] !== aside.value);
            const wanted = naive(isWhole ? plain.values() : left, sort, filter);
            const arranged = view.arrange(store.rows, { columns, sort, filter, aside, isWhole });
            expect(arranged.all()).toEqual(wanted);
            expect(arranged.aside).toBe(plain.size - left.length);
            expect(arranged.hidden).toBe((isWhole ? plain.size : left.length) - wanted.length);
            expect(arranged.indexOf('uid-7')).toBe(wanted.findIndex(([uid]) => uid === 'uid-7'));
            expect(arranged.range(2, 5)).toEqual(wanted.slice(2, 5));
            const bad = [...plain.values()].filter(([, cells]) => toneOf(cells[cellAt('status')]) === 'bad');
            expect(tones.count(store.rows).bad).toBe(bad.length);
          }
        },
      ),
    );
  });

  test('of many rows of which few move stands as one sorted anew', () => {
    const many = Array.from({ length: 1_500 }, (_, uid) => podRow(uid, uid % 5, uid % 4));
    for (const sort of sorts) {
      const store = storeOf(many);
      const view = new RowView();
      view.arrange(store.rows, { columns, sort });
      for (let at = 0; at < 5; at += 1) {
        const changed = Array.from({ length: 40 }, (_, n) => podRow((at * 31 + n * 57) % 1_500, n % 5, at));
        change(store, [...changed, podRow(4_000 + at)], [`uid-${at * 3}`, `uid-${3_998 + at}`]);
        expect(view.arrange(store.rows, { columns, sort }).all()).toEqual(naive(store.values(), sort, ''));
      }
    }
  });

  test('names that many objects share or that come between two neighbours stand in order', () => {
    const store = storeOf([podRow(1, 0, 0, 'a'), podRow(2, 0, 0, 'z')]);
    const view = new RowView();
    for (let at = 3; at < 200; at += 1) {
      change(store, [podRow(at, 0, 0, at % 2 === 0 ? `b${at}` : 'z')]);
      expect(view.arrange(store.rows, { columns, sort: 'name' }).all()).toEqual(
        naive(store.values(), 'name', ''),
      );
    }
  });

  test('asks a filter that is typed on or taken back for the rows it would give at once', () => {
    const store = storeOf(Array.from({ length: 300 }, (_, uid) => podRow(uid, uid % 5)));
    const view = new RowView();
    for (const filter of ['w', 'we', 'web-1', 'web-10', 'web-10 ns-2', 'web-1', 'we', '', 'web-1'])
      expect(view.arrange(store.rows, { columns, filter }).all()).toEqual(
        naive(store.values(), undefined, filter),
      );
  });

  test('looks at columns anew when another server places them elsewhere', () => {
    const store = storeOf([podRow(1), podRow(2)]);
    const view = new RowView();
    expect(view.arrange(store.rows, { columns, filter: 'web-1' }).size).toBe(1);
    const other = columns.map((placed) =>
      placed.column.id === 'name' ? { ...placed, index: cellAt('namespace') } : placed,
    );
    expect(view.arrange(store.rows, { columns: other, filter: 'web-1' }).size).toBe(0);
  });
});

describe('a held order', () => {
  const arrange = (store: RowStore, view: RowView, order: HeldOrder, basis = 'a') =>
    view.arrange(store.rows, { columns }, { order, basis });
  const uids = (rows: readonly Row[]) => rows.map(([uid]) => uid.slice(4)).join(' ');

  test('keeps rows where they were, lets those go that are gone, puts new ones last and counts what moved', () => {
    const store = storeOf([1, 2, 3, 4].map((uid) => podRow(uid)));
    const [view, order] = [new RowView(), new HeldOrder()];
    expect(arrange(store, view, order).moved).toBe(0);
    change(store, [podRow(4, 2), podRow(0)], ['uid-3']);
    const held = arrange(store, view, order);
    expect([uids(held.all()), held.moved]).toEqual(['1 2 4 0', 2]);
    expect(uids(view.arrange(store.rows, { columns }).all())).toBe('4 0 1 2');
    // Another basis, such as a sort or a filter, stands as it should.
    expect([uids(arrange(store, view, order, 'b').all()), arrange(store, view, order, 'b').moved]).toEqual([
      '4 0 1 2',
      0,
    ]);
  });

  test('of a list that is being read holds what is on screen, and what comes stands in order below it', () => {
    const store = storeOf([5, 8, 9].map((uid) => podRow(uid)));
    const [view, order] = [new RowView(), new HeldOrder()];
    const held = (most?: number) =>
      view.arrange(store.rows, { columns }, { order, basis: 'a', ...(most === undefined ? {} : { most }) });
    held(2);
    change(store, [podRow(1), podRow(7), podRow(3, 2)], []);
    expect(uids(held(2).all())).toBe('5 8 3 1 7 9');
    // Scrolled further: more of it is on screen.
    change(store, [podRow(0), podRow(6)], []);
    expect(uids(held(4).all())).toBe('5 8 3 1 0 6 7 9');
    // All rows are there: they are held as they stand.
    change(store, [podRow(2)], []);
    expect(uids(held().all())).toBe('5 8 3 1 0 6 7 9 2');
  });

  test('begins anew once it was let go', () => {
    const store = storeOf([1, 2].map((uid) => podRow(uid)));
    const [view, order] = [new RowView(), new HeldOrder()];
    arrange(store, view, order);
    order.release();
    change(store, [podRow(2, 2)]);
    expect(uids(arrange(store, view, order).all())).toBe('2 1');
  });

  test('goes on in another list of the same objects, and in one that was closed up', () => {
    const store = storeOf([1, 2, 3].map((uid) => podRow(uid)));
    const order = new HeldOrder();
    arrange(store, new RowView(), order);
    change(store, [podRow(3, 2)]);
    expect(uids(arrange(store, new RowView(), order).all())).toBe('1 2 3');
    const fuller = storeOf([4, 3, 2, 1].map((uid) => podRow(uid, uid === 3 ? 2 : 0)));
    const view = new RowView();
    expect(uids(arrange(fuller, view, order).all())).toBe('1 2 3 4');
    const { epoch } = fuller;
    for (let uid = 10; fuller.epoch === epoch; uid += 1) change(fuller, [podRow(uid)], [`uid-${uid - 1}`]);
    expect(uids(arrange(fuller, view, order).all())).toMatch(/^1 2 3 4 \d+$/);
  });

  test('has every row exactly once, and counts the fewest that would have to move', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30)), fc.array(fc.tuple(fc.nat(30), fc.nat(4))), (first, changes) => {
        const store = storeOf(first.map((uid) => podRow(uid)));
        const [view, order] = [new RowView(), new HeldOrder()];
        for (const [uid, tone] of changes) {
          change(store, tone === 4 ? [] : [podRow(uid, tone)], tone === 4 ? [`uid-${uid}`] : []);
          const held = arrange(store, view, order);
          const sorted = naive(store.values(), undefined, '');
          expect(new Set(held.all())).toEqual(new Set(sorted));
          expect(held.size).toBe(sorted.length);
          expect(held.moved).toBe(sorted.length - longestRise(held.all().map((row) => sorted.indexOf(row))));
        }
      }),
    );
  });
});

/** Length of the longest rising subsequence, by comparing every two. */
function longestRise(values: readonly number[]): number {
  const best: number[] = [];
  for (const [at, value] of values.entries())
    best.push(1 + Math.max(0, ...best.filter((_, before) => before < at && (values[before] ?? 0) < value)));
  return Math.max(0, ...best);
}
