import { describe, expect, test } from 'vitest';
import { ReconnectingSocket, type SocketState } from '../../src/web/data/socket/reconnecting-socket.ts';
import type { SocketEvents } from '../../src/web/data/socket/socket.ts';

const finalCode = 4401;

/** A socket over connections that the test works, with a clock of its own. */
function world(silence?: number) {
  const connections: { readonly events: SocketEvents; readonly sent: unknown[]; isClosed: boolean }[] = [];
  const states: SocketState[] = [];
  const messages: string[] = [];
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  let now = 0;
  const socket = new ReconnectingSocket({
    connect: (events) => {
      const connection = { events, sent: [] as unknown[], isClosed: false };
      connections.push(connection);
      return {
        send: (data) => connection.sent.push(data),
        close: () => {
          connection.isClosed = true;
        },
      };
    },
    later: (run, ms) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    random: () => 1,
    isFinal: (code) => code === finalCode,
    ...(silence === undefined ? {} : { silence }),
    onState: (state) => states.push(state),
    onOpen: () => socket.send('hello'),
    onMessage: (text) => messages.push(text),
  });
  /** Lets time pass. */
  const pass = (ms: number) => {
    now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
  };
  const last = () => connections.at(-1)?.events;
  return { socket, connections, states, messages, timers, pass, last };
}

describe('a reconnecting socket', () => {
  test('asks for what is wanted on each connection and says what it is doing', () => {
    const { socket, connections, states, pass, last } = world();
    socket.open();
    last()?.onOpen();
    socket.confirm();
    last()?.onClose(1006);
    pass(500);
    last()?.onOpen();
    socket.confirm();
    expect(states.map(({ phase }) => phase)).toEqual(['connecting', 'open', 'lost', 'open']);
    expect(connections.map(({ sent }) => sent)).toEqual([['hello'], ['hello']]);
  });

  test('waits longer after each try in a row, up to 4 s, and starts over once it was open', () => {
    const { socket, connections, pass, last } = world();
    socket.open();
    for (const [tries, wait] of [500, 1_000, 2_000, 4_000, 4_000].entries()) {
      last()?.onClose(1006);
      expect(socket.attempt).toBe(tries + 1);
      pass(wait - 1);
      expect(connections, 'not yet').toHaveLength(tries + 1);
      pass(1);
      expect(connections).toHaveLength(tries + 2);
    }
    socket.confirm();
    expect(socket.attempt).toBe(0);
    last()?.onClose(1006);
    pass(500);
    expect(connections).toHaveLength(7);
  });

  test('stays closed after a final code, and says which', () => {
    const { socket, connections, states, timers, last } = world();
    socket.open();
    last()?.onClose(finalCode);
    expect(states.at(-1)).toEqual({ phase: 'closed', code: finalCode });
    expect(connections).toHaveLength(1);
    expect(timers).toEqual([]);
  });

  test('tries at once when it is opened while it waits, and only once', () => {
    const { socket, connections, pass, last } = world();
    socket.open();
    last()?.onClose(1006);
    socket.open();
    socket.open();
    pass(10_000);
    expect(connections).toHaveLength(2);
  });

  test('gives a connection up that is silent for too long', () => {
    const { socket, connections, states, pass, last } = world(30_000);
    socket.open();
    last()?.onOpen();
    socket.confirm();
    pass(29_999);
    last()?.onMessage('still here');
    pass(29_999);
    expect(socket.state.phase).toBe('open');
    pass(1);
    expect(connections[0]?.isClosed).toBe(true);
    expect(states.at(-1)).toEqual({ phase: 'lost', attempt: 1 });
  });

  test('hears nothing of a connection that it gave up, nor after it was closed', () => {
    const { socket, states, messages, timers, pass, last } = world();
    socket.open();
    const first = last();
    first?.onClose(1006);
    pass(500);
    first?.onMessage('late');
    first?.onClose(finalCode);
    expect(socket.state.phase).toBe('lost');
    socket.close();
    last()?.onMessage('later');
    last()?.onClose(1006);
    expect(messages).toEqual([]);
    expect(states.at(-1)).toEqual({ phase: 'idle' });
    expect(timers).toEqual([]);
  });
});
