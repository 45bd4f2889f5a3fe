import { expect, test } from 'vitest';
import type { SearchResult } from '../../src/contract/search.ts';
import { askObjects, type FoundObjects } from '../../src/web/features/palette/ask-objects.ts';

const result = (name: string, isReading = false): SearchResult => ({
  hits: [{ clusterId: 1, kind: 'pod', kindName: 'Pod', namespace: 'shop', name }],
  total: 1,
  clusters: 1,
  excluded: 0,
  notSearched: 0,
  notes: [],
  isReading,
});

/** An index that answers when it is told to, in any order. */
function slowIndex() {
  const waiting: ((answer: SearchResult | Error) => void)[] = [];
  const taken: string[] = [];
  const due: (() => void)[] = [];
  const take = ({ hits, notes }: FoundObjects) => taken.push(...hits.map(({ name }) => name), ...notes);
  const parts = {
    search: () =>
      new Promise<SearchResult>((done, fail) => {
        waiting.push((answer) => (answer instanceof Error ? fail(answer) : done(answer)));
      }),
    palette: 'one',
    later: (run: () => void) => {
      due.push(run);
      return () => due.splice(due.indexOf(run), 1);
    },
    take,
  };
  const answer = async (at: number, what: SearchResult | Error) => {
    waiting[at]?.(what);
    await new Promise((done) => setImmediate(done));
  };
  return { parts, answer, taken, due, asked: () => waiting.length };
}

test('an answer that comes after the next question was asked is dropped, also a failure', async () => {
  const { parts, answer, taken } = slowIndex();
  const giveUp = askObjects({ q: 'a' }, parts);
  giveUp();
  const giveUpToo = askObjects({ q: 'ap' }, parts);
  giveUpToo();
  askObjects({ q: 'api' }, parts);
  await answer(2, result('api'));
  await answer(0, result('late'));
  await answer(1, new Error('too late'));
  expect(taken).toEqual(['api']);
});

test('it is asked again while the index is being read, until the question is given up', async () => {
  const { parts, answer, taken, due, asked } = slowIndex();
  const giveUp = askObjects({ q: 'api' }, parts);
  await answer(0, result('first', true));
  expect(due).toHaveLength(1);
  due[0]?.();
  await answer(1, result('more', true));
  expect([asked(), taken]).toEqual([2, ['first', 'more']]);
  due.splice(0, 1);
  giveUp();
  expect(due).toEqual([]);
});

test('a failure shows a message', async () => {
  const { parts, answer, taken } = slowIndex();
  askObjects({ q: 'api' }, parts);
  await answer(0, new Error('The index is away.'));
  expect(taken).toEqual(['The index is away.']);
});
