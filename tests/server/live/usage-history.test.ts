import { expect, test } from 'vitest';
import { createUsageSamples, historyLength } from '../../../src/server/live/joins/usage-history.ts';

const used = (cpu: number) => ({ cpu, memory: cpu * 1000 });

test('samples of several objects are summed time by time; where none was measured there is nothing', () => {
  const samples = createUsageSamples();
  samples.add(1_000, new Map([['shop/a', used(1)]]));
  samples.add(16_000, new Map());
  samples.add(
    31_000,
    new Map([
      ['shop/a', used(2)],
      ['shop/b', used(0.5)],
    ]),
  );
  expect(samples.of(['shop/a', 'shop/b', 'shop/c'])).toEqual({
    times: [1, 16, 31],
    cpu: [1, null, 2.5],
    memory: [1000, null, 2500],
  });
  expect(samples.of(['shop/b']).cpu).toEqual([null, null, 0.5]);
  samples.clear();
  expect(samples.of(['shop/a']).times).toEqual([]);
});

test('only so many samples are kept, the newest', () => {
  const samples = createUsageSamples();
  for (let index = 0; index < historyLength + 10; index += 1) {
    samples.add(index * 15_000, new Map([['a', used(index)]]));
  }
  const { times, cpu } = samples.of(['a']);
  expect(times).toHaveLength(historyLength);
  expect(cpu.at(0)).toBe(10);
  expect(cpu.at(-1)).toBe(historyLength + 9);
});

test('what is gone for as long as samples are kept is forgotten', () => {
  const samples = createUsageSamples();
  samples.add(0, new Map([['a', used(1)]]));
  for (let index = 1; index <= historyLength; index += 1) samples.add(index * 15_000, new Map());
  expect(samples.of(['a']).cpu.every((value) => value === null)).toBe(true);
});
