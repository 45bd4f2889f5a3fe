import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../src/server/kit/memory-budget.ts';
import {
  hourBounds,
  mergeHistories,
  recentBounds,
  UsageSamples,
} from '../../../src/server/live/joins/usage-history.ts';

const endless = (): Budget => ({ limit: Number.POSITIVE_INFINITY, held: 0 });
const used = (cpu: number) => ({ cpu, memory: cpu * 1000 });

describe('a ring of usage samples', () => {
  test('goes without an object for which there is no memory, and gives back what it took', () => {
    const budget: Budget = { limit: 2_000, held: 0 };
    const samples = new UsageSamples(hourBounds, budget);
    samples.add(
      1_000,
      new Map([
        ['shop/a', used(1)],
        ['shop/b', used(2)],
      ]),
    );
    expect(samples.of(['shop/a']).cpu).toEqual([1]);
    expect(samples.of(['shop/b']).cpu).toEqual([null]);
    expect(samples.lacks(['shop/b'])).toBe(true);
    expect(budget.held).toBeGreaterThan(0);
    samples.clear();
    expect(budget.held).toBe(0);
  });

  test('sums several objects time by time; where none was measured there is nothing', () => {
    const samples = new UsageSamples(recentBounds, endless());
    samples.add(1_000, new Map([['shop/a', used(1)]]));
    samples.add(16_000, new Map());
    samples.add(
      31_000,
      new Map([
        ['shop/a', used(2)],
        ['shop/b', used(0.5)],
      ]),
    );
    const all = { times: [1, 16, 31], cpu: [1, null, 2.5], memory: [1000, null, 2500] };
    expect(samples.of(['shop/a', 'shop/b', 'shop/c'])).toEqual(all);
    expect(samples.of()).toEqual(all);
    expect(samples.of(['shop/b', 'shop/b']).cpu).toEqual([null, null, 0.5]);
    expect(samples.of(['shop/a'], 16)).toEqual({ times: [16, 31], cpu: [null, 2], memory: [null, 2000] });
    expect(samples.of(['shop/a'], 99).times).toEqual([]);
    samples.clear();
    expect(samples.of(['shop/a']).times).toEqual([]);
  });

  test('keeps only so many samples, the newest', () => {
    const samples = new UsageSamples(hourBounds, endless());
    for (let index = 0; index < hourBounds.length + 10; index += 1) {
      samples.add(index * 60_000, new Map([['a', used(index)]]));
    }
    const { times, cpu } = samples.of(['a']);
    expect(times).toHaveLength(hourBounds.length);
    expect(cpu.at(0)).toBe(10);
    expect(cpu.at(-1)).toBe(hourBounds.length + 9);
  });

  test('keeps only so many objects, and says which it lacks', () => {
    const samples = new UsageSamples({ length: 2, places: 2 }, endless());
    const three = new Map(['a', 'b', 'c'].map((place) => [place, used(1)]));
    samples.add(0, three);
    expect(samples.of().cpu).toEqual([2]);
    expect(samples.lacks(['a', 'b'])).toBe(false);
    expect(samples.lacks(['a', 'c'])).toBe(true);
    // Room is made when one is gone for as long as samples are kept.
    for (let at = 1; at <= 3; at += 1) samples.add(at * 1_000, new Map([['c', used(3)]]));
    expect(samples.lacks(['c'])).toBe(false);
    expect(samples.of(['a']).cpu.every((value) => value === null)).toBe(true);
  });

  test('finds objects by their labels after they are gone', () => {
    const samples = new UsageSamples(hourBounds, endless());
    samples.add(0, new Map([['shop/a', { ...used(1), labels: { app: 'web' } }]]));
    samples.add(60_000, new Map([['shop/b', { ...used(1), labels: { app: 'db' } }]]));
    expect(samples.places((_place, labels) => labels?.app === 'web')).toEqual(['shop/a']);
  });
});

describe('the history of an hour', () => {
  const of = (...times: number[]) => ({ times, cpu: times, memory: times });

  test.each([
    ['nothing', of(), of(), []],
    ['nobody looked', of(0, 60, 120), of(), [0, 60, 120]],
    ['only while somebody looked', of(), of(0, 15), [0, 15]],
    [
      'recent samples take the place of those of the minute',
      of(0, 60, 120),
      of(90, 105, 120),
      [0, 90, 105, 120],
    ],
    ['somebody looked for a while', of(0, 60, 120, 180), of(50, 65), [0, 50, 65, 120, 180]],
  ])('%s', (_name, hour, recent, times) => {
    expect(mergeHistories(hour, recent)).toEqual(of(...times));
  });
});
