import { describe, expect, it } from 'vitest';
import { type Answer, json, targetFor } from './api-server.ts';
import { failure, useWire } from './wire.ts';

const wire = useWire();
const never = new AbortController().signal;

/** Answers every question but watches, which stay open. */
const answering: Answer = (seen, response) => {
  if (seen.url.startsWith('/watch')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{}\n');
  } else json(response, seen.url === '/readyz' ? 200 : 500, {});
};

describe('a ping', () => {
  it('goes over the connection of the watches, or over one of its own that is closed again', async () => {
    const server = await wire.serve(answering);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    await transport.stream({ path: '/watch' });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await transport.ping({ isFresh: false, signal: never })).toBe(200);
    expect(server.connections()).toBe(1);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await transport.ping({ isFresh: true, signal: never })).toBe(200);
    expect(server.connections()).toBe(4);
    await expect.poll(() => server.open()).toBe(1);
  });

  it('asks each of the connections of the watches in turn', async () => {
    const server = await wire.serve(answering);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    await Promise.all(Array.from({ length: 95 }, () => transport.stream({ path: '/watch' })));
    expect(server.connections()).toBe(2);
    const asked = new Set<number>();
    for (let turn = 0; turn < 2; turn += 1) {
      await transport.ping({ isFresh: false, signal: never });
      const port = server.seen.at(-1)?.port;
      if (port !== undefined) asked.add(port);
    }
    expect(asked.size).toBe(2);
    expect(server.connections()).toBe(2);
  });

  it('works over HTTP/1.1 as well', async () => {
    const server = await wire.serve(answering, { http1Only: true });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    expect(await transport.ping({ isFresh: false, signal: never })).toBe(200);
    expect(await transport.ping({ isFresh: true, signal: never })).toBe(200);
  });

  it('gives whatever status the cluster answers with', async () => {
    const server = await wire.serve((_seen, response) => json(response, 403, {}));
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    expect(await transport.ping({ isFresh: false, signal: never })).toBe(403);
  });

  it('names what kept it from an answer, and ends with its signal', async () => {
    const server = await wire.serve(() => {});
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const question = new AbortController();
    const asked = transport.ping({ isFresh: false, signal: question.signal });
    await expect.poll(() => server.seen.length).toBe(1);
    question.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await server.close();
    const problem = await failure(transport.ping({ isFresh: true, signal: never }));
    expect(problem.title).toMatch(/^prod refused the connection\./);
  });

  it('is not kept back by an open circuit breaker, and closes it', async () => {
    const server = await wire.serve(answering);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    server.answer = (_seen, response) => response.socket.destroy();
    for (let turn = 0; turn < 3; turn += 1) await failure(transport.json({ path: '/a' }));
    expect((await failure(transport.json({ path: '/a' }))).title).toMatch(/retries at/);
    // Pings end the pause: the time at which it would end by itself is not that of the next try.
    await failure(transport.ping({ isFresh: true, signal: never }));
    const pinged = await failure(transport.json({ path: '/a' }));
    expect(pinged.title).toMatch(/^prod .* The console tries again every few seconds\.$/);
    server.answer = (_seen, response) => json(response, 200, { isThere: true });
    expect(await transport.ping({ isFresh: true, signal: never })).toBe(200);
    expect(await transport.json({ path: '/a' })).toEqual({ isThere: true });
  });
});

describe('renewed connections', () => {
  it('carry what comes next, while streams go on over the old ones', async () => {
    const server = await wire.serve(answering);
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const stream = await transport.stream({ path: '/watch' });
    transport.renew();
    await transport.stream({ path: '/watch' });
    expect(server.connections()).toBe(2);
    const lines = stream.lines[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('{}');
    stream.close();
    await expect.poll(() => server.open()).toBe(1);
  });
});
