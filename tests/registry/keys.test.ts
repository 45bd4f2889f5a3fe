import { describe, expect, test } from 'vitest';
import { isChord, type KeyPress, parseKeys, strokeOf } from '../../src/registry/keys.ts';

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

  test('with mod on a non-Latin layout the key’s position decides', () => {
    expect(strokeOf(press('л', { ctrlKey: true, code: 'KeyK' }), false)).toBe('mod+k');
    expect(strokeOf(press('л', { code: 'KeyK' }), false)).toBe('л');
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
