import { expect, test } from 'vitest';
import { formatAge } from '../../src/kube/age.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 5, '2m5s'],
  [10 * minute + 30, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 20 * minute, '3h20m'],
  [8 * hour + 20 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [5 * day + 3 * hour, '5d3h'],
  [8 * day + 3 * hour, '8d'],
  [41 * day, '41d'],
  [2 * 365 * day + 3 * day, '2y3d'],
  [9 * 365 * day + 3 * day, '9y'],
])('%d seconds are formatted as %s, as kubectl does', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test('an age is never negative, and no word of a program', () => {
  expect(formatAge(-1)).toBe('0s');
  expect(formatAge(-30)).toBe('0s');
  expect(formatAge(Number.NaN)).toBe('?');
});
