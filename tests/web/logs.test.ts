import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../src/contract/log.ts';
import { markMatches, plainText, stretchesOf } from '../../src/web/logs/ansi.ts';
import { createLogBuffer } from '../../src/web/logs/buffer.ts';
import { containersOf, defaultContainer } from '../../src/web/logs/containers.ts';
import { levelOf } from '../../src/web/logs/level.ts';
import { follow, noMatches, stepMatch } from '../../src/web/logs/matches.ts';
import { type LogParts, type LogState, readLog } from '../../src/web/logs/stream.ts';

const line = (text: string, time = ''): LogLine => [time, text];
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(`line ${from + index}`));

describe('the lines kept of a log', () => {
  test('are bounded; the oldest go, and every line keeps its number', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push(lines(0, 900));
    buffer.push(lines(900, 3_000));
    expect(buffer.end).toBe(3_900);
    expect(buffer.end - buffer.first).toBeLessThanOrEqual(1_500);
    expect(buffer.end - buffer.first).toBeGreaterThanOrEqual(1_000);
    expect(buffer.at(buffer.first)?.[1]).toBe(`line ${buffer.first}`);
    expect(buffer.at(3_899)?.[1]).toBe('line 3899');
    expect(buffer.at(buffer.first - 1)).toBeUndefined();
    expect(buffer.at(3_900)).toBeUndefined();
  });

  test('say where to go on: the last time, and how many lines have exactly it', () => {
    const buffer = createLogBuffer(10);
    expect(buffer.resume()).toBeUndefined();
    buffer.push([
      line('a', '2026-01-01T00:00:01Z'),
      line('b', '2026-01-01T00:00:02Z'),
      line('c', '2026-01-01T00:00:02Z'),
    ]);
    expect(buffer.resume()).toEqual({ after: '2026-01-01T00:00:02Z', skip: 2 });
  });
});

describe('a search in a log', () => {
  test('finds lines by their text without colours, and only looks at new ones', () => {
    const buffer = createLogBuffer(1_000);
    buffer.push([line('an \u001b[31mErr\u001b[0mor'), line('fine'), line('ERROR again')]);
    const first = follow(noMatches, 'error', buffer);
    expect(first).toEqual({ query: 'error', lines: [0, 2], until: 3 });
    expect(follow(first, 'error', buffer)).toBe(first);
    buffer.push([line('one more error')]);
    expect(follow(first, 'error', buffer).lines).toEqual([0, 2, 3]);
    expect(follow(first, 'fine', buffer).lines).toEqual([1]);
    expect(follow(first, '', buffer)).toBe(noMatches);
  });

  test('forgets matches with the lines', () => {
    const buffer = createLogBuffer(500);
    buffer.push([line('needle'), ...lines(1, 499)]);
    const first = follow(noMatches, 'needle', buffer);
    buffer.push(lines(500, 2_000));
    expect(follow(first, 'needle', buffer).lines).toEqual([]);
  });

  test('steps round the ends', () => {
    const matches = { query: 'x', lines: [2, 5, 9], until: 10 };
    expect(stepMatch(matches, undefined, 1)).toBe(2);
    expect(stepMatch(matches, undefined, -1)).toBe(9);
    expect(stepMatch(matches, 5, 1)).toBe(9);
    expect(stepMatch(matches, 9, 1)).toBe(2);
    expect(stepMatch(matches, 2, -1)).toBe(9);
    expect(stepMatch(noMatches, 2, 1)).toBeUndefined();
  });
});

