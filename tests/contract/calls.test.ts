import { expect, test } from 'vitest';
import { areCallsCurrent } from '../../src/build/calls.ts';
import { api } from '../../src/contract/api.ts';
import { callOf, firstCalls, firstNames } from '../../src/contract/calls.ts';
import { laterCalls } from '../../src/contract/later-calls.ts';

test('what the page knows of each call is what the contract says: npm run first writes it', () => {
  const current = Object.entries(api).map(([name, endpoint]) => [name, callOf(endpoint)]);
  expect({ ...firstCalls, ...laterCalls }).toStrictEqual(Object.fromEntries(current));
  expect(Object.keys(firstCalls).toSorted()).toEqual([...firstNames].toSorted());
  expect(areCallsCurrent()).toBe(true);
});
