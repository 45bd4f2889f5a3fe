import { expect, test } from 'vitest';
import { aligned, type Figure, isKept, statedFor } from './report.ts';

const slowness = { parse: 2, sort: 1, paint: 1.5 };

test.each<[string, Figure, number]>([
  [
    'a time by the task it consists of',
    { name: 'first row', value: 700, unit: 'ms', atMost: 600, by: 'paint' },
    900,
  ],
  [
    'a time by a task that is not slow here',
    { name: 'sort', value: 70, unit: 'ms', atMost: 80, by: 'sort' },
    80,
  ],
  ['a count never', { name: 'watches', value: 1, unit: '', atMost: 1 }, 1],
])('a slow machine raises the budget of %s', (_, figure, atMost) => {
  expect(statedFor(figure, slowness).atMost).toBe(atMost);
});

test('a slow machine lowers the budget of a rate by the task it consists of', () => {
  const frames: Figure = { name: 'frames while scrolling', value: 40, unit: '/s', atLeast: 57, by: 'paint' };
  expect(statedFor(frames, slowness).atLeast).toBe(38);
});

test('a budget is kept within both its bounds, and by no figure that is missing', () => {
  const figure = { name: 'changes', unit: '/s', atLeast: 90, atMost: 110 };
  const isKeptBy = (value: number) => isKept({ ...figure, value });
  expect([89, 90, 110, 111, Number.NaN].map(isKeptBy)).toEqual([false, true, true, false, false]);
});

test('columns are as wide as their widest cell', () => {
  expect(
    aligned([
      ['a', 'wide', 'x'],
      ['long', 'b'],
    ]),
  ).toBe('a     wide  x\nlong  b');
});