describe('a line of a log', () => {
  test('is cut by its colours; what is no colour is left out', () => {
    const text = 'a\u001b[1;31mb\u001b[38;5;208mc\u001b[0md';
    expect(stretchesOf(text)).toEqual([
      { text: 'a', style: '' },
      { text: 'b', style: 'a-red semi' },
      { text: 'c', style: 'a-red semi' },
      { text: 'd', style: '' },
    ]);
    expect(plainText(text)).toBe('abcd');
  });

  test('marks matches across colours', () => {
    const marked = markMatches(stretchesOf('say \u001b[32mHel\u001b[0mlo!'), 'hello');
    expect(marked.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['Hel', 'lo']);
    expect(marked.map(({ text }) => text).join('')).toBe('say Hello!');
    expect(markMatches(stretchesOf('abc'), '')).toEqual([{ text: 'abc', style: '', isMatch: false }]);
  });

  test('takes any number of codes and of matches, and becomes a bounded number of elements', () => {
    const codes = `\u001b[${'1;'.repeat(200_000)}31mred`;
    expect(stretchesOf(codes)).toEqual([{ text: 'red', style: 'a-red semi' }]);
    const stripes = 'a\u001b[1mb\u001b[0m'.repeat(5_000);
    const striped = stretchesOf(stripes);
    expect(striped.length).toBeLessThan(1_000);
    expect(striped.map(({ text }) => text).join('')).toBe(plainText(stripes));
    const line = 'x'.repeat(300_000);
    const marked = markMatches(stretchesOf(line), 'x');
    expect(marked.length).toBeLessThan(1_000);
    expect(marked.map(({ text }) => text).join('')).toBe(line);
  });

  test.each([
    ['2026-01-01 ERROR cannot connect', 'bad'],
    ['{"level":"error","msg":"x"}', 'bad'],
    ['level=warn msg="slow"', 'warn'],
    ['E0102 12:00:00 failed', 'bad'],
    ['[WARN] low', 'warn'],
    ['GET /errors 200', undefined],
    ['no problem at all', undefined],
  ])('%s', (text, level) => expect(levelOf(text)).toBe(level));
});

test('the container meant is the one kubectl would take', () => {
  const pod = {
    metadata: { annotations: { 'kubectl.kubernetes.io/default-container': 'app' } },
    spec: { containers: [{ name: 'proxy' }, { name: 'app' }], initContainers: [{ name: 'init' }] },
  };
  expect(defaultContainer(pod)).toBe('app');
  expect(defaultContainer({ spec: { containers: [{ name: 'proxy' }] } })).toBe('proxy');
  expect(defaultContainer({})).toBe('');
  expect(containersOf(pod).map(({ name }) => name)).toEqual(['proxy', 'app', 'init']);
});

describe('reading a log', () => {
  const target = {
    self: { cluster: '1', kind: 'pod', namespace: 'shop', name: 'api' },
    container: 'app',
    previous: false,
    tailLines: 100,
  };
  function world() {
    const sockets: {
      path: string;
      message: (text: string) => void;
      closed: () => void;
      isClosed: boolean;
    }[] = [];
    const states: LogState[] = [];
    const heard: string[] = [];
    const timers: (() => void)[] = [];
    const buffer = createLogBuffer(100);
    const parts: LogParts = {
      connect: (path, on) => {
        const socket = { path, ...on, isClosed: false };
        sockets.push(socket);
        return {
          close: () => {
            socket.isClosed = true;
          },
        };
      },
      later: (run) => {
        timers.push(run);
        return () => timers.splice(timers.indexOf(run), 1);
      },
      random: () => 0.5,
      resume: () => buffer.resume(),
      onLines: (some) => {
        buffer.push(some);
        heard.push(...some.map(([, text]) => text));
      },
      onState: (state) => states.push(state),
    };
    return { parts, sockets, states, heard, timers };
  }

  test('a broken line is opened again where it broke', () => {
    const { parts, sockets, states, heard, timers } = world();
    readLog(target, parts);
    expect(sockets[0]?.path).toBe(
      '/api/clusters/1/pods/shop/api/log?container=app&previous=false&follow=true&tailLines=100',
    );
    const time = '2026-01-01T00:00:01Z';
    sockets[0]?.message(
      JSON.stringify({
        type: 'lines',
        lines: [
          [time, 'a'],
          [time, 'b'],
        ],
      }),
    );
    sockets[0]?.closed();
    expect(states.at(-1)?.type).toBe('reconnecting');
    timers[0]?.();
    expect(sockets[1]?.path).toContain(`after=${encodeURIComponent(time)}&skip=2`);
    expect(heard).toEqual(['a', 'b']);
  });

  test('an end is an end: nothing is opened again', () => {
    const { parts, sockets, states, timers } = world();
    readLog(target, parts);
    sockets[0]?.message(JSON.stringify({ type: 'ended', reason: 'gone', title: 'There is no such pod.' }));
    sockets[0]?.closed();
    expect(states.at(-1)).toMatchObject({ type: 'ended', reason: 'gone' });
    expect(timers).toEqual([]);
  });

  test('closed, it says nothing more', () => {
    const { parts, sockets, states } = world();
    const close = readLog(target, parts);
    close();
    sockets[0]?.closed();
    expect(sockets[0]?.isClosed).toBe(true);
    expect(states).toEqual([{ type: 'opening' }]);
  });
});
