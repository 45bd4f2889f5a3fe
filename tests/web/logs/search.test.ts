import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../src/contract/log.ts';
import { createLogBuffer } from '../../../src/web/features/logs/buffer.ts';
import { createMatcher, textMatcher } from '../../../src/web/features/logs/matcher.ts';
import {
  follow,
  type Look,
  noLook,
  nearestMatch,
  noMatches,
  rowsOf,
  stepMatch,
} from '../../../src/web/features/logs/matches.ts';

const line = (text: string, time = '', source = 0): LogLine => [time, text, source];
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(`line ${from + index}`));

describe('a search in a log', () => {
  const looking = (query: string, more: Partial<Look> = {}): Look => ({
    ...noLook,
    matcher: textMatcher(query),
    ...more,
  });

  test('finds lines by their text without colours, and only looks at new ones', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push([line('an \u001b[31mErr\u001b[0mor'), line('fine'), line('ERROR again')]);
    const look = looking('error');
    const first = follow(noMatches, look, buffer);
    expect(first.matches).toEqual([0, 2]);
    expect(first.shown).toBeUndefined();
    expect(follow(first, look, buffer)).toBe(first);
    buffer.push([line('one more error')]);
    expect(follow(first, look, buffer).matches).toEqual([0, 2, 3]);
    expect(follow(first, looking('fine'), buffer).matches).toEqual([1]);
    expect(follow(first, noLook, buffer).matches).toEqual([]);
  });

  test('forgets matches with the lines', () => {
    const buffer = createLogBuffer(500);
    buffer.push([line('needle'), ...lines(1, 499)]);
    const look = looking('needle', { isOnly: true });
    const first = follow(noMatches, look, buffer);
    expect(first.shown).toEqual([0]);
    buffer.push(lines(500, 2_000));
    const second = follow(first, look, buffer);
    expect(second.matches).toEqual([]);
    expect(second.shown).toEqual([]);
  });

  test('can leave the other lines out, and quiet ones: what follows a loud line belongs to it', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push([
      line('INFO started'),
      line('ERROR broken'),
      line('  at main.ts:1'),
      line('{"level":30,"msg":"fine"}', '', 1),
      line('{"level":"warn","msg":"slow"}', '', 1),
      ['', 'Container app restarted.', 0, 'mark'],
      line('INFO again'),
    ]);
    const loud = follow(noMatches, { ...noLook, level: 'warn' }, buffer);
    expect(loud.shown).toEqual([1, 2, 4, 5]);
    const rows = rowsOf(buffer, loud);
    expect([rows.count, rows.at(2), rows.indexOf(4), rows.indexOf(3)]).toEqual([4, 4, 2, 2]);
    expect(follow(noMatches, looking('again', { isOnly: true }), buffer).shown).toEqual([5, 6]);
    expect(follow(noMatches, looking('again', { isOnly: true }), buffer).matches).toEqual([6]);
    expect(rowsOf(buffer, noMatches).count).toBe(7);
  });

  test('takes patterns, and says of one that cannot be read', () => {
    const pattern = createMatcher('order-\\d+', true);
    if (typeof pattern !== 'object') throw new Error('no matcher');
    expect(pattern.test('ORDER-12 done')).toBe(true);
    expect(pattern.ranges('order-1 and order-22')).toEqual([
      [0, 7],
      [12, 20],
    ]);
    expect(createMatcher('x*', true)).toMatchObject({});
    expect(createMatcher('(', true)).toMatch(/^Invalid regular expression/);
    expect(createMatcher('', true)).toBeUndefined();
  });

  test('begins at the nearest match above, else at the first below', () => {
    const found = { matches: [2, 5, 9] };
    expect([1, 2, 4, 5, 8, 9, 50, Number.POSITIVE_INFINITY].map((line) => nearestMatch(found, line))).toEqual(
      [2, 2, 2, 5, 5, 9, 9, 9],
    );
    expect(nearestMatch(noMatches, 3)).toBeUndefined();
  });

  test('steps round the ends', () => {
    const found = { matches: [2, 5, 9] };
    expect(stepMatch(found, undefined, 1)).toBe(2);
    expect(stepMatch(found, undefined, -1)).toBe(9);
    expect(stepMatch(found, 5, 1)).toBe(9);
    expect(stepMatch(found, 9, 1)).toBe(2);
    expect(stepMatch(found, 2, -1)).toBe(9);
    expect(stepMatch(noMatches, 2, 1)).toBeUndefined();
  });
});
