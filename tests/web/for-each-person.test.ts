import { expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { forEachPerson } from '../../src/web/features/organisation/for-each-person.ts';

const done = (text: string, are: string) => `${text} ${are} suspended`;
const [ada, bo, cy] = ['Ada', 'Bo', 'Cy'].map((name, id) => ({ id, name }));

/** The message about a change that is refused for these ids, and the people for whom it was made. */
async function over(
  people: readonly ({ id: number; name: string } | undefined)[],
  refused: readonly number[],
  status = 409,
) {
  const said: unknown[] = [];
  const toast = {
    success: (title: string) => said.push(title),
    warning: (title: string, { detail }: { readonly detail: string }) => said.push(title, detail),
  };
  const made = await forEachPerson(
    people as never,
    (id) =>
      refused.includes(id)
        ? Promise.reject(new Problem({ status, title: 'This is the last Owner.' }))
        : Promise.resolve(),
    { done, toast: toast as never },
  );
  return { said, made };
}

test('a change for one person is named, and its refusal is thrown', async () => {
  expect(await over([ada], [])).toEqual({ said: ['Ada is suspended'], made: [ada] });
  await expect(over([ada], [0])).rejects.toThrow('This is the last Owner.');
});

test('a change for several is counted, and the refused ones are named with their reason', async () => {
  expect(await over([ada, bo, cy], [])).toEqual({ said: ['3 people are suspended'], made: [ada, bo, cy] });
  expect(await over([ada, bo, cy], [1])).toEqual({
    said: ['2 of 3 people are suspended', 'Bo: This is the last Owner.'],
    made: [ada, cy],
  });
});

test('a failure that is about nobody of them ends it, and the others are counted', async () => {
  expect(await over([ada, bo, cy], [1], 403)).toEqual({
    said: ['1 of 3 people are suspended', 'Bo: This is the last Owner.\nIt was not tried for 1 more.'],
    made: [ada],
  });
});
