import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { remoteProtocols } from '../../../src/server/shells/remote.ts';
import { runTerminal, type Terminal, terminalLimits } from '../../../src/server/shells/terminal.ts';
import { createFakeClock } from '../live/fake-clock.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

/** Both ends of a WebSocket. @param answersPings whether the one who listens gives signs of life */
async function line(answersPings = true): Promise<{ readonly far: WebSocket; readonly near: WebSocket }> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    autoPong: answersPings,
    handleProtocols: () => remoteProtocols[0],
  });
  cleanups.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const connected = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  const { port } = server.address() as AddressInfo;
  const near = new WebSocket(`ws://127.0.0.1:${port}`, [...remoteProtocols]);
  await new Promise((resolve) => near.once('open', resolve));
  const far = await connected;
  cleanups.push(
    () => far.terminate(),
    () => near.terminate(),
  );
  return { far, near };
}

const subject = {
  namespace: 'shop',
  name: 'web',
  container: 'app',
  cluster: 'prod',
  mode: 'exec',
} as const;

/** A terminal between a page and a cluster, both held by the test. */
async function terminal({
  answersPings = true,
  signal = new AbortController().signal,
}: {
  readonly answersPings?: boolean;
  readonly signal?: AbortSignal;
} = {}) {
  const page = await line();
  const cluster = await line(answersPings);
  const clock = createFakeClock();
  const heard: { readonly channel: number; readonly text: string }[] = [];
  const said: ShellMessage[] = [];
  let pings = 0;
  let held: Terminal | undefined;
  cluster.far.on('message', (data: Buffer) =>
    heard.push({ channel: data[0] ?? -1, text: data.subarray(1).toString('utf8') }),
  );
  cluster.far.on('ping', () => {
    pings += 1;
  });
  page.far.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) said.push(JSON.parse(data.toString('utf8')) as ShellMessage);
  });
  const outcome = runTerminal({
    socket: page.near,
    subject,
    size: { columns: 100, rows: 30 },
    dial: () => Promise.resolve(cluster.near),
    clock,
    signal,
    onError: (error) => {
      throw error;
    },
    onTerminal: (running) => {
      held = running;
    },
  });
  cluster.far.send(Buffer.from('\u0001$ '));
  await expect.poll(() => said).toEqual([{ type: 'started', command: 'bash' }]);
  return {
    page: page.far,
    /** The server's end of the page's socket. */
    near: page.near,
    cluster: cluster.far,
    /** The server's end of the cluster's socket. */
    remote: cluster.near,
    clock,
    heard,
    outcome,
    pings: () => pings,
    hold: () => held?.hold(),
    release: () => held?.release(),
  };
}

test('an idle shell stays open as long as its cluster answers', async () => {
  const { cluster, clock, outcome, pings } = await terminal();
  for (let minute = 1; minute <= 30; minute += 1) {
    await clock.advance(terminalLimits.ping);
    await expect.poll(pings).toBe(minute);
    // The answer has to have arrived before time goes on: what comes after it has.
    const heard = new Promise((resolve) => cluster.once('pong', resolve));
    cluster.ping();
    await heard;
  }
  cluster.send(Buffer.from(`\u0003${JSON.stringify({ kind: 'Status', status: 'Success' })}`));
  expect(await outcome).toEqual({ reason: 'exited', title: 'The shell ended.' });
});

test('a cluster that gives no sign of life ends a shell in words', async () => {
  const { clock, outcome } = await terminal({ answersPings: false });
  let isOver = false;
  void outcome.then(() => {
    isOver = true;
  });
  await clock.advance(terminalLimits.silence);
  expect(isOver).toBe(false);
  await clock.advance(terminalLimits.ping);
  expect(await outcome).toEqual({ reason: 'lost', title: 'The connection to prod was lost.' });
  expect(clock.pending).toBe(0);
});

test('a line to the cluster that breaks ends a shell in words', async () => {
  const { cluster, clock, outcome } = await terminal();
  cluster.terminate();
  expect(await outcome).toEqual({ reason: 'lost', title: 'The connection to prod was lost.' });
  expect(clock.pending).toBe(0);
});

test('an unreachable cluster is reported in its own words', async () => {
  const page = await line();
  const title = 'prod cannot be reached: its address refuses connections.';
  const outcome = await runTerminal({
    socket: page.near,
    subject,
    size: { columns: 100, rows: 30 },
    dial: () => Promise.reject(new ClusterProblem({ status: 502, title }, {})),
    clock: createFakeClock(),
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
    onTerminal: () => {},
  });
  expect(outcome).toEqual({ reason: 'lost', title });
});

