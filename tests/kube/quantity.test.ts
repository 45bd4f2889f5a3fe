import { expect, test } from 'vitest';
import { parseQuantity } from '../../src/kube/quantity.ts';

test.each([
  ['250m', 0.25],
  ['1', 1],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['128Mi', 128 * 2 ** 20],
  ['2e3', 2000],
  ['1E', 1e18],
  ['100k', 100_000],
  ['500n', 5e-7],
  ['.5', 0.5],
  [4, 4],
])('%s is parsed as %d', (text, value) => {
  expect(parseQuantity(text)).toBeCloseTo(value, 9);
});

test.each(['', 'Mi', '1 Gi', '12x', '1e', 'NaN', undefined, null, Number.POSITIVE_INFINITY])(
  '%s is no quantity',
  (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  },
);
