import { expect, test } from 'vitest';
import { isInShare, readShare, wordsOf, wordsOfVisit, drawnWords } from '../e2e/typed-words/plan.ts';
import { endings, focusPlaces, rhythms } from '../e2e/typed-words/typist.ts';

const words = Array.from({ length: drawnWords }, (_, at) => `word ${at}`);
const pages = 120;
const visits = Array.from({ length: pages * 2 }, (_, visit) => wordsOf(visit, words, true));

const countBy = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};
const least = (keys: readonly string[]): number => Math.min(...countBy(keys).values());

test('in full a visit types a word from each place with each ending, at once and as a person', () => {
  expect(wordsOfVisit.inFull).toBe(36);
  for (const visit of visits) {
    const ways = countBy(visit.map(({ focus, ending, rhythm }) => `${focus} ${ending} ${rhythm}`));
    expect([...ways.values()]).toEqual(
      Array.from({ length: focusPlaces.length * endings.length * rhythms.length }, () => 1),
    );
  }
});

test('in full each word is typed with each ending 14 times, and from each place', () => {
  const all = visits.flat();
  const pairs = all.map(({ word, ending }) => `${word} ${ending}`);
  expect(countBy(pairs).size).toBe(drawnWords * endings.length);
  expect(least(pairs)).toBeGreaterThanOrEqual(14);
  const triples = all.map(({ word, ending, focus }) => `${word} ${ending} ${focus}`);
  expect(countBy(triples).size).toBe(drawnWords * endings.length * focusPlaces.length);
});

test('in the gate a visit types five words from at least three places, and the visits together each place with each ending', () => {
  const some = Array.from({ length: pages }, (_, visit) => wordsOf(visit, words, false));
  for (const visit of some) {
    expect(visit).toHaveLength(5);
    expect(new Set(visit.map(({ focus }) => focus)).size).toBeGreaterThanOrEqual(3);
    expect(visit.filter(({ rhythm }) => rhythm === 'person')).toHaveLength(1);
  }
  const ways = countBy(some.flat().map(({ focus, ending }) => `${focus} ${ending}`));
  expect(ways.size).toBe(focusPlaces.length * endings.length);
});

test('the shares of a number are everything, each once', () => {
  const shares = ['1/4', '2/4', '3/4', '4/4'].map(readShare);
  for (let index = 0; index < pages; index += 1)
    expect(shares.filter((share) => isInShare(share, index))).toHaveLength(1);
  expect(readShare(undefined)).toEqual({ part: 1, of: 1 });
  for (const wrong of ['0/4', '5/4', '1', 'a/b', '']) expect(() => readShare(wrong)).toThrow('WORD_SHARE');
});
