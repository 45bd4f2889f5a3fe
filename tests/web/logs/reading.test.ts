import { describe, expect, test } from 'vitest';
import type { LogLine, LogMessage } from '../../../src/contract/log.ts';
import { createLogBuffer } from '../../../src/web/features/logs/buffer.ts';
import { type LastLines, readLastLines } from '../../../src/web/features/logs/last-lines.ts';
import {
  type LogParts,
  type LogState,
  readLog,
  type ShownSource,
} from '../../../src/web/features/logs/stream.ts';

import type { SocketEvents } from '../../../src/web/data/socket/socket.ts';

const line = (text: string, time = '', source = 0): LogLine => [time, text, source];

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
      on: SocketEvents;
      sent: unknown[];
      isClosed: boolean;
    }[] = [];
    const states: LogState[] = [];
    const heard: string[] = [];
    const timers: (() => void)[] = [];
    const sources: ShownSource[] = [];
    const buffer = createLogBuffer(100);
    const parts: LogParts = {
      connect: (path) => (on) => {
        const socket = { path, on, sent: [] as unknown[], isClosed: false };
        sockets.push(socket);
        return {
          send: (text) => socket.sent.push(JSON.parse(String(text))),
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
    const say = (index: number, message: LogMessage) => sockets[index]?.on.onMessage(JSON.stringify(message));
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
    sockets[0]?.on.onOpen();
    const asked = { of: target.of, container: 'app', previous: false, follow: true, tailLines: 100 };
    expect(sockets[0]?.sent).toEqual([asked]);
    const time = '2026-01-01T00:00:01Z';
    say(0, source(0, 'a'));
    say(0, source(1, 'b'));
    say(0, { type: 'lines', lines: [line('one', time, 0), line('two', time, 1), line('three', time, 1)] });
    sockets[0]?.on.onClose(1006);
    expect(states.at(-1)?.type).toBe('reconnecting');
    timers[0]?.();
    sockets[1]?.on.onOpen();
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
    sockets[0]?.on.onClose(1006);
    expect(states.at(-1)).toMatchObject({ type: 'ended', reason: 'gone' });
    expect(timers).toEqual([]);
  });

  test('closed, it says nothing more', () => {
    const { parts, sockets, states } = world();
    const close = readLog(target, parts);
    close();
    sockets[0]?.on.onClose(1006);
    expect(sockets[0]?.isClosed).toBe(true);
    expect(states).toEqual([{ type: 'opening' }]);
  });
});

describe('the last lines of what ended', () => {
  const ended = { cluster: '1', namespace: 'shop', pod: 'api-0', container: 'app', previous: true };

  function reading() {
    const sockets: { sent: string[]; on: SocketEvents; closed: boolean }[] = [];
    const told: LastLines[] = [];
    const close = readLastLines(
      ended,
      {
        connect: () => (on) => {
          const one = { sent: [] as string[], on, closed: false };
          sockets.push(one);
          return {
            send: (text) => one.sent.push(String(text)),
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
    const say = (message: LogMessage) => sockets.at(-1)?.on.onMessage(JSON.stringify(message));
    return { sockets, told, close, say };
  }

  test('are read once, from the run that ended, without colours and marks', () => {
    const { sockets, told, say } = reading();
    sockets[0]?.on.onOpen();
    expect(JSON.parse(sockets[0]?.sent[0] ?? '')).toMatchObject({
      of: { pods: [{ namespace: 'shop', name: 'api-0' }] },
      container: 'app',
      previous: true,
      follow: false,
      tailLines: 8,
    });
    say({ type: 'lines', lines: [line('\u001b[31mpanic\u001b[0m: no such table'), ['', 'said', 0, 'mark']] });
    expect(told).toEqual([]);
    say({ type: 'ended', reason: 'ended', title: 'End of the log.' });
    expect(told).toEqual([{ type: 'read', lines: ['panic: no such table'] }]);
  });

  test('say why there are none', () => {
    const { told, say } = reading();
    say({ type: 'ended', reason: 'forbidden', title: 'Its log may not be read.' });
    expect(told).toEqual([{ type: 'failed', title: 'Its log may not be read.' }]);
  });

  test('are given up after some tries to reach the console', () => {
    const { sockets, told } = reading();
    for (let tries = 0; tries < 3; tries += 1) sockets.at(-1)?.on.onClose(1006);
    expect(told).toEqual([{ type: 'failed', title: 'The connection to the console was lost.' }]);
    const opened = sockets.length;
    sockets.at(-1)?.on.onClose(1006);
    expect(sockets.length).toBe(opened);
  });
});
