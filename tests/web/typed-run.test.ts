import { expect, test } from 'vitest';
import { TypedRun } from '../../src/web/keyboard/typed-run.ts';
import { typedGap } from '../../src/web/kit/typed-gap.ts';

/** Keys of the table that move the cursor or undo. */
const quickKeys = new Set(['j', 'k', 'u']);

/** Presses keys with a time between them, ms; gives whether each is part of a text by then. */
function press(keys: string, gap: number): readonly boolean[] {
  const run = new TypedRun();
  return keys.split(' ').map((stroke, index) => {
    run.add(stroke, index * gap, !quickKeys.has(stroke));
    return run.isText;
  });
}

const at = 80;

test.each([
  ['a key alone is no text', 'r', at, [false]],
  ['characters in quick succession are one', 'r e d', at, [false, true, true]],
  ['so are a character and Enter', 'r enter', at, [false, true]],
  ['Enter ends one', 'r enter shift+s', at, [false, true, false]],
  ['and a capital after a blank', 'a space shift+r', at, [false, true, true]],
  ['a key after a pause is alone again', 'r s', typedGap + 1, [false, false]],
  ['keys that move the cursor do not count', 'j j r k', at, [false, false, false, false]],
  ['nor does the one that undoes', 'r u r', at, [false, false, true]],
  ['but a text goes on behind them', 'r k e', at, [false, false, true]],
  ['chords and arrows do not count either', 'mod+a down r', at, [false, false, false]],
] as const)('%s', (_, keys, gap, expected) => {
  expect(press(keys, gap)).toEqual(expected);
});

test.each([
  ['r e d enter', true],
  ['s 3 space', true],
  ['a space', true],
  ['j space', false],
  ['r enter', false],
  ['j k enter', false],
  ['space space enter', false],
  ['r space enter', false],
])('%s ends a word: %s', (keys, expected) => {
  const run = new TypedRun();
  for (const [index, stroke] of keys.split(' ').entries())
    run.add(stroke, index * at, !quickKeys.has(stroke));
  expect(run.endsWord).toBe(expected);
});

test('a sequence that moves the focus does not count, and a text goes on behind it', () => {
  const run = new TypedRun();
  run.add('w', 0);
  run.takeBack();
  run.add('r', at);
  expect(run.isText).toBe(false);
  run.add('e', 2 * at);
  expect(run.isText).toBe(true);
});

test('a text is reported once to those who wait for it, and not after a pause', () => {
  const run = new TypedRun();
  let reports = 0;
  run.add('r', 0);
  run.follow().onText(() => (reports += 1));
  run.add('x', typedGap + 1);
  expect(reports).toBe(0);
  run.follow().onText(() => (reports += 1));
  run.add('y', typedGap + 2);
  run.add('z', typedGap + 3);
  expect(reports).toBe(1);
});

test('a key that is followed is part of a text once another follows it at once, and stays so', () => {
  const run = new TypedRun();
  run.add('r', 0);
  const key = run.follow();
  let told = 0;
  key.onText(() => (told += 1));
  expect(key.isText).toBe(false);
  run.add('e', at);
  run.add('s', at + typedGap + 1);
  expect([key.isText, told, run.isText]).toEqual([true, 1, false]);
  key.onText(() => (told += 1));
  expect(told).toBe(2);
});

test('a key after a pause is no part of a text that follows it later', () => {
  const run = new TypedRun();
  run.add('r', 0);
  const key = run.follow();
  for (const [index, stroke] of ['r', 'e', 'd'].entries()) run.add(stroke, 1_000 + index * at);
  expect(key.isText).toBe(false);
});

test('letters that mean nothing at a place are a word at any pace, until the person moves', () => {
  const run = new TypedRun();
  const [button, menu] = [{}, {}];
  const type = (stroke: string, place: object, after: number) => {
    run.add(stroke, after);
    run.miss(stroke, place);
    return run.isAfterWord(place);
  };
  expect([type('d', button, 0), type('o', button, 2_000), type('space', button, 4_000)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(run.isAfterWord(menu)).toBe(false);
  run.choose(button);
  expect([run.follow().choseByWord, run.follow().choseByWord]).toEqual([true, false]);
  run.forgetWord();
  expect(run.isAfterWord(button)).toBe(false);
  expect([type('r', menu, 6_000), type('e', button, 8_000), type('d', button, 10_000)]).toEqual([
    false,
    false,
    true,
  ]);
  run.add('down', 12_000);
  expect(run.isAfterWord(button)).toBe(false);
});
