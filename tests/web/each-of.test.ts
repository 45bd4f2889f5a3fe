import { expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { eachOf } from '../../src/web/screens/each-of.ts';

const things = ['a', 'b', 'c'].map((name) => ({ name }));
const failing = (names: string, problem: Problem) => (thing: { readonly name: string }) =>
  names.includes(thing.name) ? Promise.reject(problem) : Promise.resolve();
const gone = new Problem({ status: 404, title: 'The cluster was removed.' });

test('what fails keeps none of the others, and is named with its reason', async () => {
  const { done, failed, failure } = await eachOf(things, 'cluster', failing('b', gone));
  expect([done, failed].map((some) => some.map(({ name }) => name))).toEqual([['a', 'c'], ['b']]);
  expect(failure).toMatchObject({
    title: '1 of 3 clusters failed; the others are done.',
    detail: 'b: The cluster was removed.',
  });
});

test('nothing fails where all are done', async () => {
  const { done, failure } = await eachOf(things, 'cluster', failing('', gone));
  expect(done).toEqual(things);
  expect(failure).toBeUndefined();
});

test('the failure of the only one is its own', async () => {
  const { failure } = await eachOf(things.slice(0, 1), 'cluster', failing('a', gone));
  expect(failure).toBe(gone);
});

test('an identity that is not confirmed is asked for once', async () => {
  const asked: string[] = [];
  const refusal = new Problem({
    status: 403,
    title: 'Confirm that it is you.',
    code: 'identity-not-confirmed',
  });
  const { failed, failure } = await eachOf(things, 'cluster', ({ name }) => {
    asked.push(name);
    return Promise.reject(refusal);
  });
  expect(asked).toEqual(['a']);
  expect(failed).toEqual(things);
  expect(failure?.detail).toBe('a: Confirm that it is you.\nIt was not tried for 2 more.');
});
