import { array, assert, configureGlobal, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markMatches, plainText, stretchesOf } from '../../../src/web/features/logs/ansi.ts';
import { fieldsOf, jsonOf } from '../../../src/web/features/logs/json.ts';
import { levelOf } from '../../../src/web/features/logs/level.ts';
import { textMatcher } from '../../../src/web/features/logs/matcher.ts';
import { timeText } from '../../../src/web/features/logs/time-text.ts';
import { proof } from '../../prove.ts';

configureGlobal(proof());

describe('a line of a log', () => {
  test('is cut by its colours; what is no colour is left out', () => {
    const text = 'a\u001b[1;31mb\u001b[38;5;208mc\u001b[0md';
    expect(stretchesOf(text)).toEqual([
      { text: 'a', className: '' },
      { text: 'b', className: 'text-bad-fg font-semibold' },
      { text: 'c', className: 'text-bad-fg font-semibold' },
      { text: 'd', className: '' },
    ]);
    expect(plainText(text)).toBe('abcd');
    expect(stretchesOf('\u001b[90m12:00\u001b[39m')).toEqual([{ text: '12:00', className: 'text-text-2' }]);
  });

  test('shows the text that is searched and copied, whatever codes it has', () => {
    const codes = constantFrom('\u001b[', '\u001b', '1', ';', '31', '38;5;1', 'm', 'K', 'text', ' ', '\r');
    assert(
      property(array(codes), (parts) => {
        const line = parts.join('');
        const shown = stretchesOf(line).map(({ text }) => text);
        expect(shown.join('')).toBe(plainText(line));
      }),
    );
    expect(stretchesOf('done\u001b[K at \u001b[2Klast')).toEqual([
      { text: 'done', className: '' },
      { text: ' at ', className: '' },
      { text: 'last', className: '' },
    ]);
  });

  test('marks matches across colours', () => {
    const marked = markMatches(stretchesOf('say \u001b[32mHel\u001b[0mlo!'), textMatcher('hello'));
    expect(marked.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['Hel', 'lo']);
    expect(marked.map(({ text }) => text).join('')).toBe('say Hello!');
    expect(markMatches(stretchesOf('abc'), undefined)).toEqual([
      { text: 'abc', className: '', isMatch: false },
    ]);
  });

  test('takes any number of codes and of matches, and becomes a bounded number of elements', () => {
    const codes = `\u001b[${'1;'.repeat(200_000)}31mred`;
    expect(stretchesOf(codes)).toEqual([{ text: 'red', className: 'text-bad-fg font-semibold' }]);
    const stripes = 'a\u001b[1mb\u001b[0m'.repeat(5_000);
    const striped = stretchesOf(stripes);
    expect(striped.length).toBeLessThan(1_000);
    expect(striped.map(({ text }) => text).join('')).toBe(plainText(stripes));
    const line = 'x'.repeat(300_000);
    const marked = markMatches(stretchesOf(line), textMatcher('x'));
    expect(marked.length).toBeLessThan(1_000);
    expect(marked.map(({ text }) => text).join('')).toBe(line);
  });

  test.each([
    ['2026-01-01 ERROR cannot connect', 'error'],
    ['{"level":"error","msg":"x"}', 'error'],
    ['{"level":50,"msg":"x"}', 'error'],
    ['{"severity":"NOTICE","message":"ERROR in a message"}', 'info'],
    ['level=warn msg="slow"', 'warn'],
    ['E0102 12:00:00 failed', 'error'],
    ['[WARN] low', 'warn'],
    ['09:13:15 INFO starting', 'info'],
    ['DEBUG poll', 'debug'],
    ['2026-11-21T18:24:10.718Z  WARN 1 --- [search] [nio-8080-exec-3] e.a.Search : slow', 'warn'],
    ['2026-11-21 18:24:10.718  INFO 1 --- [main] e.a.ErrorHandler : error pages are known', 'info'],
    ['2026-11-21T18:24:10Z\terror\tcontroller\tfailed', 'error'],
    ['INFO cart error rate is low', 'info'],
    ['INFO asked with level=error', 'info'],
    ['time=2026-11-21T18:24:10Z level=INFO source=error.go:7 msg="error pages"', 'info'],
    ['18:24:10 trace level=7', 'debug'],
    ['I0102 12:00:00 error budget computed', 'info'],
    ['2026-11-21 18:24:10.718 UTC [21] ERROR:  duplicate key', 'error'],
    ['2026-11-21 18:24:10.718 UTC [21] LOG:  checkpoint complete', 'info'],
    ['log in to go on', undefined],
    [`${' \t'.repeat(5_000)}error`, undefined],
    ['GET /errors 200', undefined],
    ['no problem at all', undefined],
  ])('%s', (text, level) => expect(levelOf(text)).toBe(level));
});

test('a line of JSON gives its message and its other fields', () => {
  expect(jsonOf('{"a":1')).toBeUndefined();
  expect(jsonOf('[1]')).toBeUndefined();
  expect(fieldsOf(jsonOf(' {"time":"t","msg":"done","n":2,"o":{"p":1}} ') ?? {})).toEqual({
    message: 'done',
    fields: [
      ['n', '2'],
      ['o', '{"p":1}'],
    ],
  });
});

test('a time is written as it is asked for', () => {
  const time = '2026-01-02T03:04:05.678901234Z';
  expect(timeText(time, 'utc', 0)).toBe('2026-01-02 03:04:05.678Z');
  expect(timeText(time, 'relative', Date.parse(time) + 90_000)).toBe('90s ago');
  expect(timeText(time, 'none', 0)).toBe('');
  expect(timeText('soon', 'local', 0)).toBe('');
});
