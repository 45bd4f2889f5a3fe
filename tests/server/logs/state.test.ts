import { expect, test } from 'vitest';
import type { LogMessage } from '../../../src/contract/log.ts';
import { mergeLimits } from '../../../src/server/logs/merge.ts';
import { ReadingState } from '../../../src/server/logs/state.ts';
import { createFakeClock } from '../live/fake-clock.ts';

function reading() {
  const told: LogMessage[] = [];
  const clock = createFakeClock();
  return { told, clock, state: new ReadingState((message) => told.push(message), clock) };
}
const live = { type: 'state', status: 'live' };

test('a log that has lines is live with the first of them', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.set(0, 'live');
  expect(told).toEqual([]);
  state.wrote();
  expect(told).toEqual([live]);
  state.wrote();
  await clock.advance(mergeLimits.opening);
  expect(told).toEqual([live]);
  expect(clock.pending).toBe(0);
});

test('an empty log is live once every container was opened and said nothing for a moment', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.add(1);
  state.set(0, 'live');
  await clock.advance(mergeLimits.quiet);
  expect(told).toEqual([]);
  state.set(1, 'live');
  await clock.advance(mergeLimits.quiet - 1);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([live]);
});

test('a log that waited for its container is live with its first line, or once it said nothing for a moment', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.set(0, 'waiting', 'web is being created.');
  state.set(0, 'live');
  expect(told.slice(1)).toEqual([]);
  await clock.advance(mergeLimits.quiet);
  expect(told.slice(1)).toEqual([live]);
});

test('containers that open one after the other put nothing off without end', async () => {
  const { told, clock, state } = reading();
  for (let source = 0; source < 10; source += 1) state.add(source);
  for (let source = 0; source < 10; source += 1) {
    state.set(source, 'live', undefined);
    await clock.advance(mergeLimits.opening / 5);
  }
  expect(told[0]).toMatchObject({ status: 'live' });
});

test('a container that takes long to open is not waited for', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.add(1);
  state.set(0, 'live');
  await clock.advance(mergeLimits.opening);
  expect(told).toEqual([live]);
});

test('the reason why a log cannot be read is sent at once, and so is its recovery', () => {
  const { told, state } = reading();
  state.add(0);
  state.set(0, 'reconnecting', 'prod is unreachable.');
  expect(told).toEqual([{ type: 'state', status: 'reconnecting', message: 'prod is unreachable.' }]);
  state.set(0, 'live');
  expect(told.slice(1)).toEqual([live]);
});

test('a wait replaces a state `live` that was not sent yet', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.set(0, 'live');
  state.set(0, 'waiting', 'It has not started yet.');
  await clock.advance(mergeLimits.opening);
  expect(told).toEqual([{ type: 'state', status: 'waiting', message: 'It has not started yet.' }]);
});

test('no state is sent after it was closed', async () => {
  const { told, clock, state } = reading();
  state.add(0);
  state.set(0, 'live');
  state.dispose();
  await clock.advance(mergeLimits.opening);
  expect(told).toEqual([]);
});