test('a shell begins in the size of its terminal and takes each new one; a size that is none is left out', async () => {
  const { page, heard } = await terminal();
  const sizes = () =>
    heard.filter(({ channel }) => channel === 4).map(({ text }) => JSON.parse(text) as unknown);
  await expect.poll(sizes).toEqual([{ Width: 100, Height: 30 }]);
  page.send(JSON.stringify({ type: 'resize', columns: -1, rows: 41 }));
  page.send('no size');
  page.send(JSON.stringify({ type: 'resize', columns: 133, rows: 41 }));
  await expect.poll(sizes).toEqual([
    { Width: 100, Height: 30 },
    { Width: 133, Height: 41 },
  ]);
});

const piece = 64 * 1024;
/** 64 MB: more than the buffers of the connections of both ends take. */
const pieces = 1_024;
/** Bytes that one server may hold for a terminal: what is unsent, and a message more. */
const heldBytes = terminalLimits.highWater + 2 * piece;

/** A part of a flood, which says which one it is. */
const partOf = (number: number, channel?: number) => {
  const part = Buffer.alloc(piece, 'y');
  part.writeUInt32BE(number, 0);
  return channel === undefined ? part : Buffer.concat([Buffer.of(channel), part]);
};
/** Waits until a number stays what it is for some looks. */
const settled = async (read: () => number) => {
  let before = -1;
  await expect
    .poll(
      () => {
        const now = read();
        const isSame = now === before;
        before = now;
        return isSame;
      },
      { interval: 250, timeout: 60_000 },
    )
    .toBe(true);
  return before;
};

test('a process that prints without end is read no faster than its page takes it, and nothing is lost', async () => {
  const { page, near, cluster, remote } = await terminal();
  let shown = 0;
  let isInOrder = true;
  page.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary || data.length !== piece) return;
    isInOrder &&= data.readUInt32BE(0) === shown;
    shown += 1;
  });
  page.pause();
  for (let number = 0; number < pieces; number += 1) cluster.send(partOf(number, 1));
  await expect.poll(() => remote.isPaused, { timeout: 60_000 }).toBe(true);
  // The rest waits at the process, whose writes block.
  await settled(() => cluster.bufferedAmount);
  expect(cluster.bufferedAmount).toBeGreaterThan((pieces * piece) / 4);
  expect(near.bufferedAmount).toBeGreaterThan(0);
  expect(near.bufferedAmount).toBeLessThanOrEqual(heldBytes);
  page.resume();
  await expect.poll(() => shown, { timeout: 30_000 }).toBe(pieces);
  expect(isInOrder).toBe(true);
});

test('a page that types without end into a process that does not read is read no further', async () => {
  const { page, near, cluster, remote, heard } = await terminal();
  cluster.pause();
  for (let number = 0; number < pieces; number += 1) page.send(partOf(number));
  await expect.poll(() => near.isPaused, { timeout: 60_000 }).toBe(true);
  await settled(() => page.bufferedAmount);
  expect(page.bufferedAmount).toBeGreaterThan((pieces * piece) / 4);
  expect(remote.bufferedAmount).toBeLessThanOrEqual(heldBytes);
  cluster.resume();
  await expect
    .poll(() => heard.filter(({ channel }) => channel === 0).length, { timeout: 30_000 })
    .toBe(pieces);
});

test('a flood shows nothing while rights are read, and ends with the right to it', async () => {
  const right = new AbortController();
  const { page, cluster, outcome, hold, release } = await terminal({ signal: right.signal });
  let shown = 0;
  page.on('message', (_data: Buffer, isBinary: boolean) => {
    if (isBinary) shown += 1;
  });
  let number = 0;
  const flood = setInterval(() => {
    for (let more = 0; more < 8; more += 1) cluster.send(partOf((number += 1), 1));
  }, 5);
  try {
    await expect.poll(() => shown).toBeGreaterThan(8);
    hold();
    const held = await settled(() => shown);
    expect(number).toBeGreaterThan(held);
    release();
    await expect.poll(() => shown).toBeGreaterThan(held);
    right.abort();
    expect(await outcome).toMatchObject({ reason: 'exited' });
    const atEnd = await settled(() => shown);
    expect(await settled(() => shown)).toBe(atEnd);
  } finally {
    clearInterval(flood);
  }
});
