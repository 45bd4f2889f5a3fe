import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { remoteProtocols } from '../../../src/server/shells/remote.ts';
import { runTerminal, terminalLimits } from '../../../src/server/shells/terminal.ts';
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
async function terminal({ answersPings = true }: { readonly answersPings?: boolean } = {}) {
  const page = await line();
  const cluster = await line(answersPings);
  const clock = createFakeClock();
  const heard: { readonly channel: number; readonly text: string }[] = [];
  const said: ShellMessage[] = [];
  let pings = 0;
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
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
    onTerminal: () => {},
  });
  cluster.far.send(Buffer.from('\u0001$ '));
  await expect.poll(() => said).toEqual([{ type: 'started', command: 'bash' }]);
  return { page: page.far, cluster: cluster.far, clock, heard, outcome, pings: () => pings };
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
