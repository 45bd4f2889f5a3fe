import { describe, expect, test } from 'vitest';
import { wordMark, wordMarksOf } from '../../src/web/features/actions/word-marks.ts';

function marked(before: string, after: string): readonly (string | undefined)[] {
  const mark = wordMark(before, after);
  if (mark === undefined) return [];
  return [before.slice(mark.start, mark.endBefore), after.slice(mark.start, mark.endAfter)];
}

describe('differences within a line are marked by whole words', () => {
  test.each([
    ['image: reg.acme.io/shop/api:v2.14.0', 'image: reg.acme.io/shop/api:v2.13.2', ['v2.14.0', 'v2.13.2']],
    ['  replicas: 2', '  replicas: 12', ['2', '12']],
    ['memory: 512Mi # a note', 'memory: 1Gi # a note', ['512Mi', '1Gi']],
    ['value: aaa', 'value: aaaa', ['aaa', 'aaaa']],
    ['a: 1', 'a: 1, b', ['1', '1, b']],
  ])('%s to %s', (before, after, expected) => expect(marked(before, after)).toEqual(expected));

  test('lines without anything in common are not marked', () => {
    expect(wordMark('one', 'two')).toBeUndefined();
    expect(wordMark('', 'two')).toBeUndefined();
    expect(wordMark('  one', '  two')).toBeUndefined();
    expect(wordMark('name: same', 'name: same')).toBeUndefined();
  });

  test('a run of lines that went is marked against the run that came, one by one', () => {
    const lines = [
      { type: 'same', text: 'spec:' },
      { type: 'removed', text: '  image: a:1' },
      { type: 'removed', text: '  cpu: 1' },
      { type: 'added', text: '  image: a:2' },
      { type: 'skip', count: 3 },
      { type: 'added', text: '  more: 1' },
    ] as const;
    expect(wordMarksOf(lines)).toEqual([undefined, [11, 12], undefined, [11, 12], undefined, undefined]);
  });
});
