import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../../src/contract/live.ts';
import { liveClose, livePath } from '../../../src/contract/live-socket.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** What became of an upgrade: an open socket, or the refusal's status and body. */
type Outcome = { socket: WebSocket; first: ServerMessage } | { status: number; title: string };

describe('the live socket', () => {
  let console: TestConsole;
  let companyId: number;
  let person: TestPerson;
  const open: WebSocket[] = [];

  beforeAll(async () => {
    console = await startConsole();
    companyId = await console.company();
    person = await console.person({ companyId });
  });
  afterAll(async () => {
    for (const socket of open) socket.terminate();
    await console.close();
  });

  const connect = (headers: Record<string, string | undefined>, path = livePath): Promise<Outcome> => {
    const given = Object.entries({ origin: console.url, ...headers }).filter(
      (entry) => entry[1] !== undefined,
    );
    const socket = new WebSocket(`${console.url.replace('http', 'ws')}${path}`, {
      headers: Object.fromEntries(given) as Record<string, string>,
    });
    open.push(socket);
    return new Promise((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        resolve({ socket, first: JSON.parse(data.toString('utf8')) as ServerMessage });
      });
      socket.on('unexpected-response', (_request, answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { title: string };
          resolve({ status: answer.statusCode ?? 0, title: body.title });
        });
      });
      socket.on('error', reject);
    });
  };
  const cookieOf = ({ client }: TestPerson) => client.cookie;

  it('opens for a member from a page of our own and greets', async () => {
    const outcome = await connect({ cookie: cookieOf(person) });
    expect(outcome).toMatchObject({ first: { type: 'hello', build: 'test-build' } });
    if ('socket' in outcome) expect(outcome.socket.extensions).toContain('permessage-deflate');
  });

  it('refuses an upgrade from a foreign origin, or from none, before it happens', async () => {
    for (const origin of ['https://evil.example', 'null', undefined, `${console.url}.evil.example`]) {
      expect(await connect({ cookie: cookieOf(person), origin }), String(origin)).toMatchObject({
        status: 403,
      });
    }
    const crossSite = { cookie: cookieOf(person), 'sec-fetch-site': 'cross-site' };
    expect(await connect(crossSite)).toMatchObject({ status: 403 });
  });

  it('refuses an upgrade under a foreign host name', async () => {
    expect(await connect({ cookie: cookieOf(person), host: 'evil.example' })).toMatchObject({ status: 421 });
  });

  it('refuses an upgrade without a session or without a company', async () => {
    expect(await connect({})).toEqual({ status: 401, title: 'Sign in to continue.' });
    expect(await connect({ cookie: `${console.visitor().sessionCookie}=${'A'.repeat(43)}` })).toMatchObject({
      status: 401,
    });
    const alone = await console.person({ companyId: null });
    expect(await connect({ cookie: cookieOf(alone) })).toEqual({
      status: 403,
      title: 'Set up your organisation first.',
    });
  });

  it('upgrades nothing but its own path', async () => {
    expect(await connect({ cookie: cookieOf(person) }, '/api/auth/nowhere')).toMatchObject({ status: 404 });
    const plain = await person.client.send('GET', livePath);
    expect([plain.status, plain.json]).toMatchObject([426, { title: expect.stringContaining('WebSocket') }]);
  });

  it('lets go of refused upgrades whose clients never hang up', async () => {
    const own = await startConsole();
    const { port } = new URL(own.url);
    const clients = Array.from({ length: 20 }, () =>
      createConnection({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true }),
    );
    for (const [index, client] of clients.entries()) {
      client.on('error', () => undefined);
      const path = index % 2 === 0 ? livePath : '/assets/large.js';
      client.write(`GET ${path} HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      client.resume();
    }
    await Promise.all(clients.map((client) => once(client, 'end')));
    const held = () =>
      new Promise<number>((resolve, reject) =>
        own.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      );
    await expect.poll(held, { timeout: 5_000 }).toBe(0);
    for (const client of clients) client.destroy();
    await own.close();
  });

  it('closes with "signed out" when its session ends', async () => {
    const leaving = await console.person({ companyId });
    const outcome = await connect({ cookie: cookieOf(leaving) });
    if (!('socket' in outcome)) throw new Error('The socket did not open.');
    const closed = new Promise<number>((resolve) => outcome.socket.on('close', resolve));
    await leaving.client.send('GET', '/api/auth/logout');
    expect(await closed).toBe(liveClose.signedOut);
  });

  it('closes on a message over 64 KB', async () => {
    const outcome = await connect({ cookie: cookieOf(person) });
    if (!('socket' in outcome)) throw new Error('The socket did not open.');
    const closed = new Promise<number>((resolve) => outcome.socket.on('close', resolve));
    outcome.socket.send(JSON.stringify({ type: 'beat', filler: 'x'.repeat(70_000) }));
    expect(await closed).toBe(1009);
  });

  it('closes with the code for a restart when the server goes down, and does not delay it', async () => {
    const other = await startConsole();
    const member = await other.person({ companyId: await other.company() });
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}${livePath}`, {
      headers: { origin: other.url, cookie: cookieOf(member) },
    });
    await new Promise((resolve) => socket.on('message', resolve));
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await other.close();
    expect(await closed).toBe(liveClose.restart);
  });
});
