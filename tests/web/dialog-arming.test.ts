import { expect, test } from 'vitest';
import {
  armDialog,
  type Arming,
  type DialogEvent,
  type DialogPlace,
  graceTime,
  type KeyOutcome,
  unseen,
  unseenByText,
} from '../../src/web/kit/dialog-arming.ts';
import { typedGap } from '../../src/web/kit/typed-gap.ts';

type Key = Extract<DialogEvent, { readonly isRepeat: boolean }>;

const places: readonly DialogPlace[] = ['act', 'field', 'name', 'text', 'leave', 'other'];
const keys = ['enter', 'space', 'submit'] as const;
const painted: DialogEvent = { type: 'painted', at: 1_000 };
const edited: DialogEvent = { type: 'edited', at: 1_500 };
const character: DialogEvent = { type: 'character', at: 1_500 };
const moved: DialogEvent = { type: 'moved', at: 1_600 };
const later = 2_000;

const after = (...events: readonly DialogEvent[]): Arming =>
  events.reduce<Arming>((state, event) => armDialog(state, event).state, unseen);

const press = (state: Arming, type: Key['type'], place: DialogPlace, more: Partial<Key> = {}): KeyOutcome =>
  armDialog(state, { type, place, at: later, isRepeat: false, isReviewed: false, ...more }).outcome;

test('a dialog that was seen confirms by Enter and Space on the act, and by mod+Enter from anywhere but a text that is as it was', () => {
  const table: Readonly<Record<DialogPlace, readonly KeyOutcome[]>> = {
    act: ['confirm', 'confirm', 'confirm'],
    field: ['move', 'pass', 'move'],
    name: ['move', 'pass', 'move'],
    text: ['pass', 'pass', 'confirm'],
    leave: ['pass', 'pass', 'confirm'],
    other: ['pass', 'pass', 'confirm'],
  };
  for (const place of places)
    expect([place, ...keys.map((key) => press(after(painted), key, place))]).toEqual([
      place,
      ...table[place],
    ]);
});

test('nothing is confirmed from any place before a dialog was seen, in its first moments, or by a key that is held', () => {
  for (const place of places)
    for (const key of keys) {
      const cases: readonly (readonly [state: Arming, more: Partial<Key>])[] = [
        [after(edited), {}],
        [after(painted, edited), { at: 900 }],
        [after(painted, edited), { at: 1_000 + graceTime - 1 }],
        [after(painted, edited), { isRepeat: true }],
      ];
      for (const [state, more] of cases)
        expect([place, key, press(state, key, place, more)]).not.toContain('confirm');
    }
});

test('what goes on from before the dialog opened is no edit of it, until a pause', () => {
  const opened: Arming = { ...unseen, textAt: 900 };
  const type = (...times: readonly number[]) =>
    times.reduce<Arming>(
      (state, at) => armDialog(state, { type: 'edited', at }).state,
      armDialog(opened, painted).state,
    );
  const confirming = [
    ['field', 'enter'],
    ['field', 'submit'],
    ['name', 'enter'],
    ['name', 'submit'],
    ['text', 'submit'],
  ] as const;
  for (const [place, key] of confirming) {
    expect(press(type(1_200, 1_600), key, place)).toBe('move');
    expect(press(type(900 + typedGap, 900 + 2 * typedGap), key, place, { at: 3_000 })).toBe('move');
    expect(press(type(901 + typedGap), key, place)).toBe('confirm');
    expect(press(type(1_200, 1_201 + typedGap, 1_300 + typedGap), key, place)).toBe('confirm');
    const { state } = armDialog(type(1_200), moved);
    expect(press(state, 'submit', 'act')).toBe('confirm');
  }
});

test('a character that the dialog has no use for disarms it from every place until the focus is moved', () => {
  for (const place of places)
    for (const key of keys) {
      expect([place, key, press(after(painted, edited, character), key, place)]).not.toContain('confirm');
      expect(press(after(painted, edited, character, moved), key, place)).toBe(
        press(after(painted, edited), key, place),
      );
    }
});

test('mod+Enter only moves the focus to the act of a disarmed dialog, which arms it', () => {
  for (const place of places) {
    const disarmed = after(painted, character);
    const submit: Key = { type: 'submit', place, at: later, isRepeat: false, isReviewed: false };
    const { state, outcome } = armDialog(disarmed, submit);
    expect(outcome).toBe('move');
    expect(press(state, 'enter', 'act')).toBe('confirm');
  }
});

test('a held mod+Enter that moved the focus does not confirm', () => {
  const submit: Key = { type: 'submit', place: 'leave', at: later, isRepeat: false, isReviewed: false };
  const { state } = armDialog(after(painted, character), submit);
  expect(press(state, 'submit', 'act', { isRepeat: true })).toBe('ignore');
});

test('a field sends what was typed since it was seen, and not what was typed before', () => {
  expect(press(after(painted, edited), 'enter', 'field')).toBe('confirm');
  expect(press(after(painted, { type: 'edited', at: 999 }), 'enter', 'field')).toBe('move');
  expect(press(after({ type: 'edited', at: 999 }, painted), 'enter', 'field')).toBe('move');
});

test('what is reviewed takes one more Enter; the name that confirms is the review itself', () => {
  const typed = after(painted, edited);
  for (const key of ['enter', 'submit'] as const) {
    expect(press(typed, key, 'field', { isReviewed: true })).toBe('move');
    expect(press(typed, key, 'act', { isReviewed: true })).toBe('confirm');
    expect(press(typed, key, 'name', { isReviewed: true })).toBe('confirm');
  }
});

test('a character that follows another place of the focus counts from there', () => {
  expect(press(after(painted, moved, character), 'enter', 'act')).toBe('ignore');
  expect(press(after(painted, character, moved, character), 'space', 'act')).toBe('ignore');
});

test('a dialog that a key of a typed text opened confirms nothing until the focus is moved', () => {
  const opened = armDialog(unseenByText, painted).state;
  const again = armDialog(opened, moved).state;
  expect(keys.map((key) => press(opened, key, 'act'))).toEqual(['ignore', 'ignore', 'move']);
  expect(keys.map((key) => press(again, key, 'act'))).toEqual(['confirm', 'confirm', 'confirm']);
});
