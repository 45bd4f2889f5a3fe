import type { Http2ServerResponse } from 'node:http2';
import { type AddressInfo, connect as dial, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ClusterProblem, type KubeStream } from '../../../src/server/clusters/transport.ts';
import { type Answer, targetFor } from './api-server.ts';
import { collect, failure, useWire } from './wire.ts';

const wire = useWire();

/** A stream is read in either way: at the reader's pace, or as lines come. */
const ways: [name: string, read: (stream: KubeStream) => Promise<string[]>][] = [
  ['lines', (stream) => collect(stream.lines)],
  [
    'each',
    async (stream) => {
      const all: string[] = [];
      await stream.each((line) => all.push(line));
      return all;
    },
  ],
];

describe('streams', () => {
  const ticking: Answer = (seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"path":"${seen.url}"}\n`);
  };

  it('share one HTTP/2 connection, however many there are below its limit', async () => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const streams = await Promise.all(
      Array.from({ length: 60 }, (_unused, index) => transport.stream({ path: `/watch/${index}` })),
    );
    for (const [index, stream] of streams.entries()) {
      const first = await stream.lines[Symbol.asyncIterator]().next();
      expect(first.value).toBe(`{"path":"/watch/${index}"}`);
    }
    expect(server.connections()).toBe(1);
    expect(server.seen.every((seen) => seen.version === '2.0')).toBe(true);
    for (const stream of streams) stream.close();
  });

  it('open another connection beyond ninety, and use places that became free', async () => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const open = (count: number) =>
      Promise.all(Array.from({ length: count }, () => transport.stream({ path: '/watch' })));
    const streams = await open(95);
    expect(server.connections()).toBe(2);
    for (const stream of streams.slice(0, 50)) stream.close();
    await open(50);
    expect(server.connections()).toBe(2);
  });

  it('work over HTTP/1.1 where the server has no HTTP/2, none waiting for another', async () => {
    const server = await wire.serve(ticking, { http1Only: true });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const streams = await Promise.all(
      [1, 2, 3].map((index) => transport.stream({ path: `/watch/${index}` })),
    );
    for (const stream of streams) {
      expect((await stream.lines[Symbol.asyncIterator]().next()).done).toBe(false);
    }
    expect(server.seen.every((seen) => seen.version === '1.1')).toBe(true);
  });

  it.each(ways)('give lines however they were cut, and a last one without an end: %s', async (_way, read) => {
    const bytes = Buffer.from('{"a":"ü"}\n\r\n{"b":1}\r\nlast');
    const server = await wire.serve((_seen, response) => {
      response.writeHead(200);
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    const stream = await wire.connect(targetFor(server.url, wire.authority().pem)).stream({ path: '/log' });
    expect(await read(stream)).toEqual(['{"a":"ü"}', '', '{"b":1}', 'last']);
  });

  it.each(ways)('end quietly when closed, and when their caller goes away: %s', async (_way, read) => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const controller = new AbortController();
    const streams = [
      await transport.stream({ path: '/watch' }),
      await transport.stream({ path: '/watch', signal: controller.signal }),
    ];
    const reading = streams.map((stream) => read(stream));
    streams[0]?.close();
    controller.abort();
    expect(await Promise.all(reading)).toEqual([expect.any(Array), expect.any(Array)]);
  });

  it.each(ways)('may be closed without having been read: %s', async (_way, read) => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const stream = await transport.stream({ path: '/watch' });
    stream.close();
    expect(await read(stream)).toEqual([]);
  });

  it('that get no answer in time say so and leave the others alone', async () => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const stream = await transport.stream({ path: '/watch' });
    const lines = stream.lines[Symbol.asyncIterator]();
    await lines.next();
    const send: Http2ServerResponse[] = [];
    server.answer = (_seen, response) => send.push(response);
    const problem = await failure(transport.stream({ path: '/slow', timeoutMs: 1_000 }));
    expect(problem.title).toBe('prod did not answer within 1 s.');
    expect(server.connections()).toBe(1);
    server.answer = ticking;
    const after = await transport.stream({ path: '/after' });
    expect((await after.lines[Symbol.asyncIterator]().next()).value).toBe('{"path":"/after"}');
    expect(server.connections()).toBe(1);
  });

  it('are refused in time although the body of the refusal never ends', async () => {
    const server = await wire.serve((_seen, response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.write('{"kind":"Status"');
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const problem = await failure(transport.stream({ path: '/watch' }));
    expect(problem).toMatchObject({ status: 502, title: 'prod answered 500 without a reason.' });
  });

  it('leave a connection that went silent and open another', async () => {
    const server = await wire.serve(ticking);
    let frozen = 0;
    let accepted = 0;
    const proxy = createServer((socket) => {
      accepted += 1;
      const number = accepted;
      const upstream = dial(server.port, '127.0.0.1');
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        from.on('data', (chunk) => {
          if (number > frozen) to.write(chunk);
        });
        from.on('close', () => to.destroy());
        from.on('error', () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    wire.closing(async () => {
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    const transport = wire.connect(targetFor(`https://127.0.0.1:${port}`, wire.authority().pem));
    await transport.stream({ path: '/watch' });
    // Bytes are lost without a word, as behind a forgetful NAT.
    frozen = accepted;
    await failure(transport.stream({ path: '/watch', timeoutMs: 1_000 }));
    const stream = await transport.stream({ path: '/again', timeoutMs: 5_000 });
    expect((await stream.lines[Symbol.asyncIterator]().next()).value).toBe('{"path":"/again"}');
    expect(server.connections()).toBe(2);
  });

  it.each(ways)('fail with a sentence when the connection breaks: %s', async (_way, read) => {
    const server = await wire.serve(ticking);
    const stream = await wire.connect(targetFor(server.url, wire.authority().pem)).stream({ path: '/watch' });
    const reading = read(stream);
    await server.close();
    const problem = await failure(reading);
    expect(problem).toMatchObject({
      status: 502,
      title: 'prod ended the connection before its answer was complete.',
    });
  });

  it.each(ways)('end when the transport is closed: %s', async (_way, read) => {
    const server = await wire.serve(ticking);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const stream = await transport.stream({ path: '/watch' });
    const reading = read(stream).catch((error: unknown) => error);
    await transport.close();
    expect(await reading).toBeInstanceOf(ClusterProblem);
    expect((await failure(transport.json({ path: '/version' }))).title).toMatch(/was replaced/);
  });
});
