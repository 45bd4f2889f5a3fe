import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pod } from '../../commands/kinds/pod.ts';
import type { Row } from '../../src/contract/live.ts';
import { changeBetween } from '../../src/web/data/live/lineage.ts';
import { unknownList } from '../../src/web/data/live/rows.ts';
import { applyMessage, renewed } from '../../src/web/data/live/subscription.ts';
import { rowFilter } from '../../src/web/resource/filter.ts';
import { arrange, placeColumns, rearrange, rowOrder } from '../../src/web/resource/pipeline.ts';
import { toneCounts } from '../../src/web/resource/tones.ts';
import { createToneCounter } from '../../src/web/resource/use-tone-counts.ts';

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
    subscription = next;
    states.push(subscription.data.rows);
  }
  return states;
}

test('a list put in order by what changed stands as one sorted anew, and its tones are counted alike', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, { selector: (one) => one[0], minLength: 30, maxLength: 41 }),
      fc.array(anyChange, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(undefined, 'name', '-restarts', 'status'),
      fc.constantFrom('', 'ns-1', '!web-2'),
      fc.integer({ min: 1, max: 3 }),
      (first, steps, sort, text, every) => {
        const order = rowOrder(sort, columns);
        const filter = rowFilter(text, columns);
        const count = createToneCounter();
        let before: { rows: ReadonlyMap<string, Row>; sorted: readonly Row[] } | undefined;
        for (const [at, rows] of statesOf(first, steps).entries()) {
          if (at % every !== 0) continue;
          const anew = arrange(rows.values(), filter, order);
          expect(count(pod, rows)).toEqual(toneCounts(pod, rows));
          if (before !== undefined) {
            const change = changeBetween(before.rows, rows);
            if (change === undefined) throw new Error('What changed is not known.');
            const moved = rearrange(before.sorted, change, filter, order);
            if (moved !== undefined) expect(moved).toEqual(anew);
          }
          before = { rows, sorted: anew };
        }
      },
    ),
  );
});

test('few changes among many rows need no new sort', () => {
  const order = rowOrder(undefined, columns);
  const many = Array.from({ length: 200 }, (_, uid) => row(uid, 0, 0));
  const [from, to] = statesOf(many, [{ upserts: [row(7, 2, 1)], removes: ['uid-9'] }]);
  if (from === undefined || to === undefined) throw new Error('There are two states.');
  const change = changeBetween(from, to);
  expect(change).toEqual({ came: [row(7, 2, 1)], gone: [many[9], many[7]] });
  const moved = change && rearrange(arrange(from.values(), undefined, order), change, undefined, order);
  expect(moved?.[0]).toEqual(row(7, 2, 1));
  expect(moved).toEqual(arrange(to.values(), undefined, order));
});

test('states of different lists have no change between them', () => {
  const [one] = statesOf([row(1, 0, 0)], []);
  const [other] = statesOf([row(1, 0, 0)], []);
  if (one === undefined || other === undefined) throw new Error('There are two states.');
  expect(changeBetween(one, other)).toBeUndefined();
  expect(changeBetween(one, one)).toEqual({ came: [], gone: [] });
});
