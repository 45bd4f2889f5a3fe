import { expect, test } from 'vitest';
import { TerminalGate } from '../../src/web/keyboard/terminal-gate.ts';
import { typedGap } from '../../src/web/kit/typed-gap.ts';

// A WeakSet needs no more of an element than that it is an object.
const terminal = {} as Element;

/** Presses a key outside of terminals at 0, then keys in a terminal; gives whether each is held back. */
function press(...times: readonly number[]): readonly boolean[] {
  const gate = new TerminalGate();
  gate.note(0);
  return times.map((at) => gate.holdsBack(terminal, at));
}

test.each([
  ['the rest of a word that opened it is not sent', [80, 160, 240], [true, true, true]],
  ['slowly typed neither', [400, 800, 1_200], [true, true, true]],
  ['nor is Enter at its end, however long the word', [typedGap, 2 * typedGap], [true, true]],
  ['a key after a pause is sent', [typedGap + 1], [false]],
  ['and after it every other', [typedGap + 1, typedGap + 10], [false, false]],
  ['a pause ends the word', [80, 81 + typedGap, 90 + typedGap], [true, false, false]],
] as const)('%s', (_, times, expected) => {
  expect(press(...times)).toEqual(expected);
});

test('a terminal that a pointer opened takes keys at once', () => {
  expect(new TerminalGate().holdsBack(terminal, 10)).toBe(false);
});

test('one that took keys before takes them at once when the focus comes back by a key', () => {
  const gate = new TerminalGate();
  expect(gate.holdsBack(terminal, 0)).toBe(false);
  gate.note(1_000);
  expect(gate.holdsBack(terminal, 1_050)).toBe(false);
  expect(gate.holdsBack({} as Element, 1_100)).toBe(true);
});
