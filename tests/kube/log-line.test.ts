import { describe, expect, test } from 'vitest';
import { cleanLogLine, lastWritten, logTimeKey, splitLogLine } from '../../src/kube/log-line.ts';

describe('a log line', () => {
  test('keeps colours and tabs, and loses all other sequences and control characters', () => {
    expect(cleanLogLine('\u001b[31mred\u001b[0m\tok')).toBe('\u001b[31mred\u001b[0m\tok');
    expect(cleanLogLine('\u001b[1;38:5:9mbright\u001b[m')).toBe('\u001b[1;38:5:9mbright\u001b[m');
    expect(cleanLogLine('a\u001b[2Jb\u001b[10;10Hc\u001b]0;title\u0007d\u001b]8;;x\u001b\\e')).toBe('abcde');
    expect(cleanLogLine('a\u0000b\u0008c\rd\u009be\u202ef\u001bPq\u001b\\g\u001bch')).toBe('abcdefgh');
    expect(cleanLogLine('end\u001b')).toBe('end');
    expect(cleanLogLine('a\u00adb\u061cc\u2028d\u180ee\nf')).toBe('abcdef');
  });

  test.each([
    ['no return', 'no return'],
    ['a line of another system\r', 'a line of another system'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['10 %\r50 %\r\r', '50 %'],
    ['\r\r', ''],
    ['\rfirst', 'first'],
    ['\u001b[31mred\u001b[0m\u001b[32m10 %\rdone\u001b[0m', '\u001b[32mdone\u001b[0m'],
    ['', ''],
  ])('%j, overwritten by carriage returns, shows what a terminal would show', (line, left) =>
    expect(lastWritten(line)).toBe(left),
  );

  test('is split from its timestamp, if it has one', () => {
    expect(splitLogLine('2026-01-01T00:00:00.123456789Z hello there')).toEqual([
      '2026-01-01T00:00:00.123456789Z',
      'hello there',
    ]);
    expect(splitLogLine('2026-01-01T00:00:00Z')).toEqual(['2026-01-01T00:00:00Z', '']);
    expect(splitLogLine('no time')).toEqual(['', 'no time']);
  });

  test.each([
    ['2026-11-28T22:00:15.000000000+08:00 line 15', '2026-11-28T14:00:15.000000000Z', 'line 15'],
    ['2026-11-28T09:00:15.25-05:00 line 15', '2026-11-28T14:00:15.25Z', 'line 15'],
    ['2026-11-28T19:30:15+05:30 line 15', '2026-11-28T14:00:15Z', 'line 15'],
    ['2026-11-28T14:00:15-00:00 line 15', '2026-11-28T14:00:15Z', 'line 15'],
    ['2026-11-28t14:00:15z line 15', '2026-11-28T14:00:15Z', 'line 15'],
    ['2027-01-01T00:30:00.5+01:00  indented', '2026-12-31T23:30:00.5Z', ' indented'],
    ['2026-11-28T14:00:15.123456789123Z line', '2026-11-28T14:00:15.123456789Z', 'line'],
    ['2026-11-28T14:00:15+02:00', '2026-11-28T12:00:15Z', ''],
    ['2026-11-28T14:00:15+99:00 text', '', '2026-11-28T14:00:15+99:00 text'],
    ['2026-99-28T14:00:15+01:00 text', '', '2026-99-28T14:00:15+01:00 text'],
    ['2026-11-28T14:00:15Zulu', '', '2026-11-28T14:00:15Zulu'],
  ])('%j has its time in UTC, whatever offset the node writes', (line, time, text) =>
    expect(splitLogLine(line)).toEqual([time, text]),
  );

  test('sorts by its timestamp, however many digits that has', () => {
    const times = ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456789Z'];
    expect(times.toSorted((a, b) => (logTimeKey(a) < logTimeKey(b) ? -1 : 1))).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.123456789Z',
      '2026-01-01T00:00:00.5Z',
    ]);
  });
});
