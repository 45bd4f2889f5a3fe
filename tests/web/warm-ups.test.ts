import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { cell } from '../../src/web/core/state/state.ts';
import { maxPointedAt, warmUpDwell, warmUpRest, WarmUps } from '../../src/web/data/warm-ups.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

/** Id of a cluster that the person does not have. */
const unknown = 999;

function asked() {
  const warmed: number[] = [];
  const warmUps = new WarmUps(
    {
      warmUp({ params }) {
        warmed.push(Number(params.clusterId));
        return Promise.reject(new Problem({ status: 403, title: 'You may not.' }));
      },
    },
    (clusterId) => clusterId !== unknown,
  );
  return { warmed, warmUps };
}

test('a cluster that is selected is warmed at once, and not again for a while', () => {
  const { warmed, warmUps } = asked();
  warmUps.select(1);
  warmUps.select(1);
  warmUps.select(2);
  expect(warmed).toEqual([1, 2]);
  vi.advanceTimersByTime(warmUpRest);
  warmUps.select(1);
  expect(warmed).toEqual([1, 2, 1]);
});

test('a cluster that is none of the person is not warmed', () => {
  const { warmed, warmUps } = asked();
  warmUps.select(unknown);
  expect(warmed).toEqual([]);
});

test('follows which cluster is selected; the first came with the page', () => {
  const { warmed, warmUps } = asked();
  const selected = cell<{ readonly clusterId: number | undefined }>({ clusterId: 1 });
  warmUps.follow(selected);
  for (const clusterId of [1, 2, undefined, 2, 3]) selected.set({ clusterId });
  expect(warmed).toEqual([2, 3]);
});

test('a cursor that moves across clusters warms only the one where it stays', () => {
  const { warmed, warmUps } = asked();
  for (let id = 1; id <= 50; id += 1) {
    warmUps.pointAt(id);
    vi.advanceTimersByTime(warmUpDwell - 1);
  }
  expect(warmed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(warmed).toEqual([50]);
  warmUps.pointAt(7);
  warmUps.pointAt(undefined);
  vi.advanceTimersByTime(warmUpDwell);
  expect(warmed).toEqual([50]);
});

test('a slow cursor warms only so many; what is selected is warmed all the same', () => {
  const { warmed, warmUps } = asked();
  for (let id = 1; id <= 50; id += 1) {
    warmUps.pointAt(id);
    vi.advanceTimersByTime(warmUpDwell);
  }
  expect(warmed).toHaveLength(maxPointedAt);
  warmUps.select(50);
  expect(warmed.at(-1)).toBe(50);
});
