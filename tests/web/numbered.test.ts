import { describe, expect, test } from 'vitest';
import { type Chosen, numbered, readChosen, withChosen } from '../../src/web/workspace/numbered.ts';

const names = ['a', 'b', 'c', 'd'];
const chosenOf = (...chosen: readonly string[]) =>
  chosen.reduce<readonly Chosen[]>((before, name, at) => withChosen(before, names, name, at), []);

describe('namespaces by number', () => {
  test('are those of the cluster in their order until some are chosen', () => {
    expect(numbered([], names)).toEqual(['a', 'b', 'c', 'd', ...Array<undefined>(5)]);
  });

  test('a chosen namespace keeps the number it was shown with', () => {
    expect(numbered(chosenOf('c'), names).slice(0, 4)).toEqual(['a', 'b', 'c', 'd']);
    expect(numbered(chosenOf('c', 'a', 'c'), names).slice(0, 4)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('one that comes to the cluster moves none of those that were chosen', () => {
    expect(numbered(chosenOf('b', 'd'), ['0', ...names]).slice(0, 5)).toEqual(['0', 'b', 'a', 'd', 'c']);
  });

  test('a chosen namespace without a number gets the first unused one, else that of the one longest unused', () => {
    const many = Array.from({ length: 12 }, (_, at) => `n${at}`);
    const first = withChosen([], many, 'n11', 1);
    expect(numbered(first, many).indexOf('n11')).toBe(0);
    let all: readonly Chosen[] = [];
    for (let at = 0; at < 9; at += 1) all = withChosen(all, many, `n${at}`, at);
    all = withChosen(all, many, 'n0', 20);
    const after = numbered(withChosen(all, many, 'n10', 21), many);
    expect(after[1]).toBe('n10');
    expect(after).toHaveLength(9);
    expect(after).not.toContain('n1');
  });

  test('a namespace that was deleted gives its number up', () => {
    const kept = chosenOf('b', 'd');
    expect(numbered(kept, ['a', 'c', 'd', 'e']).slice(0, 4)).toEqual(['a', 'c', 'e', 'd']);
    expect(
      numbered(withChosen(kept, ['a', 'c', 'd', 'e'], 'c', 9), ['a', 'c', 'd', 'e']).slice(0, 4),
    ).toEqual(['a', 'c', 'e', 'd']);
    expect(numbered(kept, []), 'while it is not known which there are').toContain('b');
  });

  test('stored choices are read again, and invalid ones are dropped', () => {
    const kept = chosenOf('b', 'd');
    expect(readChosen(JSON.stringify(kept))).toEqual(kept);
    const odd = [null, 3, { name: 'x', number: 10, at: 1 }, { name: 'x', number: 1 }, kept[0], kept[0]];
    expect(readChosen(JSON.stringify(odd))).toEqual([kept[0]]);
    expect(readChosen('{')).toEqual([]);
    expect(readChosen('{}')).toEqual([]);
    expect(readChosen(null)).toEqual([]);
  });
});
