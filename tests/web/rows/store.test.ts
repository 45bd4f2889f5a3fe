import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/contract/live.ts';
import { Changes, type RowStore } from '../../../src/web/data/rows/store.ts';
import { change, podRow, storeOf } from './naive.ts';

const row = (uid: string, ...cells: Row[1]): Row => [uid, cells];
const uids = (store: RowStore) => [...store.values()].map(([uid]) => uid);

describe('a store of rows', () => {
  test('keeps rows in the order in which they came', () => {
    const store = storeOf([row('b', 1), row('a', 1)]);
    change(store, [row('c', 1), row('b', 2)], ['a']);
    expect(uids(store)).toEqual(['b', 'c']);
    expect([store.get('b'), store.get('a'), store.slotOf('c'), store.size]).toEqual([
      row('b', 2),
      undefined,
      2,
      2,
    ]);
  });

  test.each<[string, Row[1], Row[1], boolean]>([
    ['the same cells', [1, 'x', ['Running', 'ok']], [1, 'x', ['Running', 'ok']], false],
    ['another text', [1, 'x'], [1, 'y'], true],
    ['another part of a cell', [['Running', 'ok']], [['Running', 'bad']], true],
    ['more cells', [1], [1, 2], true],
    ['a cell of more parts', [['a']], [['a', 'b']], true],
    ['no cell instead of one', [1], [null], true],
  ])('a row told again with %s', (_, before, after, isOther) => {
    const first = row('a', ...before);
    const store = storeOf([first]);
    expect(change(store, [row('a', ...after)])).toBe(isOther);
    expect(store.get('a') === first).toBe(!isOther);
  });

  test('a full set of rows keeps the equal ones and removes the missing ones', () => {
    const kept = row('a', 1);
    const store = storeOf([kept, row('gone', 1)]);
    const whole = new Map([row('a', 1), row('new', 1)].map((one) => [one[0], one]));
    expect(store.apply({ rows: whole, isWhole: true })).toBe(true);
    expect(uids(store)).toEqual(['a', 'new']);
    expect(store.get('a')).toBe(kept);
    expect(store.apply({ rows: whole, isWhole: true })).toBe(false);
  });

  test('the changes since a version contain each row once', () => {
    const store = storeOf([row('a', 1), row('b', 1)]);
    const { version } = store;
    expect(store.changedSince(version)).toEqual([]);
    change(store, [row('b', 2), row('c', 1)]);
    change(store, [row('b', 3)], ['a']);
    expect(new Set(store.changedSince(version))).toEqual(new Set([0, 1, 2]));
    expect(store.changedSince(version)).toHaveLength(3);
  });

  test('a first call, another store, or a version too old returns every row', () => {
    const store = storeOf([row('a', 0)]);
    const changes = new Changes();
    expect(changes.of(store)).toBeUndefined();
    change(store, [row('a', 1)]);
    expect(changes.of(store)).toEqual([0]);
    expect(changes.of(storeOf([]))).toBeUndefined();
    expect(changes.of(store)).toBeUndefined();
    for (let at = 2; at < 3_000; at += 1) change(store, [row('a', at)]);
    expect(changes.of(store)).toBeUndefined();
    expect(changes.of(store)).toEqual([]);
  });

  test('does not grow while objects come and go', () => {
    const store = storeOf([podRow(0)]);
    for (let uid = 1; uid < 10_000; uid += 1) change(store, [podRow(uid)], [`uid-${uid - 1}`]);
    expect(store.size).toBe(1);
    expect(store.room).toBeLessThan(100);
    expect(uids(store)).toEqual(['uid-9999']);
    expect(store.at(store.slotOf('uid-9999'))).toBe(store.get('uid-9999'));
  });

  test('says where each slot is after it was closed up', () => {
    const store = storeOf(Array.from({ length: 100 }, (_, uid) => podRow(uid)));
    const before = store.slotOf('uid-99');
    const { epoch, version } = store;
    change(
      store,
      [],
      Array.from({ length: 90 }, (_, uid) => `uid-${uid}`),
    );
    expect(store.epoch).toBe(epoch + 1);
    expect(store.movedTo[before]).toBe(store.slotOf('uid-99'));
    expect(store.movedTo[0]).toBe(-1);
    expect(store.changedSince(version)).toBeUndefined();
  });
});
