import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../src/contract/log.ts';
import { createLogBuffer } from '../../../src/web/features/logs/buffer.ts';
import { compileRegex } from '../../../src/web/data/rows/regex-engine.ts';
import type { RegexEngine } from '../../../src/web/data/rows/use-regex-engine.ts';
import { createMatcher, type Matcher, textMatcher } from '../../../src/web/features/logs/matcher.ts';
import {
  follow,
  type Look,
  noLook,
  searchedLine,
  noMatches,
  rowsOf,
  stepMatch,
} from '../../../src/web/features/logs/matches.ts';

const engine: RegexEngine = { compile: compileRegex };
function regexMatcher(query: string): Matcher {
  const matcher = createMatcher(query, true, engine);
  if (typeof matcher !== 'object') throw new Error(matcher ?? 'no matcher');
  return matcher;
}

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

  test('finds the ends of what is shown of a line of JSON, and of the whole line where that is shown', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push([
      line('{"level":"info","msg":"job started","job":"a17"}'),
      line('{"level":"error","msg":"said \\"no\\"","job":"b42"}'),
      line('job started'),
    ]);
    const found = (query: string, hasFields: boolean) =>
      follow(noMatches, { ...noLook, matcher: regexMatcher(query), hasFields }, buffer).matches;
    expect(found('started$', true)).toEqual([0, 2]);
    expect(found('^job', true)).toEqual([0, 2]);
    expect(found('42$', true)).toEqual([1]);
    expect(found('started$', false)).toEqual([2]);
    expect(follow(noMatches, looking('said "no"'), buffer).matches).toEqual([1]);
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

  test('takes regular expressions, and says of one that cannot be read', () => {
    const pattern = regexMatcher('order-\\d+');
    expect(pattern.test('ORDER-12 done')).toBe(true);
    expect(pattern.ranges('order-1 and order-22')).toEqual([
      [0, 7],
      [12, 20],
    ]);
    expect(regexMatcher('x*').ranges('axxb')).toEqual([[1, 3]]);
    expect(regexMatcher('ü|😀').ranges('😀 Über 😀')).toEqual([
      [0, 2],
      [3, 4],
      [8, 10],
    ]);
    expect(createMatcher('(', true, engine)).toMatch(/^The regular expression \/\(\/ cannot be read/);
    expect(createMatcher('x'.repeat(201), true, engine)).toMatch(/200 characters/);
    expect(createMatcher('', true, engine)).toBeUndefined();
    expect(createMatcher('x', true, {})).toBeUndefined();
    expect(createMatcher('x', true, { problem: 'It could not be loaded.' })).toBe('It could not be loaded.');
  });

  test('takes time in proportion to the log, whatever expression a link brings', () => {
    const hostile = `${'a'.repeat(8_000)}!`;
    for (const query of ['(a+)+$', '(a|aa)+$', '(a*)*b', '((a.*){30})b|c']) {
      const buffer = createLogBuffer(1_000);
      buffer.push(Array.from({ length: 50 }, () => line(hostile)));
      const matcher = regexMatcher(query);
      expect(follow(noMatches, { ...noLook, matcher }, buffer, () => 0).matches).toEqual([]);
      expect(matcher.ranges(hostile)).toEqual([]);
    }
    expect(regexMatcher('(a+)+').ranges(hostile)).toEqual([[0, 8_000]]);
  });

  test('goes on in turns where it takes long', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push(lines(0, 100));
    const look = looking('line');
    let clock = 0;
    const slow = () => (clock += 25);
    const first = follow(noMatches, look, buffer, slow);
    expect([first.isWhole, first.until, first.matches.length]).toEqual([false, 32, 32]);
    let found = first;
    while (!found.isWhole) found = follow(found, look, buffer, slow);
    expect(found.matches).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test('begins at the nearest match above, else at the first below', () => {
    const from = (line: number) => searchedLine({ matches: [2, 5, 9] }, { line, isAtEnd: false });
    expect([1, 2, 4, 5, 8, 9, 50].map(from)).toEqual([2, 2, 2, 5, 5, 9, 9]);
    expect(searchedLine(noMatches, { line: 3, isAtEnd: false })).toBeUndefined();
  });

  test('goes to no match while the log is followed', () => {
    const origin = { line: Number.POSITIVE_INFINITY, isAtEnd: true };
    expect(searchedLine({ matches: [2, 5, 9] }, origin)).toBeUndefined();
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
