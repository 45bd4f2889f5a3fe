import { describe, expect, test } from 'vitest';
import { createListMarks } from '../../src/web/core/state/list-marks.ts';

describe('the marks of a list', () => {
  test('tell of a cursor that is put in the row it was put in before, since it was drawn elsewhere meanwhile', () => {
    const marks = createListMarks();
    let count = 0;
    marks.cursorPut.subscribe(() => (count += 1));
    marks.putCursor({ uid: 'a', index: 3, filter: '' });
    marks.noteCursor({ uid: 'b', index: 0, filter: 'x' });
    expect(marks.cursor()).toEqual({ uid: 'b', index: 0, filter: 'x' });
    expect(count).toBe(1);
    marks.putCursor({ uid: 'a', index: 3, filter: '' });
    expect(count).toBe(2);
    expect(marks.cursor()?.uid).toBe('a');
  });

  test('select one row, from one to another in either direction, all that show, and none', () => {
    const marks = createListMarks();
    const shown = ['a', 'b', 'c', 'd'];
    const selected = () => [...marks.selected.get()].sort().join('');
    marks.extend('b', shown);
    expect(selected()).toBe('b');
    marks.extend('d', shown);
    expect(selected()).toBe('bcd');
    marks.extend('a', shown);
    expect(selected()).toBe('abcd');
    marks.toggle('c');
    expect(selected()).toBe('abd');
    marks.extend('x', shown);
    expect(selected()).toBe('abdx');
    marks.toggleAll(shown);
    expect(selected()).toBe('abcd');
    marks.toggleAll(shown);
    expect(selected()).toBe('');
    marks.toggle('a');
    marks.clear();
    expect(selected()).toBe('');
  });

  test('stretch over neighbours, and go back over them', () => {
    const marks = createListMarks();
    const selected = () => [...marks.selected.get()].sort().join('');
    marks.stretch('b', 'c');
    marks.stretch('c', 'd');
    expect(selected()).toBe('bcd');
    marks.stretch('d', 'c');
    expect(selected()).toBe('bc');
    marks.stretch('c', 'b');
    expect(selected()).toBe('b');
    marks.stretch('b', 'a');
    expect(selected()).toBe('ab');
  });

  test('forget where a range began once the selection is cleared', () => {
    const marks = createListMarks();
    marks.toggle('a');
    marks.clear();
    marks.extend('c', ['a', 'b', 'c']);
    expect([...marks.selected.get()]).toEqual(['c']);
  });

  test('draw a selection anew at each change, and never the one before it', () => {
    const marks = createListMarks();
    const before = marks.selected.get();
    marks.toggle('a');
    expect(marks.selected.get()).not.toBe(before);
    expect(before.size).toBe(0);
  });
});
