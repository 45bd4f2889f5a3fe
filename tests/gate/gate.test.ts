import { describe, expect, test } from 'vitest';
import { secondsOfTimes } from './cpu.ts';
import { failuresText, figuresTable, slowestTests } from './figures.ts';
import { OrderedOutput } from './output.ts';
import { type Part, partsDue, type PartState } from './plan.ts';
import { failureOf } from './results.ts';
import { longestFirst, timingsOf } from './timings.ts';

describe('parts of the gate', () => {
  const parts: readonly Part[] = [
    { name: 'types', command: [], after: [] },
    { name: 'lint', command: [], after: ['types'] },
    { name: 'page', command: [], after: [] },
    { name: 'e2e', command: [], after: ['page'], isDue: () => false },
  ];
  const due = (states: Partial<Record<Part['name'], PartState>>): readonly string[] =>
    partsDue(parts, (name) => states[name]).map(({ name }) => name);

  test('begin together where none waits for another', () => {
    expect(due({ types: 'waiting', lint: 'waiting', page: 'waiting', e2e: 'waiting' })).toEqual([
      'types',
      'page',
    ]);
  });

  test('begin once those before them have ended, and their own condition holds', () => {
    expect(due({ types: 'ended', lint: 'waiting', page: 'ended', e2e: 'waiting' })).toEqual(['lint']);
  });

  test('never wait for a part that is left out', () => {
    expect(due({ lint: 'waiting' })).toEqual(['lint']);
  });
});

test('output of parts that run at once is shown part by part, the first one as it comes', () => {
  let shown = '';
  const output = new OrderedOutput(['one', 'other'], (text) => {
    shown += text;
  });
  output.add('other', 'b');
  output.add('one', 'a');
  expect(shown).toBe('\n── one ──\na');
  output.end('other');
  output.end('one');
  expect(shown).toBe('\n── one ──\na\n── other ──\nb');
});

test('files begin in the order of their times, new ones before all others', () => {
  const files = ['short', 'new', 'long'];
  expect(longestFirst(files, (file) => file, { short: 1, long: 9 })).toEqual(['new', 'long', 'short']);
});

test('times are noted in whole seconds, by name', () => {
  expect(Object.entries(timingsOf({ b: 1_400, a: 2_600 }))).toEqual([
    ['a', 3],
    ['b', 1],
  ]);
});

test('processor time is read from what the shell prints of itself and its children', () => {
  expect(secondsOfTimes('0m0.50s 0m0.25s\n1m2.00s 0m3.25s\n')).toBe(66);
});

test('figures are shown with their change, and what is new as new', () => {
  const before = {
    commit: 'aaaa',
    parts: { types: { cpu: 80, wall: 60 } },
    total: { cpu: 80, wall: 60 },
    lines: 100,
  };
  const now = {
    ...before,
    commit: 'bbbb',
    parts: { types: { cpu: 60, wall: 30 }, page: { cpu: 20, wall: 15 } },
    page: { entry: 1, firstList: 2, everything: 3 },
    lines: 110,
  };
  const table = figuresTable(now, before);
  expect(table).toMatch(/types +60 +-20 +0\.5 +1\.0/);
  expect(table).toMatch(/page +20 +new +0\.3 +new/);
  expect(table).toMatch(/lines of source +110 +\+10/);
});

test('the slowest tests of both runners are listed, the slowest first', () => {
  const runs = [
    { files: {}, tests: [{ title: 'quick', ms: 10 }], failures: [] },
    { files: {}, tests: [{ title: 'slow', ms: 2_500 }], failures: [] },
  ];
  expect(slowestTests(runs, 1)).toBe('    2.5 s  slow');
});

test('failures end the output, each in two lines and without colours', () => {
  const failures = ['one', 'two', 'three'].map((title) =>
    failureOf(title, '\u001B[31mexpected\u001B[39m\n\n  1 to be 2'),
  );
  expect(failuresText(failures, 1)).toBe('Failures\n  one\n    expected 1 to be 2\n  and 2 more, above');
});
