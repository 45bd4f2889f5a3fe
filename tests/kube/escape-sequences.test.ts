import { describe, expect, test } from 'vitest';
import { plainMessage } from '../../src/kube/escape-sequences.ts';
import { cleanLogLine } from '../../src/kube/log-line.ts';
import { cleanText } from '../../src/kube/text.ts';

describe('a message without rests of escape sequences', () => {
  test.each([
    ['whole sequences', '\u001b[1;31mError:\u001b[0m exit 1', 'Error: exit 1'],
    ['a lost escape character', '[31mError:[0m exit 1', 'Error: exit 1'],
    ['several attributes at once', '[1;31mError: exit 1', 'Error: exit 1'],
    ['colours that end one by one', '[90m2026[39m [1mINF[22m up', '2026 INF up'],
    ['a hidden cursor', '[?25l[32mdone[0m[?25h', 'done'],
    ['the escape character of a collector', '#033[31mred#033[0m, <ESC>[1mbold<ESC>[0m', 'red, bold'],
    ['an encoded escape character', '%1B[31mred%1B[0m &#27;[32mgreen&#x1b;[0m <0x1b>[1mx', 'red green x'],
    ['an escape character that is spelled twice', String.raw`\\u001b[31mred\\u001b[0m`, 'red'],
    ['a cleared line', '[2K[32mdone[m', 'done'],
    ['a spelled escape character', String.raw`\u001b[31mError:\x1b[0m exit \033[1m1\e[22m`, 'Error: exit 1'],
    ['carets and replacement characters', '^[[31mError^[[0m: \ufffd[33mx\ufffd[0m', 'Error: x'],
    ['a link', 'see ]8;;https://example.org\\docs]8;;\\ for more', 'see docs for more'],
    ['a spelled title', String.raw`\x1b]0;title\x07failed`, 'failed'],
    ['a title of several words', String.raw`\x1b]0;my title\x07failed`, 'failed'],
    ['a spelled link', String.raw`\u001b]8;;https://x.y\u001b\\docs\u001b]8;;\u001b\\ ok`, 'docs ok'],
    ['a spelled mark of a shell', String.raw`\033]133;A\007failed`, 'failed'],
    ['a spelled string of a device', String.raw`\x1bPq#0\x1b\\failed`, 'failed'],
    ['a spelled set of characters', String.raw`\e(Bfailed`, 'failed'],
    ['a title that ends in an 8-bit character', '\u001b]0;title\u009cfailed', 'failed'],
    ['8-bit titles', '\u009d0;title\u0007failed \u009d0;title\u009conce', 'failed once'],
    ['8-bit strings of a device', '\u0090q#0\u009cfailed', 'failed'],
    ['a title without an end, but no line after it', 'a\u001b]0;title\nfailed', 'a\nfailed'],
  ])('loses %s', (_, text, plain) => expect(plainMessage(cleanText(text))).toBe(plain));

  test.each([
    'rate(errors[5m]) is above 0.1',
    'took [1m 30s], more than [30m, 1h]',
    'spec.containers[0].image: Invalid value',
    'metrics[0m]',
    '[main] started',
    'labels["app"] = [31m',
    'the rule [K8s] applies',
    'waited [39m], [22m] and [1m of 5m',
    'see [1m, then wait [22m] more',
    'issue #033 [a] costs <1b> 100%1',
    String.raw`C:\export\e1 is no folder`,
    'matches ^[a-z]+$ or ^[0-9]',
  ])('keeps %s', (text) => expect(plainMessage(text)).toBe(text));
});

test('a log line keeps its whole colours and loses the rest of broken ones', () => {
  expect(cleanLogLine('[31mred[0m plain')).toBe('red plain');
  expect(cleanLogLine('\u001b[31mred\u001b[0m [1;32mgreen[0m')).toBe('\u001b[31mred\u001b[0m green');
  // An escape character that is spelled goes with its colour, not alone.
  expect(cleanLogLine(String.raw`\x1b[31mred\x1b[0m \u001b[1mbold\u001b[22m`)).toBe('red bold');
  expect(cleanLogLine(String.raw`printf '\033[31m'`)).toBe(String.raw`printf '\033[31m'`);
  expect(cleanLogLine('p99[5m] [0]')).toBe('p99[5m] [0]');
  expect(cleanLogLine('a\u009d0;title\u009cb\u001bPq#0\u009cc')).toBe('abc');
});
