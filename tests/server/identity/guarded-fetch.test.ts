import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import { createGuardedFetch, createStreamingFetch } from '../../../src/server/identity/guarded-fetch.ts';
import { EncodingRefused } from '../../../src/server/kit/answer-encoding.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
let url: URL;
const guard = createAddressGuard([]);
const fetchers = () => ({
  whole: createGuardedFetch(guard, { trusted: url }),
  streaming: createStreamingFetch(guard, 1024, { trusted: url }),
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const text = '{"answer":42}';
const encodings: [header: string, body: Buffer][] = [
  ['br', brotliCompressSync(text)],
  ['BR', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['x'.repeat(200), Buffer.from(text)],
];

for (const name of ['whole', 'streaming'] as const) {
  it.each(encodings)(
    `an answer in the encoding %s is refused by name, not decoded: ${name}`,
    async (header, body) => {
      let asked: string | undefined;
      answer = (request, response) => {
        asked = String(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': header }).end(body);
      };
      const options = { headers: { 'accept-encoding': 'br, gzip' } };
      const fetch = fetchers()[name];
      const refused = await fetch(url.href, options).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(EncodingRefused);
      expect((refused as Error).message).toContain(
        /^\w+$/.test(header) && header.length < 20 ? `“${header.toLowerCase()}”` : 'something unknown',
      );
      expect(asked).toBe('gzip');
    },
  );

  it(`a gzipped answer is read, and no longer says that it is compressed: ${name}`, async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'x-kept': ['1', '2'] }).end(gzipSync(text));
    const read = await fetchers()[name](url.href, {});
    expect(await read.json()).toEqual({ answer: 42 });
    expect(read.headers.get('content-encoding')).toBeNull();
    expect(read.headers.get('x-kept')).toBe('1, 2');
  });

  it(`what a form is, is sent with its type, and a redirect is answered as it is: ${name}`, async () => {
    let sent = '';
    answer = (request, response) => {
      request.on('data', (part) => (sent += String(part)));
      request.on('end', () => {
        sent += ` ${request.headers['content-type']}`;
        response.writeHead(302, { location: '/elsewhere' }).end();
      });
    };
    const form = { method: 'POST', body: new URLSearchParams({ code: 'a b' }) };
    expect((await fetchers()[name](url.href, form)).status).toBe(302);
    expect(sent).toBe('code=a+b application/x-www-form-urlencoded;charset=UTF-8');
  });
}

it('the limit counts decoded bytes', async () => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2 * 1024 ** 2)));
  await expect(fetchers().whole(url.href, {})).rejects.toThrow('longer than 1 MB');
  await expect(
    fetchers()
      .streaming(url.href)
      .then((read) => read.text()),
  ).rejects.toThrow('is longer than');
});

it('a stream is handed on as it comes, and ends with its caller', async () => {
  let isClosed = false;
  answer = (request, response) => {
    request.socket.on('close', () => (isClosed = true));
    response.writeHead(200).write('first');
  };
  const stop = new AbortController();
  const read = await fetchers().streaming(url.href, { signal: stop.signal });
  const reader = read.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
  stop.abort(new Error('enough'));
  await expect(reader?.read()).rejects.toThrow('enough');
  await expect.poll(() => isClosed).toBe(true);
});

it('a connection that fails is told as fetch tells it', async () => {
  answer = (request) => request.socket.destroy();
  await expect(fetchers().whole(url.href, {})).rejects.toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: expect.any(Error),
  });
});
