import { describe, expect, test } from 'vitest';
import {
  isChord,
  isSignByOption,
  type KeyPress,
  parseKeys,
  showsOtherScript,
  strokeOf,
} from '../../src/registry/keys/keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('strokes', () => {
  test('a declaration has at most two strokes, with modifiers in one order', () => {
    expect(parseKeys('g p')).toEqual(['g', 'p']);
    expect(parseKeys('Shift+Mod+K')).toEqual(['mod+shift+k']);
    expect(parseKeys('mod++')).toEqual(['mod++']);
    expect(parseKeys('+')).toEqual(['+']);
    expect(() => parseKeys('a b c')).toThrow('more than two steps');
  });

  test('mod is Ctrl, and Cmd on a Mac', () => {
    expect(strokeOf(press('k', { ctrlKey: true }), false)).toBe('mod+k');
    expect(strokeOf(press('k', { metaKey: true }), true)).toBe('mod+k');
    expect(strokeOf(press('k', { ctrlKey: true }), true)).toBe('k');
  });

  test('a printable key is named by its character; letters keep shift', () => {
    expect(strokeOf(press('?', { shiftKey: true }), false)).toBe('?');
    expect(strokeOf(press('G', { shiftKey: true }), false)).toBe('shift+g');
    expect(strokeOf(press('Escape'), false)).toBe('esc');
    expect(strokeOf(press('ArrowDown'), false)).toBe('down');
    expect(strokeOf(press('Tab', { shiftKey: true }), false)).toBe('shift+tab');
  });

  test.each([
    ['д', 'KeyL', false, 'l'],
    ['Д', 'KeyL', true, 'shift+l'],
    ['с', 'KeyC', false, 'c'],
    ['п', 'KeyG', false, 'g'],
    ['х', 'BracketLeft', false, '['],
    ['ж', 'Semicolon', false, ';'],
    ['Ж', 'Semicolon', true, ':'],
    ['Б', 'Comma', true, '<'],
    ['б', 'Comma', false, ','],
    ['.', 'Slash', false, '/'],
    [',', 'Slash', true, '?'],
    ['?', 'Digit7', true, '?'],
    ['-', 'Minus', false, '-'],
    ['λ', 'KeyL', false, 'l'],
    // Keys that write several characters, and signs of their script.
    ['لا', 'KeyB', false, 'b'],
    ['لأ', 'KeyG', true, 'shift+g'],
    ['؟', 'Slash', true, '?'],
    ['ि', 'KeyF', false, 'f'],
    ['り', 'KeyL', false, 'l'],
    ['ส', 'KeyL', false, 'l'],
    ['٣', 'Digit3', false, '3'],
    ['ל', 'KeyK', false, 'k'],
    ['م', 'KeyL', false, 'l'],
    ['ㅁ', 'KeyA', false, 'a'],
    ['١', 'Digit1', false, '1'],
  ])('%j at %s without Latin letters is the key of that place', (key, code, shiftKey, stroke) => {
    expect(strokeOf(press(key, { code, shiftKey }), false)).toBe(stroke);
  });

  test.each([
    ['/', 'Digit7', true, '/'],
    ['-', 'Slash', false, '-'],
    ['ö', 'Semicolon', false, 'ö'],
    ['q', 'KeyA', false, 'q'],
    ["'", 'KeyQ', false, "'"],
    ['.', 'Period', false, '.'],
    ['é', 'Digit2', false, 'é'],
    ['§', 'Backquote', false, '§'],
  ])('%j at %s of a Latin layout stays what it is', (key, code, shiftKey, stroke) =>
    expect(strokeOf(press(key, { code, shiftKey }), false)).toBe(stroke),
  );

  test('a sign at the place of a letter is that letter once the layout is known to have no Latin ones', () => {
    expect(strokeOf(press('/', { code: 'KeyQ' }), false)).toBe('/');
    expect(strokeOf(press('/', { code: 'KeyQ' }), false, true)).toBe('q');
    expect(strokeOf(press(';', { code: 'KeyQ' }), false, true)).toBe('q');
    expect(showsOtherScript(press('ש', { code: 'KeyA' }))).toBe(true);
    expect(showsOtherScript(press('a', { code: 'KeyA' }))).toBe(false);
    expect(showsOtherScript(press('é', { code: 'Digit2' }))).toBe(false);
    for (const key of ['/', '1', 'Enter']) expect(showsOtherScript(press(key))).toBeUndefined();
    expect(showsOtherScript(press('a', { ctrlKey: true }))).toBeUndefined();
  });

  test.each([
    ['Arabic', '÷', 'KeyI', true, 'shift+i'],
    ['Arabic', '’', 'KeyM', true, 'shift+m'],
    ['Arabic', '[', 'KeyF', true, 'shift+f'],
    ['Arabic', 'ـ', 'KeyJ', true, 'shift+j'],
    ['Persian', '«', 'KeyK', true, 'shift+k'],
    ['Persian', '۰', 'Numpad0', false, '0'],
    ['Persian', '\u200c', 'Space', true, 'shift+space'],
    ['Greek', 'Dead', 'Semicolon', true, ':'],
    ['Greek', ':', 'KeyQ', true, 'shift+q'],
    ['Hebrew', "'", 'KeyW', false, 'w'],
    ['Hebrew', ']', 'BracketLeft', false, ']'],
    ['Georgian', 'ღ', 'KeyR', true, 'shift+r'],
    ['Kana', '゛', 'BracketLeft', false, '['],
    ['Armenian', 'Է', 'Digit1', true, '!'],
    ['Russian', ':', 'Digit6', true, ':'],
    ['Serbian', '-', 'Slash', false, '-'],
  ])('on a layout without Latin letters (%s) %j at %s is %s', (_layout, key, code, shiftKey, stroke) => {
    expect(strokeOf(press(key, { code, shiftKey }), false, true)).toBe(stroke);
  });

  test('no capital and no sign of all scripts shows which letters a layout has', () => {
    // The Hebrew layout gives Latin capitals with Shift.
    expect(showsOtherScript(press('Q', { code: 'KeyQ', shiftKey: true }))).toBeUndefined();
    expect(showsOtherScript(press('µ', { code: 'Backslash', shiftKey: true }))).toBeUndefined();
    expect(showsOtherScript(press('ー', { code: 'Backslash' }))).toBe(true);
  });

  test('on a layout that is known to have Latin letters every sign stays what it is', () => {
    // Turkish Q.
    expect(strokeOf(press('.', { code: 'Slash' }), false, false)).toBe('.');
    expect(strokeOf(press('İ', { code: 'Quote', shiftKey: true }), false, false)).toBe('shift+i');
    expect(strokeOf(press('Dead', { code: 'BracketLeft' }), false, false)).toBeUndefined();
  });

  test('a sign that needs AltGr, or Option on a Mac, is that sign; other characters of AltGr are no stroke', () => {
    const altGraph = {
      ctrlKey: true,
      altKey: true,
      getModifierState: (modifier: string) => modifier === 'AltGraph',
    };
    expect(strokeOf(press('[', { code: 'Digit8', ...altGraph }), false)).toBe('[');
    expect(strokeOf(press(']', { code: 'Minus', ...altGraph }), false)).toBe(']');
    expect(strokeOf(press('€', { code: 'KeyE', ...altGraph }), false)).toBeUndefined();
    expect(strokeOf(press('ł', { code: 'KeyL', ...altGraph }), false)).toBeUndefined();
    expect(strokeOf(press('[', { code: 'Digit5', altKey: true }), true)).toBe('[');
    // On a Mac Firefox gives that name to Option.
    expect(strokeOf(press('µ', { code: 'KeyM', ...altGraph, ctrlKey: false }), true)).toBe('alt+m');
    expect(strokeOf(press('[', { code: 'BracketLeft', altKey: true }), true)).toBe('alt+[');
  });

  test.each([
    ['[', 'Digit5', false, true],
    ['|', 'KeyL', true, true],
    ['@', 'KeyL', false, true],
    ['#', 'Digit3', false, true],
    // Meta moves by words in a shell, also on the US layout.
    ['∫', 'KeyB', false, false],
    ['.', 'Period', false, false],
    ['>', 'Period', true, false],
    ['Enter', 'Enter', false, false],
  ])('Option on a Mac makes %j at %s a sign of its own: %s, %s', (key, code, shiftKey, isSign) => {
    expect(isSignByOption(press(key, { code, shiftKey, altKey: true }))).toBe(isSign);
    expect(isSignByOption(press(key, { code, shiftKey }))).toBe(false);
  });

  test('with mod on a non-Latin layout the key’s position decides', () => {
    expect(strokeOf(press('л', { ctrlKey: true, code: 'KeyK' }), false)).toBe('mod+k');
    expect(strokeOf(press('л', { code: 'KeyK' }), false)).toBe('k');
    expect(strokeOf(press('ч', { ctrlKey: true, code: 'Comma' }), false)).toBe('mod+,');
    expect(strokeOf(press('١', { ctrlKey: true, code: 'Digit1' }), false)).toBe('mod+1');
  });

  test('a Latin layout keeps its own letters, and Option on a Mac uses the key’s position', () => {
    expect(strokeOf(press('ö', { ctrlKey: true, code: 'Semicolon' }), false)).toBe('mod+ö');
    expect(strokeOf(press('k', { ctrlKey: true, code: 'KeyV' }), false)).toBe('mod+k');
    expect(strokeOf(press('√', { altKey: true, code: 'KeyV' }), true)).toBe('alt+v');
    expect(strokeOf(press('å', { altKey: true, code: 'KeyA' }), true)).toBe('alt+a');
  });

  test('a modifier alone is no stroke', () => {
    for (const key of ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead']) {
      expect(strokeOf(press(key), false)).toBeUndefined();
    }
  });

  test('only keys with mod or alt are chords', () => {
    expect(isChord('mod+k')).toBe(true);
    expect(isChord('alt+v')).toBe(true);
    expect(isChord('shift+g')).toBe(false);
    expect(isChord('g')).toBe(false);
  });
});
