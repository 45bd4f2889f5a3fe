import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { onBehalfOf } from '../../../src/server/clusters/on-behalf.ts';
import { json, targetFor } from './api-server.ts';
import { collect, useWire } from './wire.ts';

const wire = useWire();
describe('requests', () => {
  it("carry the console's own headers and credential, and decode gzip", async () => {
    const server = await wire.serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ items: ['ü'] })));
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const answer = await transport.json({
      path: '/api/v1/pods',
      query: { limit: 500, continue: undefined, watch: false },
    });
    expect(answer).toEqual({ items: ['ü'] });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'GET', url: '/api/v1/pods?limit=500&watch=false', version: '1.1' });
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer secret-token-of-the-test',
      'user-agent': expect.stringMatching(/^wheelhouse\/\d+\.\d+\.\d+$/),
      'accept-encoding': 'gzip',
      accept: 'application/json',
    });
  });

  it("send JSON bodies in the content type of a patch, under the server's path prefix", async () => {
    const server = await wire.serve((_seen, response) => json(response, 200, { ok: true }));
    const transport = wire.connect(targetFor(`${server.url}/k8s/clusters/c-1`, wire.authority().pem));
    await transport.json({
      method: 'PATCH',
      path: '/api/v1/namespaces/shop',
      body: { metadata: {} },
      contentType: 'application/merge-patch+json',
    });
    expect(server.seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/k8s/clusters/c-1/api/v1/namespaces/shop',
      body: '{"metadata":{}}',
    });
    expect(server.seen[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it('that cannot be written down are the fault of their caller, and no blame falls on the cluster', async () => {
    const server = await wire.serve((_seen, response) => json(response, 200, { ok: true }));
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const body: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const path = '/api/v1/namespaces/shop';
    for (let round = 0; round < 5; round += 1) {
      const problem = {
        status: 400,
        title: 'The object is nested too deeply.',
        where: { source: 'console' },
      };
      await expect(transport.json({ method: 'PATCH', path, body })).rejects.toMatchObject(problem);
    }
    expect(await transport.json({ path })).toEqual({ ok: true });
    expect(server.seen).toHaveLength(1);
  });

  it('answer undefined for an empty body', async () => {
    const server = await wire.serve((_seen, response) => response.end());
    expect(
      await wire.connect(targetFor(server.url, wire.authority().pem)).json({ path: '/version' }),
    ).toBeUndefined();
  });

  it.each([
    'api/v1',
    '/api/../secrets',
    '/api/%2e%2E/x',
    '/api/%2fx',
    '/api/x?watch=1',
    '/api/x#y',
    '/api/x y',
    '/a\\b',
    '/a\r\nb',
  ])('never leave with the path %j', async (path) => {
    const server = await wire.serve((_seen, response) => json(response, 200, {}));
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    await expect(transport.json({ path })).rejects.toThrow('This is not a valid Kubernetes name.');
    await expect(transport.stream({ path })).rejects.toThrow('This is not a valid Kubernetes name.');
    expect(server.connections()).toBe(0);
  });

  it('sends groups to act as one by one, on streams too', async () => {
    const server = await wire.serve((_seen, response) => json(response, 200, {}));
    const impersonate = {
      user: 'robin',
      uid: '7',
      groups: ['dev', 'ops'],
      extra: { 'example.org/scope': ['a', 'b'] },
    };
    const transport = wire.connect(targetFor(server.url, wire.authority().pem, { impersonate }));
    await transport.json({ path: '/version' });
    await collect((await transport.stream({ path: '/version' })).lines);
    for (const seen of server.seen) {
      const raw = seen.rawHeaders.map((text) => text.toLowerCase());
      expect(raw.filter((text) => text === 'impersonate-group')).toHaveLength(2);
      expect(raw.filter((text) => text === 'impersonate-extra-example.org%2fscope')).toHaveLength(2);
      expect(seen.headers['impersonate-user']).toBe('robin');
    }
    expect(server.seen).toHaveLength(2);
  });

  it('present a client certificate', async () => {
    const pair = await wire.authority().issue({ name: 'robin' });
    let subject = '';
    const server = await wire.serve((_seen, response) => json(response, 200, {}), {
      requestCert: true,
      ca: wire.authority().pem,
    });
    server.answer = (_seen, response) => {
      const { socket } = response.req as unknown as {
        socket: { getPeerCertificate(): { subject?: { CN?: string } } };
      };
      subject = socket.getPeerCertificate().subject?.CN ?? '';
      json(response, 200, {});
    };
    const transport = wire.connect(
      targetFor(server.url, wire.authority().pem, {
        credential: { certificate: pair.certificate, key: pair.key },
      }),
    );
    await transport.json({ path: '/version' });
    expect(subject).toBe('robin');
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('run sixteen at a time on one cluster', async () => {
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const server = await wire.serve((_seen, response) => {
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        json(response, 200, {});
      });
      if (held.length === 16) for (const release of held.splice(0)) release();
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    await Promise.all(Array.from({ length: 48 }, () => transport.json({ path: '/version' })));
    expect(most).toBe(16);
  });

  it('of one person do not keep those of another waiting for all of them', async () => {
    const waiting: (() => void)[] = [];
    const server = await wire.serve((_seen, response) => {
      waiting.push(() => json(response, 200, {}));
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const ask = (person: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        onBehalfOf(person, () => transport.json({ path: `/apis/p${person}/${at}` })),
      );
    const all = [...ask(1, 40), ...ask(2, 2)];
    await expect.poll(() => waiting.length).toBe(16);
    // What ends makes room for the next of the first person, then for the first of the second.
    waiting.shift()?.();
    await expect.poll(() => server.seen.length).toBe(17);
    waiting.shift()?.();
    await expect.poll(() => server.seen.length).toBe(18);
    expect(server.seen.slice(16).map(({ url }) => url)).toEqual(['/apis/p1/16', '/apis/p2/0']);
    let isDone = false;
    const done = Promise.all(all).then(() => {
      isDone = true;
    });
    await expect
      .poll(() => {
        for (const end of waiting.splice(0)) end();
        return isDone;
      })
      .toBe(true);
    await done;
  });

  it('end with their caller, who gets the reason and no blame falls on the cluster', async () => {
    const server = await wire.serve(() => {});
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    for (let round = 0; round < 4; round += 1) {
      const controller = new AbortController();
      const waiting = transport.json({ path: '/version', signal: controller.signal });
      await expect.poll(() => server.seen.length).toBe(round + 1);
      controller.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    }
    server.answer = (_seen, response) => json(response, 200, { gitVersion: 'v1' });
    expect(await transport.json({ path: '/version' })).toEqual({ gitVersion: 'v1' });
  });
});
