import { setImmediate as settle } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pod } from '../../commands/kinds/pod.ts';
import type { Row } from '../../src/contract/live.ts';
import { changeBetween } from '../../src/web/data/live/lineage.ts';
import { unknownList } from '../../src/web/data/live/rows.ts';
import { applyMessage, renewed } from '../../src/web/data/live/subscription.ts';
import { rowFilter } from '../../src/web/resource/filter.ts';
import { createFilters } from '../../src/web/resource/known-filters.ts';
import { arrange, placeColumns, rowOrder } from '../../src/web/resource/pipeline.ts';
import { createSorter } from '../../src/web/resource/sorter.ts';
import { toneCounts } from '../../src/web/resource/tones.ts';
import { createToneCounter } from '../../src/web/resource/use-tone-counts.ts';
import { proof } from '../prove.ts';

fc.configureGlobal(proof());

const columns = placeColumns(pod, undefined);
const tones = ['ok', 'warn', 'bad', 'idle', 'info'] as const;
function row(uid: number, tone: number, restarts: number): Row {
  const cells: Readonly<Record<string, unknown>> = {
    name: `web-${uid}`,
    namespace: `ns-${uid % 3}`,
    status: [`S${tone}`, tones[tone % tones.length]],
    restarts: [restarts, null],
  };
  return [`uid-${uid}`, pod.columns.map(({ id }) => (cells[id] ?? null) as Row[1][number])];
}
const anyRow = fc
  .tuple(fc.nat(40), fc.nat(4), fc.nat(3))
  .map(([uid, tone, restarts]) => row(uid, tone, restarts));
const anyChange = fc.record({
  upserts: fc.uniqueArray(anyRow, { selector: (one) => one[0], maxLength: 6 }),
  removes: fc.uniqueArray(
    fc.nat(40).map((uid) => `uid-${uid}`),
    { maxLength: 3 },
  ),
});

/** Lists as they were handed on, one after each change. */
function statesOf(
  first: readonly Row[],
  steps: readonly { upserts: readonly Row[]; removes: readonly string[] }[],
) {
  let subscription = renewed(unknownList('2026-01-01T00:00:00Z'));
  const states = [];
  const messages = [
    { type: 'snapshot', id: 1, seq: 1, reset: true, done: true, rows: first } as const,
    ...steps.map(
      ({ upserts, removes }, at) => ({ type: 'changes', id: 1, seq: at + 2, upserts, removes }) as const,
    ),
  ];
  for (const message of messages) {
    const next = applyMessage(subscription, message);
    if (next === 'gap') throw new Error('a message is missing');
    // Handed on: what comes is no longer made in them.
    const { own: _own, ...rest } = next;
    subscription = rest;
    states.push(subscription.data.rows);
  }
  return states;
}

test('a list put in order by what changed stands as one sorted anew, and its tones are counted alike', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, { selector: (one) => one[0], minLength: 30, maxLength: 41 }),
      fc.array(anyChange, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(undefined, 'name', '-name', '-restarts', 'age', '-status', 'ready'),
      fc.constantFrom('', 'ns-1', '!web-2'),
      fc.integer({ min: 1, max: 3 }),
      (first, steps, sort, text, every) => {
        const order = rowOrder(sort, columns);
        const filter = rowFilter(text, columns);
        const count = createToneCounter();
        const inOrder = createSorter();
        for (const [at, rows] of statesOf(first, steps).entries()) {
          if (at % every !== 0) continue;
          expect(count(pod, rows)).toEqual(toneCounts(pod, rows));
          expect(inOrder(rows, filter, order)).toEqual(arrange(rows.values(), filter, order));
        }
      },
    ),
  );
});

test('few changes among many rows are known one by one', () => {
  const many = Array.from({ length: 200 }, (_, uid) => row(uid, 0, 0));
  const [from, to] = statesOf(many, [{ upserts: [row(7, 2, 1)], removes: ['uid-9'] }]);
  if (from === undefined || to === undefined) throw new Error('There are two states.');
  expect(changeBetween(from, to)).toEqual({ came: [row(7, 2, 1)], gone: [many[9], many[7]] });
});

test('another order, filter or name stands as sorted anew, and rows that did not change are the same', () => {
  const inOrder = createSorter();
  const many = Array.from({ length: 50 }, (_, uid) => row(uid, uid % 4, uid % 3));
  const renamed: Row = ['uid-3', row(48, 1, 0)[1]];
  const states = statesOf(many, [
    { upserts: [renamed], removes: [] },
    { upserts: [row(60, 2, 1), row(61, 0, 0)], removes: ['uid-1', 'uid-3'] },
  ]);
  for (const rows of states)
    for (const sort of [undefined, 'name', '-restarts', 'namespace', '-age', undefined])
      for (const text of ['', 'ns-1', '!web-2']) {
        const [order, filter] = [rowOrder(sort, columns), rowFilter(text, columns)];
        expect(inOrder(rows, filter, order)).toEqual(arrange(rows.values(), filter, order));
        expect(inOrder(rows, filter, order)[0]).toBe(arrange(rows.values(), filter, order)[0]);
      }
});

