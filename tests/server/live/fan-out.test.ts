import { pino } from 'pino';
import { expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import { flushInterval } from '../../../src/contract/live.ts';
import { FanOut, type SharedBatch, type Sink } from '../../../src/server/live/feed/fan-out.ts';
import type { Entry } from '../../../src/server/live/source/projector.ts';
import { createFakeClock } from './fake-clock.ts';

const entry: Entry = {
  uid: 'uid-1',
  name: 'web-1',
  namespace: 'shop',
  version: '1',
  labels: {},
  owners: [],
  refs: [],
  facts: {},
  attention: undefined,
  cells: pod.columns.map(() => null),
};

/** A fan-out with this many who hear of one view, and what they heard. */
function opened(count: number, take?: () => void) {
  const clock = createFakeClock();
  const held = new Map([[entry.uid, entry]]);
  const fanOut = new FanOut({
    kind: pod,
    source: { entries: () => held.values(), find: (uid) => held.get(uid) },
    joins: () => {
      throw new Error('No join was asked for.');
    },
    ...(take === undefined ? {} : { take }),
    clock,
    log: pino({ level: 'silent' }),
  });
  const heard: SharedBatch[] = [];
  const sink = (): Sink => ({ ready: () => {}, state: () => {}, changes: (batch) => heard.push(batch) });
  const seats = Array.from({ length: count }, () => fanOut.join({}, sink()));
  return { clock, fanOut, heard, seats, change: () => fanOut.change(entry.uid, entry, undefined) };
}

test('a change is written once for all who see the same rows', async () => {
  const { clock, heard, change } = opened(3);
  change();
  await clock.advance(100);
  expect(heard).toHaveLength(3);
  const [first, ...others] = heard.map(({ bodies }) => bodies[0]);
  expect(others).toEqual([first, first]);
  expect(others.every((body) => body === first)).toBe(true);
  if (first === undefined || typeof first === 'string') throw new Error('The change is not shared.');
  expect(JSON.parse(`{${String(first.plain)}`)).toMatchObject({
    upserts: [[entry.uid, entry.cells]],
    removes: [],
  });
});

test('the first change after a quiet while is sent within 5 ms, together with what comes by then', async () => {
  const { clock, heard, change } = opened(1);
  for (let round = 1; round <= 3; round += 1) {
    change();
    await clock.advance(4);
    change();
    expect(heard).toHaveLength(round - 1);
    await clock.advance(1);
    expect(heard).toHaveLength(round);
    await clock.advance(flushInterval);
  }
});

test('more than a hundred pages hear of changes every 200 ms, fewer every 100', async () => {
  const { clock, fanOut, heard, seats, change } = opened(101);
  change();
  await clock.advance(5);
  expect(heard).toHaveLength(101);
  change();
  await clock.advance(199);
  expect(heard).toHaveLength(101);
  await clock.advance(1);
  expect(heard).toHaveLength(202);

  // Leaving twice counts once.
  seats[0]?.leave();
  seats[0]?.leave();
  change();
  await clock.advance(100);
  expect(heard).toHaveLength(302);
  fanOut.dispose();
});

test('lines that wait are read with the flush and sent with it, in one batch', async () => {
  const { clock, fanOut, heard, change } = opened(1, () => change());
  fanOut.expect();
  await clock.advance(flushInterval);
  expect(heard.map(({ uids }) => uids)).toEqual([[entry.uid]]);
  expect(clock.pending).toBe(0);
});

test('a thousand changes a second or more are sent every 250 ms, until they are fewer', async () => {
  const { clock, fanOut, heard } = opened(1);
  const change = (rows: number) => {
    for (let row = 0; row < rows; row += 1) {
      const one = { ...entry, uid: `uid-${row}` };
      fanOut.change(one.uid, one, undefined);
    }
  };
  change(1);
  await clock.advance(5);
  // Rows, ms until they are told: each flush decides for the next.
  for (const [rows, wait] of [
    [99, 100],
    [100, 100],
    [250, 250],
    [249, 250],
    [99, 100],
    [1, 100],
  ] as const) {
    change(rows);
    const before = heard.length;
    await clock.advance(wait - 1);
    expect(heard).toHaveLength(before);
    await clock.advance(1);
    expect(heard.at(-1)?.uids).toHaveLength(rows);
  }
});

test('a change that waits is sent before a state that speaks of it, and once', async () => {
  const { clock, fanOut, heard, change } = opened(1);
  change();
  fanOut.settle();
  expect(heard.map(({ uids }) => uids)).toEqual([[entry.uid]]);
  fanOut.settle();
  await clock.advance(flushInterval);
  expect([heard.length, clock.pending]).toEqual([1, 0]);
});
