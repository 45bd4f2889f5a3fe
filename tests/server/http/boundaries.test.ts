import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { send } from '../http-client.ts';

let console: TestConsole;
let owner: TestPerson;
beforeAll(async () => {
  console = await startConsole();
  owner = await console.person({ companyId: await console.company(), isOwner: true });
});
afterAll(() => console.close());

/** Sends lines over one connection, and gives all that comes until the server closes it. */
async function exchange(...lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(console.url);
  return await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => {
      socket.write(lines.join('\r\n'));
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}

describe('where a request begins and ends', () => {
  const head = () => ['POST /api/auth/login HTTP/1.1', `Host: ${new URL(console.url).host}`];
  const next = () => ['GET /healthz HTTP/1.1', `Host: ${new URL(console.url).host}`, '', ''];

  it.each([
    ['a length beside chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked', '', '0', '', '']],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 30', '', '']],
    ['a length that is no number', ['Content-Length: +4', '', '{}{}']],
    ['an encoding that is none', ['Transfer-Encoding: xchunked', '', '0', '', '']],
    ['an encoding before chunks', ['Transfer-Encoding: chunked, identity', '', '0', '', '']],
    ['a blank before the colon', ['Transfer-Encoding : chunked', '', '0', '', '']],
    ['a folded header', ['X-Folded: a', ' Transfer-Encoding: chunked', '', '0', '', '']],
    ['a chunk of no length', ['Transfer-Encoding: chunked', '', '0x1', 'a', '0', '', '']],
  ])('is not guessed: %s is refused, and what follows is no request', async (_what, rest) => {
    const text = await exchange(...head(), 'Content-Type: application/json', ...rest, ...next());
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).not.toContain('"ok"');
  });
});

it.each(['TRACE', 'TRACK', 'CONNECT', 'OPTIONS'])(
  '%s is answered by no route, and tells nothing of the request',
  async (method) => {
    const secret = 'a value of a header';
    const text = await exchange(
      `${method} /api/auth/user HTTP/1.1`,
      `Host: ${new URL(console.url).host}`,
      `Cookie: ${owner.client.cookie}`,
      `X-Secret: ${secret}`,
      'Connection: close',
      '',
      '',
    );
    expect(text).not.toMatch(/^HTTP\/1\.1 [23]/);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(owner.client.session);
  },
);

it('a parameter that is sent twice is refused', async () => {
  for (const path of ['/api/search?q=a&q=b', '/api/auth/login?returnUrl=/a&returnUrl=/b']) {
    const answer = await owner.client.send('GET', path);
    expect([answer.status, answer.json], path).toMatchObject([400, { title: expect.any(String) }]);
  }
});

it('a session that is sent twice is the first one, and a header beside it is none', async () => {
  const stranger = await console.person({ companyId: null });
  const { host } = new URL(console.url);
  const cookie = `${owner.client.cookie}; ${stranger.client.cookie}`;
  const headers = { host, cookie, 'x-user-id': String(stranger.id), 'x-forwarded-user': stranger.email };
  const answer = await send(console.url, 'GET', '/api/auth/user', { headers });
  expect(answer.json).toMatchObject({ id: owner.id });
});

it.each(['__proto__', 'constructor', 'prototype'])(
  'the key %s of a body is refused, and changes no prototype',
  async (key) => {
    for (const raw of [
      `{"${key}":{"isOwner":true}}`,
      `{"name":"Example","${key}":{"prototype":{"isOwner":true}}}`,
    ]) {
      const answer = await owner.client.send('POST', '/api/auth/company', undefined, { raw });
      expect(answer.status, raw).toBe(400);
    }
    expect(({} as Record<string, unknown>)['isOwner']).toBeUndefined();
    const query = await owner.client.send('GET', `/api/search?q=a&${key}=b&${key}[isOwner]=1`);
    expect(query.status).toBe(400);
  },
);
