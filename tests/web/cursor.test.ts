import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/contract/live.ts';
import { cursorRow } from '../../src/web/features/list/cursor.ts';

const rows = (...uids: readonly string[]) => ({
  size: uids.length,
  at: (index: number): Row | undefined => {
    const uid = uids[index];
    return uid === undefined ? undefined : [uid, []];
  },
  indexOf: (uid: string) => uids.indexOf(uid),
});
const at = (uid: string, index: number, filter = '') => ({ uid, index, filter });

describe('the cursor of a list', () => {
  test('is on the first row as soon as there is one', () => {
    expect(cursorRow(rows(), undefined, '')).toBe(-1);
    expect(cursorRow(rows('a', 'b'), undefined, '')).toBe(0);
  });

  test('stays on its object, wherever that goes', () => {
    expect(cursorRow(rows('c', 'b', 'a'), at('a', 0), '')).toBe(2);
    expect(cursorRow(rows('a', 'b', 'c'), at('a', 2), '')).toBe(0);
    expect(cursorRow(rows('a', 'b'), at('a', 9), '')).toBe(0);
  });

  test('is on the row that took the place of an object that went', () => {
    expect(cursorRow(rows('a', 'c'), at('b', 1), '')).toBe(1);
    expect(cursorRow(rows('a'), at('b', 1), '')).toBe(0);
    expect(cursorRow(rows(), at('b', 1), '')).toBe(-1);
  });

  test('goes to the first row of what is newly filtered, and stays on its object when the filter is taken away', () => {
    expect(cursorRow(rows('a', 'b', 'c'), at('c', 2), 'x')).toBe(0);
    expect(cursorRow(rows('a', 'b', 'c'), at('c', 0, 'x'), '')).toBe(2);
    expect(cursorRow(rows('a', 'b', 'c'), at('c', 0, 'x'), 'x')).toBe(2);
  });
});
