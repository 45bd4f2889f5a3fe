import { expect, test } from 'vitest';
import { ClusterClock } from '../../../src/server/clusters/cluster-clock.ts';

const now = Date.UTC(2026, 10, 28, 14);
const header = (ms: number) => new Date(now + ms).toUTCString();

test('the clock of a cluster is that of the dates of its answers, in either direction', () => {
  const clock = new ClusterClock();
  expect(clock.ahead).toBe(0);
  clock.note(header(600_000), now);
  expect(clock.ahead).toBe(600_500);
  clock.note(header(-300_000), now);
  expect(clock.ahead).toBe(-299_500);
});

test('a difference of the way or of whole seconds is none, and what was found does not waver', () => {
  const clock = new ClusterClock();
  clock.note(header(-1_000), now);
  expect(clock.ahead).toBe(0);
  clock.note(header(60_000), now);
  clock.note(header(61_000), now);
  expect(clock.ahead).toBe(60_500);
  clock.note(header(0), now);
  expect(clock.ahead).toBe(0);
});

test('an answer without a date says nothing', () => {
  const clock = new ClusterClock();
  clock.note(header(60_000), now);
  clock.note(undefined, now);
  clock.note('yesterday', now);
  expect(clock.ahead).toBe(60_500);
});
