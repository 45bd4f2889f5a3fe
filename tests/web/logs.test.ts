import { describe, expect, test } from 'vitest';
import type { LogLine, LogMessage } from '../../src/contract/log.ts';
import { markMatches, plainText, stretchesOf } from '../../src/web/logs/ansi.ts';
import { createLogBuffer } from '../../src/web/logs/buffer.ts';
import { containersOf, defaultContainer } from '../../src/web/logs/containers.ts';
import { fieldsOf, jsonOf } from '../../src/web/logs/json.ts';
import { type LastLines, readLastLines } from '../../src/web/logs/last-lines.ts';
import { levelOf } from '../../src/web/logs/level.ts';
import { createMatcher, textMatcher } from '../../src/web/logs/matcher.ts';
import { follow, type Look, noLook, noMatches, rowsOf, stepMatch } from '../../src/web/logs/matches.ts';
import { readOptions, writeOptions } from '../../src/web/logs/options.ts';
import { sourceNames } from '../../src/web/logs/source-names.ts';
import { type LogParts, type LogState, readLog, type ShownSource } from '../../src/web/logs/stream.ts';
import { timeText } from '../../src/web/logs/time-text.ts';

const line = (text: string, time = '', source = 0): LogLine => [time, text, source];
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

  test('say where each source goes on: its last time, and how many of its lines have exactly it', () => {
    const buffer = createLogBuffer(10);
    expect(buffer.positions().size).toBe(0);
    buffer.push([
      line('a', '2026-01-01T00:00:01Z'),
      line('b', '2026-01-01T00:00:02Z'),
      line('x', '2026-01-01T00:00:02Z', 1),
      line('c', '2026-01-01T00:00:02Z'),
      ['2026-01-01T00:00:03Z', 'said by the console', 0, 'mark'],
    ]);
    expect(Object.fromEntries(buffer.positions())).toEqual({
      0: { after: '2026-01-01T00:00:02Z', skip: 2 },
      1: { after: '2026-01-01T00:00:02Z', skip: 1 },
    });
    // Lines that wait are noted when they come, and not again when they are kept.
    const later = [line('d', '2026-01-01T00:00:02Z')];
    buffer.note(later);
    buffer.push(later, true);
    expect(buffer.positions().get(0)?.skip).toBe(3);
  });
});

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
      ['', 'Container app was started again.', 0, 'mark'],
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
    expect(createMatcher('(', true)).toMatch(/^This is no pattern that can be read/);
    expect(createMatcher('', true)).toBeUndefined();
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
    const marked = markMatches(stretchesOf('say \u001b[32mHel\u001b[0mlo!'), textMatcher('hello'));
    expect(marked.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['Hel', 'lo']);
    expect(marked.map(({ text }) => text).join('')).toBe('say Hello!');
    expect(markMatches(stretchesOf('abc'), undefined)).toEqual([{ text: 'abc', style: '', isMatch: false }]);
  });

  test('takes any number of codes and of matches, and becomes a bounded number of elements', () => {
    const codes = `\u001b[${'1;'.repeat(200_000)}31mred`;
    expect(stretchesOf(codes)).toEqual([{ text: 'red', style: 'a-red semi' }]);
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

test('what a log shows and how is in the address, and only what is unusual', () => {
  expect(readOptions({}, 'app')).toEqual({
    container: 'app',
    previous: false,
    since: '',
    tail: '2000',
    times: 'local',
    isWrapped: true,
    query: '',
    isRegex: false,
    isOnly: false,
    level: undefined,
    hasFields: false,
  });
  const changed = {
    ...readOptions({}, 'app'),
    since: '1h',
    times: 'utc',
    isWrapped: false,
    level: 'warn',
  } as const;
  const search = Object.fromEntries(
    Object.entries(writeOptions(changed)).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  expect(search).toEqual({
    container: 'app',
    tail: '2000',
    since: '1h',
    times: 'utc',
    wrap: 'off',
    level: 'warn',
  });
  expect(readOptions(search, 'app')).toEqual(changed);
  // Unknown words are as none.
  expect(readOptions({ since: 'ever', level: 'loud', tail: '7' }, 'app')).toEqual(readOptions({}, 'app'));
});

test('sources are told apart by what differs between them', () => {
  const source = (id: number, pod: string, container = 'app'): ShownSource => ({
    id,
    namespace: 'shop',
    pod,
    container,
  });
  expect(sourceNames([source(0, 'api-7d9f-x1')])).toBeUndefined();
  expect(
    sourceNames([source(0, 'api-7d9f-x1'), source(1, 'api-7d9f-x2')])?.map(({ short }) => short),
  ).toEqual(['x1', 'x2']);
  expect(sourceNames([source(0, 'api-0'), source(1, 'api-0', 'proxy')])?.map(({ short }) => short)).toEqual([
    'app',
    'proxy',
  ]);
  expect(sourceNames([source(0, 'api-0'), source(1, 'api-1', 'proxy')])?.[1]).toEqual({
    short: '1/proxy',
    full: 'shop/api-1, container proxy',
    colour: 2,
  });
});

test('a time is written as it is asked for', () => {
  const time = '2026-01-02T03:04:05.678901234Z';
  expect(timeText(time, 'utc', 0)).toBe('2026-01-02 03:04:05.678Z');
  expect(timeText(time, 'relative', Date.parse(time) + 90_000)).toBe('90s ago');
  expect(timeText(time, 'none', 0)).toBe('');
  expect(timeText('soon', 'local', 0)).toBe('');
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
    cluster: '1',
    of: { pods: [{ namespace: 'shop', name: 'api' }] },
    container: 'app',
    previous: false,
    tailLines: 100,
  };
  function world() {
    const sockets: {
      path: string;
      open: () => void;
      message: (text: string) => void;
      closed: () => void;
      sent: unknown[];
      isClosed: boolean;
    }[] = [];
    const states: LogState[] = [];
    const heard: string[] = [];
    const timers: (() => void)[] = [];
    const sources: ShownSource[] = [];
    const buffer = createLogBuffer(100);
    const parts: LogParts = {
      connect: (path, on) => {
        const socket = { path, ...on, sent: [] as unknown[], isClosed: false };
        sockets.push(socket);
        return {
          send: (text) => socket.sent.push(JSON.parse(text)),
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
      positions: () => buffer.positions(),
      sources: () => sources,
      onSource: (source) => sources.push(source),
      onLines: (some) => {
        buffer.push(some);
        heard.push(...some.map(([, text, source]) => `${source} ${text}`));
      },
      onLeftOut: () => {},
      onState: (state) => states.push(state),
    };
    const say = (index: number, message: LogMessage) => sockets[index]?.message(JSON.stringify(message));
    return { parts, sockets, states, heard, timers, say };
  }
  const source = (id: number, pod: string): LogMessage => ({
    type: 'source',
    source: { id, namespace: 'shop', pod, container: 'app' },
  });

  test('a broken line is opened again where it broke, source by source', () => {
    const { parts, sockets, states, heard, timers, say } = world();
    readLog(target, parts);
    expect(sockets[0]?.path).toBe('/api/clusters/1/log');
    sockets[0]?.open();
    const asked = { of: target.of, container: 'app', previous: false, follow: true, tailLines: 100 };
    expect(sockets[0]?.sent).toEqual([asked]);
    const time = '2026-01-01T00:00:01Z';
    say(0, source(0, 'a'));
    say(0, source(1, 'b'));
    say(0, { type: 'lines', lines: [line('one', time, 0), line('two', time, 1), line('three', time, 1)] });
    sockets[0]?.closed();
    expect(states.at(-1)?.type).toBe('reconnecting');
    timers[0]?.();
    sockets[1]?.open();
    expect(sockets[1]?.sent).toEqual([
      {
        ...asked,
        resume: { 'shop/a/app': { after: time, skip: 1 }, 'shop/b/app': { after: time, skip: 2 } },
      },
    ]);
    // The server counts anew; the page's numbers stay.
    say(1, source(0, 'b'));
    say(1, { type: 'lines', lines: [line('four', '2026-01-01T00:00:02Z', 0)] });
    expect(heard).toEqual(['0 one', '1 two', '1 three', '1 four']);
  });

  test('an end is an end: nothing is opened again', () => {
    const { parts, sockets, states, timers, say } = world();
    readLog(target, parts);
    say(0, { type: 'ended', reason: 'gone', title: 'There is no such pod.' });
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

describe('the last lines of what ended', () => {
  const ended = { cluster: '1', namespace: 'shop', pod: 'api-0', container: 'app', previous: true };

  function reading() {
    const sockets: { sent: string[]; on: Parameters<LogParts['connect']>[1]; closed: boolean }[] = [];
    const told: LastLines[] = [];
    const close = readLastLines(
      ended,
      {
        connect: (_path, on) => {
          const one = { sent: [] as string[], on, closed: false };
          sockets.push(one);
          return {
            send: (text) => one.sent.push(text),
            close: () => {
              one.closed = true;
            },
          };
        },
        later: (run) => {
          run();
          return () => {};
        },
        random: () => 0,
      },
      (found) => told.push(found),
    );
    const say = (message: LogMessage) => sockets.at(-1)?.on.message(JSON.stringify(message));
    return { sockets, told, close, say };
  }

  test('are asked for once, of the run that ended, and told without colours and marks', () => {
    const { sockets, told, say } = reading();
    sockets[0]?.on.open();
    expect(JSON.parse(sockets[0]?.sent[0] ?? '')).toMatchObject({
      of: { pods: [{ namespace: 'shop', name: 'api-0' }] },
      container: 'app',
      previous: true,
      follow: false,
      tailLines: 8,
    });
    say({ type: 'lines', lines: [line('\u001b[31mpanic\u001b[0m: no such table'), ['', 'said', 0, 'mark']] });
    expect(told).toEqual([]);
    say({ type: 'ended', reason: 'ended', title: 'This is all of the log.' });
    expect(told).toEqual([{ type: 'read', lines: ['panic: no such table'] }]);
  });

  test('say why there are none', () => {
    const { told, say } = reading();
    say({ type: 'ended', reason: 'forbidden', title: 'Its log may not be read.' });
    expect(told).toEqual([{ type: 'failed', title: 'Its log may not be read.' }]);
  });

  test('are given up after some tries to reach the console', () => {
    const { sockets, told } = reading();
    for (let tries = 0; tries < 3; tries += 1) sockets.at(-1)?.on.closed();
    expect(told).toEqual([{ type: 'failed', title: 'The line to the console broke.' }]);
    const opened = sockets.length;
    sockets.at(-1)?.on.closed();
    expect(sockets.length).toBe(opened);
  });
});
