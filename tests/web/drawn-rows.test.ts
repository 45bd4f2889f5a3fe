import { expect, test } from 'vitest';
import { drawnRange, offsetShowing } from '../../src/web/features/list/drawn-rows.ts';

const shown = { offset: 0, height: 100, rowHeight: 20 };

test.each([
  ['at the top', shown, 1_000, 0, [0, 5]],
  ['with rows beyond', shown, 1_000, 12, [0, 17]],
  ['in the middle of a row', { ...shown, offset: 410 }, 1_000, 2, [18, 28]],
  ['at the end', { ...shown, offset: 19_900 }, 1_000, 12, [983, 1_000]],
  ['of a list that became shorter', { ...shown, offset: 19_900 }, 3, 0, [2, 3]],
  ['of no rows', shown, 0, 12, [0, 0]],
  ['of a hidden list', { ...shown, height: 0 }, 1_000, 12, [0, 0]],
] as const)('the rows that are drawn %s', (_, window, count, beyond, range) => {
  expect(drawnRange(window, count, beyond)).toEqual(range);
});

test.each([
  ['shows', 2, shown, undefined],
  ['is half below the edge', 4, shown, 20],
  ['is above', 3, { ...shown, offset: 200 }, 60],
  ['is the first', 0, { ...shown, offset: 5 }, 0],
  ['is far below', 100, shown, 1_940],
] as const)(
  'a row that %s is scrolled to as little as shows it below the headings',
  (_, index, window, offset) => {
    expect(offsetShowing(index, window, 20)).toBe(offset);
  },
);
