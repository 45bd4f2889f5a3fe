import { expect, test } from 'vitest';
import { areCallsCurrent } from '../../src/build/calls.ts';
import { api } from '../../src/contract/api.ts';
import { callOf, calls } from '../../src/contract/calls.ts';

test('what the page knows of each call is what the contract says: npm run first writes it', () => {
  const current = Object.entries(api).map(([name, endpoint]) => [name, callOf(endpoint)]);
  expect(calls).toStrictEqual(Object.fromEntries(current));
  expect(areCallsCurrent()).toBe(true);
});