test('a filter that is typed on gives what it would give at once, in every order and after a change', () => {
  const many = Array.from({ length: 50 }, (_, uid) => row(uid, uid % 4, uid % 3));
  const states = statesOf(many, [{ upserts: [row(12, 2, 1), row(101, 0, 0)], removes: ['uid-1'] }]);
  for (const sort of [undefined, 'name', '-restarts']) {
    const order = rowOrder(sort, columns);
    const [inOrder, filterOf] = [createSorter(), createFilters()];
    for (const rows of states)
      for (const text of ['w', 'we', 'web-1', 'web-10', 'web-10 ns-2', 'web-1', '']) {
        const filter = filterOf(text, columns);
        expect(inOrder(rows, filter, order)).toEqual(arrange(rows.values(), filter, order));
      }
  }
});

test('a filter that was asked for before gives what it would give now, whatever changed since', () => {
  const inOrder = createSorter();
  const many = Array.from({ length: 50 }, (_, uid) => row(uid, uid % 4, uid % 3));
  const states = statesOf(many, [
    // None of these moves among the names.
    { upserts: [row(5, 2, 0), row(6, 2, 0), row(7, 2, 0)], removes: [] },
    { upserts: [row(6, 1, 0)], removes: [] },
    { upserts: [row(60, 2, 1), row(4, 2, 2)], removes: ['uid-1'] },
    { upserts: [row(61, 0, 0)], removes: ['uid-60'] },
  ]);
  const filters = ['', 'ns-1', '!web-2', 'web-1', 'status:s2', 'ns-1'].map((text) =>
    rowFilter(text, columns),
  );
  for (const order of ['name', '-restarts', '-name'].map((sort) => rowOrder(sort, columns)))
    for (const rows of states)
      for (const filter of [...filters, ...filters])
        expect(inOrder(rows, filter, order)).toEqual(arrange(rows.values(), filter, order));
});

test('times of which hardly two are alike are put in order as well', () => {
  const inOrder = createSorter();
  const aged = (uid: number): Row => [
    `uid-${uid}`,
    row(uid, 0, 0)[1].map((cell, at) =>
      columns[at]?.column.id === 'age' ? ((uid * 7_919) % 2_503) * 1_000 : cell,
    ),
  ];
  const many = Array.from({ length: 3_000 }, (_, uid) => aged(uid));
  for (const rows of statesOf(many, []))
    for (const sort of ['age', '-age']) {
      const order = rowOrder(sort, columns);
      expect(inOrder(rows, undefined, order)).toEqual(arrange(rows.values(), undefined, order));
    }
});

test('a name between two neighbours has room however often one comes there', () => {
  const inOrder = createSorter();
  const order = rowOrder('name', columns);
  const named = (uid: string, name: string): Row => [
    uid,
    row(0, 0, 0)[1].map((cell, at) => (columns[at]?.column.id === 'name' ? name : cell)),
  ];
  const first = [named('a', 'a'), named('z', 'z')];
  // Each stands right after the one before, in front of z: halving runs out of numbers after fifty.
  const steps = Array.from({ length: 120 }, (_, at) => ({
    upserts: [named(`n${at}`, `b${at}`)],
    removes: [],
  }));
  for (const rows of statesOf(first, steps))
    expect(inOrder(rows, undefined, order)).toEqual(arrange(rows.values(), undefined, order));
});

test('many rows are not copied for a change, and who was handed them keeps them', () => {
  const many = Array.from({ length: 3_000 }, (_, uid) => row(uid, 0, 0));
  const steps = Array.from({ length: 40 }, (_, at) => ({
    upserts: [...Array.from({ length: 20 }, (__, n) => row(at * 20 + n, 1, at)), row(5_000 + at, 0, 0)],
    removes: [`uid-${2_999 - at}`, `uid-${5_000 + at - 1}`],
  }));
  const plain = new Map(many.map((one) => [one[0], one]));
  for (const [at, rows] of statesOf(many, steps).entries()) {
    for (const uid of steps[at - 1]?.removes ?? []) plain.delete(uid);
    for (const one of steps[at - 1]?.upserts ?? []) plain.set(one[0], one);
    expect(rows.size).toBe(plain.size);
    expect([...rows]).toEqual([...plain]);
    expect(new Set(rows.keys())).toEqual(new Set(plain.keys()));
    expect(rows.has('uid-2999')).toBe(plain.has('uid-2999'));
    expect(rows.get('uid-0')).toEqual(plain.get('uid-0'));
  }
});

test.each([
  ['moves', (at: number) => at % 2],
  ['stays', () => 1],
] as const)('rows as they stood are let go of while one of them changes and %s', async (_, toneAt) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inOrder = createSorter();
  const order = rowOrder(undefined, columns);
  const many = Array.from({ length: 200 }, (_, uid) => row(uid, uid % 4, 0));
  const steps = Array.from({ length: 60 }, (__, at) => ({ upserts: [row(7, toneAt(at), at)], removes: [] }));
  const states = statesOf(many, steps);
  const stood = states.map((rows) => new WeakRef(inOrder(rows, undefined, order)));
  await settle();
  collect();
  // The last one stays; the engine itself may hold some that its compiler has just seen.
  const held = stood.filter((rows) => rows.deref() !== undefined);
  expect(held.length).toBeLessThan(20);
  expect(held.at(-1)?.deref()).toBe(inOrder(states.at(-1) ?? new Map(), undefined, order));
});

test('states of different lists have no change between them', () => {
  const [one] = statesOf([row(1, 0, 0)], []);
  const [other] = statesOf([row(1, 0, 0)], []);
  if (one === undefined || other === undefined) throw new Error('There are two states.');
  expect(changeBetween(one, other)).toBeUndefined();
  expect(changeBetween(one, one)).toEqual({ came: [], gone: [] });
});
