import type { Http2ServerResponse } from 'node:http2';
import { type AddressInfo, connect as dial, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import {
  createTransport,
  type HttpTransport,
  type TransportOptions,
} from '../../../src/server/clusters/http-transport.ts';
import type { Target } from '../../../src/server/clusters/target.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { type Answer, type ApiServer, json, startApiServer, targetFor } from './api-server.ts';
import { type Authority, makeAuthority } from './pki.ts';

const guard = createAddressGuard(loopbackCidrs);
let authority: Authority;
let stranger: Authority;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  authority = await makeAuthority();
  stranger = await makeAuthority('stranger');
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(answer: Answer, options?: Parameters<typeof startApiServer>[2]): Promise<ApiServer> {
  const server = await startApiServer(authority, answer, options);
  closing.push(() => server.close());
  return server;
}

function connect(target: Target, options: Partial<TransportOptions> = {}): HttpTransport {
  const transport = createTransport(target, {
    clusterId: 7,
    name: 'prod',
    credential: '7.1',
    guard,
    ...options,
  });
  closing.push(() => transport.close());
  return transport;
}

async function failure(promise: Promise<unknown>): Promise<ClusterProblem> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClusterProblem) return error;
  throw new Error(`expected a ClusterProblem, not ${String(error)}`, { cause: error });
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const status = (code: number, message: string, more: object = {}) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  code,
  ...more,
});

describe('requests', () => {
  it("carry the console's own headers and credential, and decode gzip", async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ items: ['ü'] })));
    });
    const transport = connect(targetFor(server.url, authority.pem));
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
    const server = await serve((_seen, response) => json(response, 200, { ok: true }));
    const transport = connect(targetFor(`${server.url}/k8s/clusters/c-1`, authority.pem));
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

  it('answer undefined for an empty body', async () => {
    const server = await serve((_seen, response) => response.end());
    expect(await connect(targetFor(server.url, authority.pem)).json({ path: '/version' })).toBeUndefined();
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
    const server = await serve((_seen, response) => json(response, 200, {}));
    const transport = connect(targetFor(server.url, authority.pem));
    await expect(transport.json({ path })).rejects.toThrow('That is no name that a cluster could have.');
    await expect(transport.stream({ path })).rejects.toThrow('That is no name that a cluster could have.');
    expect(server.connections()).toBe(0);
  });

  it('sends groups to act as one by one, on streams too', async () => {
    const server = await serve((_seen, response) => json(response, 200, {}));
    const impersonate = {
      user: 'robin',
      uid: '7',
      groups: ['dev', 'ops'],
      extra: { 'example.org/scope': ['a', 'b'] },
    };
    const transport = connect(targetFor(server.url, authority.pem, { impersonate }));
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
    const pair = await authority.issue({ name: 'robin' });
    let subject = '';
    const server = await serve((_seen, response) => json(response, 200, {}), {
      requestCert: true,
      ca: authority.pem,
    });
    server.answer = (_seen, response) => {
      const { socket } = response.req as unknown as {
        socket: { getPeerCertificate(): { subject?: { CN?: string } } };
      };
      subject = socket.getPeerCertificate().subject?.CN ?? '';
      json(response, 200, {});
    };
    const transport = connect(
      targetFor(server.url, authority.pem, { credential: { certificate: pair.certificate, key: pair.key } }),
    );
    await transport.json({ path: '/version' });
    expect(subject).toBe('robin');
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('run sixteen at a time on one cluster', async () => {
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const server = await serve((_seen, response) => {
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        json(response, 200, {});
      });
      if (held.length === 16) for (const release of held.splice(0)) release();
    });
    const transport = connect(targetFor(server.url, authority.pem));
    await Promise.all(Array.from({ length: 48 }, () => transport.json({ path: '/version' })));
    expect(most).toBe(16);
  });

  it('end with their caller, who gets the reason and no blame falls on the cluster', async () => {
    const server = await serve(() => {});
    const transport = connect(targetFor(server.url, authority.pem));
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

describe('answers that are no success', () => {
  const cases: [name: string, answer: Answer, expected: Partial<ClusterProblem>][] = [
    [
      'a rejected credential',
      (_seen, response) => json(response, 401, status(401, 'Unauthorized')),
      {
        status: 502,
        title: "prod rejected the console's credential (401). Replace its kubeconfig.",
        retryable: false,
      },
    ],
    [
      'a credential that may not',
      (_seen, response) =>
        json(
          response,
          403,
          status(
            403,
            'pods is forbidden: User "x" cannot list resource "pods" in API group "" in the namespace "shop"',
          ),
        ),
      { status: 403, title: "The console's credential may not list pods in namespace shop of prod." },
    ],
    [
      'a credential that may not, cluster-wide in a group',
      (_seen, response) =>
        json(
          response,
          403,
          status(
            403,
            'x is forbidden: User "x" cannot patch resource "deployments" in API group "apps" at the cluster scope',
          ),
        ),
      { status: 403, title: "The console's credential may not patch deployments.apps in prod." },
    ],
    [
      'a credential that the cluster does not know',
      (_seen, response) =>
        json(
          response,
          403,
          status(
            403,
            'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group ""',
          ),
        ),
      {
        status: 502,
        title:
          "prod does not know the console's credential and treats it as nobody's. Replace its kubeconfig.",
      },
    ],
    [
      'a quota',
      (_seen, response) => json(response, 403, status(403, 'pods "a" is forbidden: exceeded quota: small')),
      { status: 403, title: 'prod refused: pods "a" is forbidden: exceeded quota: small' },
    ],
    [
      "a conflict in the cluster's own words, without control characters",
      (_seen, response) =>
        json(response, 409, status(409, 'namespaces "shop" \u001b[31malready\u202e exists')),
      { status: 409, title: 'namespaces "shop" [31malready exists' },
    ],
    [
      'an unknown object',
      (_seen, response) =>
        json(response, 404, status(404, 'pods "a" not found', { details: { kind: 'pods', name: 'a' } })),
      {
        status: 404,
        title: 'pods "a" not found',
        where: { source: 'cluster', cluster: 'prod', kind: 'pods', name: 'a' },
      },
    ],
    [
      'a pause asked for',
      (_seen, response) =>
        json(response, 429, status(429, 'too many requests', { details: { retryAfterSeconds: 7 } })),
      { status: 429, retryable: true, upstream: expect.objectContaining({ status: 429, retryAfter: 7 }) },
    ],
    [
      'an internal error',
      (_seen, response) => json(response, 500, status(500, 'etcd is slow')),
      { status: 502, title: 'etcd is slow', retryable: true },
    ],
    [
      'a body that is no Status',
      (_seen, response) => json(response, 500, { message: 'INTERNAL-PAGE of another server' }),
      { status: 502, title: 'prod answered 500 without a reason.', detail: undefined },
    ],
    [
      'a page of another server',
      (_seen, response) => {
        response.writeHead(404, { 'content-type': 'text/html' });
        response.end('<h1>INTERNAL-PAGE</h1>');
      },
      { status: 404, title: 'prod has no such object or API (404).', detail: undefined },
    ],
    [
      'a redirect, which is not followed',
      (seen, response) => {
        if (seen.url === '/elsewhere') json(response, 200, { INTERNAL: true });
        else {
          response.writeHead(302, { location: '/elsewhere' });
          response.end();
        }
      },
      {
        status: 502,
        title: expect.stringMatching(
          /^prod answered with a redirect \(302\), which the console does not follow\./,
        ),
      },
    ],
    [
      'success that is no JSON',
      (_seen, response) => response.end('<h1>INTERNAL-PAGE</h1>'),
      {
        status: 502,
        title: expect.stringMatching(/^prod answered with something that is not Kubernetes JSON\./),
      },
    ],
    [
      'a long body',
      (_seen, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const chunk = ' '.repeat(1024 * 1024);
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
      { status: 502, title: 'prod sent more than the console takes in one answer.' },
    ],
    [
      'a small body that inflates without end',
      (_seen, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)));
      },
      { status: 502, title: 'prod sent more than the console takes in one answer.' },
    ],
    [
      'a connection that ends in the middle',
      (_seen, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{');
        setImmediate(() => response.req.socket.destroy());
      },
      { status: 502, title: 'prod ended the connection before its answer was complete.', retryable: true },
    ],
    [
      'its own credential in the message',
      (seen, response) => json(response, 400, status(400, `you sent ${seen.headers.authorization ?? ''}`)),
      { status: 400, title: 'you sent Bearer …' },
    ],
  ];

  it.each(cases)('tell of %s', async (_name, answer, expected) => {
    const server = await serve(answer);
    const problem = await failure(
      connect(targetFor(server.url, authority.pem)).json({ path: '/api/v1/pods' }),
    );
    expect(problem).toMatchObject({ where: { source: 'cluster', cluster: 'prod' }, ...expected });
    expect(JSON.stringify(problem.toBody())).not.toMatch(/INTERNAL|secret-token/);
    expect(server.seen).toHaveLength(1);
  });

  it('tell the same of streams', async () => {
    const server = await serve((_seen, response) =>
      json(response, 410, status(410, 'too old', { reason: 'Expired' })),
    );
    const problem = await failure(
      connect(targetFor(server.url, authority.pem)).stream({ path: '/api/v1/pods' }),
    );
    expect(problem).toMatchObject({
      status: 410,
      title: 'too old',
      upstream: { status: 410, reason: 'Expired' },
    });
  });
});

describe('clusters that cannot be reached', () => {
  const attempt = async (target: Target, options?: Partial<TransportOptions>) => {
    const problem = await failure(connect(target, options).json({ path: '/version' }));
    expect(problem).toMatchObject({ status: 502, where: { source: 'cluster', cluster: 'prod' } });
    // Not everybody who reads it may know where the cluster lives.
    expect(problem.title).not.toMatch(/127\.0\.0\.1|:\d{4,}/);
    return problem.title;
  };

  it('say that nothing listens', async () => {
    const server = await serve(() => {});
    await server.close();
    expect(await attempt(targetFor(server.url, authority.pem))).toMatch(/^prod refused the connection/);
  });

  it('say that the authority is another', async () => {
    const server = await serve(() => {});
    expect(await attempt(targetFor(server.url, stranger.pem))).toMatch(/does not vouch for/);
    expect(server.seen).toHaveLength(0);
  });

  it('say that the certificate has expired', async () => {
    const server = await serve(() => {}, { notAfter: new Date(Date.now() - 1000) });
    expect(await attempt(targetFor(server.url, authority.pem))).toMatch(/certificate that has expired/);
  });

  it('say that the certificate names another host, unless tls-server-name does', async () => {
    const server = await serve((_seen, response) => json(response, 200, {}), { hosts: ['kubernetes'] });
    expect(await attempt(targetFor(server.url, authority.pem))).toMatch(/for another host name/);
    const named = connect(targetFor(server.url, authority.pem, { tlsServerName: 'kubernetes' }));
    expect(await named.json({ path: '/version' })).toEqual({});
  });

  it('say that the name is unknown', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await attempt(targetFor('https://gone.example.org', authority.pem), { resolve })).toMatch(
      /DNS knows no address/,
    );
  });

  it('say that the address is not dialled, for names as for literals', async () => {
    const strict = createAddressGuard([]);
    const server = await serve(() => {});
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await attempt(targetFor(server.url, authority.pem), { guard: strict })).toMatch(/does not dial/);
    const named = targetFor(`https://rebind.example.org:${server.port}`, authority.pem);
    expect(await attempt(named, { guard: strict, resolve })).toMatch(/does not dial/);
    expect(server.connections()).toBe(0);
  });

  it('say that no answer came in time', async () => {
    const server = await serve(() => {});
    const transport = connect(targetFor(server.url, authority.pem));
    const problem = await failure(transport.json({ path: '/version', timeoutMs: 1_000 }));
    expect(problem).toMatchObject({ status: 502, title: 'prod did not answer within 1 s.', retryable: true });
  });

  it('are left alone after three failures, and asked again when the time has come', async () => {
    let time = 0;
    const server = await serve((_seen, response) => json(response, 200, { gitVersion: 'v1' }));
    await server.close();
    const outcomes: (string | undefined)[] = [];
    const transport = connect(targetFor(server.url, authority.pem), {
      now: () => time,
      onOutcome: (problem) => outcomes.push(problem?.title),
    });
    for (let failures = 0; failures < 3; failures += 1) await failure(transport.json({ path: '/version' }));
    const refused = await failure(transport.json({ path: '/version' }));
    expect(refused.title).toMatch(/^prod refused the connection.* The console tries it again in 2 s\.$/);
    expect(refused.upstream.retryAfter).toBe(2);
    await failure(transport.stream({ path: '/version' }));
    expect(outcomes).toHaveLength(3);

    const again = await startApiServer(
      authority,
      (_seen, response) => json(response, 200, { gitVersion: 'v1' }),
      { port: server.port },
    );
    closing.push(() => again.close());
    await failure(transport.json({ path: '/version' }));
    time = 2_000;
    expect(await transport.json({ path: '/version' })).toEqual({ gitVersion: 'v1' });
    expect(outcomes.at(-1)).toBeUndefined();
  });

  it('can be asked by a person all the same', async () => {
    const server = await serve((_seen, response) => json(response, 200, { gitVersion: 'v1' }));
    await server.close();
    const transport = connect(targetFor(server.url, authority.pem), { now: () => 0 });
    for (let failures = 0; failures < 3; failures += 1) await failure(transport.json({ path: '/version' }));
    const again = await startApiServer(
      authority,
      (_seen, response) => json(response, 200, { gitVersion: 'v1' }),
      { port: server.port },
    );
    closing.push(() => again.close());
    expect(await transport.ask({ path: '/version' })).toEqual({ gitVersion: 'v1' });
    expect(await transport.json({ path: '/version' })).toEqual({ gitVersion: 'v1' });
  });
});

describe('streams', () => {
  const ticking: Answer = (seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"path":"${seen.url}"}\n`);
  };

  it('share one HTTP/2 connection, however many there are below its limit', async () => {
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
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
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
    const open = (count: number) =>
      Promise.all(Array.from({ length: count }, () => transport.stream({ path: '/watch' })));
    const streams = await open(95);
    expect(server.connections()).toBe(2);
    for (const stream of streams.slice(0, 50)) stream.close();
    await open(50);
    expect(server.connections()).toBe(2);
  });

  it('work over HTTP/1.1 where the server has no HTTP/2, none waiting for another', async () => {
    const server = await serve(ticking, { http1Only: true });
    const transport = connect(targetFor(server.url, authority.pem));
    const streams = await Promise.all(
      [1, 2, 3].map((index) => transport.stream({ path: `/watch/${index}` })),
    );
    for (const stream of streams) {
      expect((await stream.lines[Symbol.asyncIterator]().next()).done).toBe(false);
    }
    expect(server.seen.every((seen) => seen.version === '1.1')).toBe(true);
  });

  it('give lines however they were cut, and a last one without an end', async () => {
    const bytes = Buffer.from('{"a":"ü"}\n\r\n{"b":1}\r\nlast');
    const server = await serve((_seen, response) => {
      response.writeHead(200);
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    const stream = await connect(targetFor(server.url, authority.pem)).stream({ path: '/log' });
    expect(await collect(stream.lines)).toEqual(['{"a":"ü"}', '', '{"b":1}', 'last']);
  });

  it('end quietly when closed, and when their caller goes away', async () => {
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
    const controller = new AbortController();
    const streams = [
      await transport.stream({ path: '/watch' }),
      await transport.stream({ path: '/watch', signal: controller.signal }),
    ];
    const reading = streams.map((stream) => collect(stream.lines));
    streams[0]?.close();
    controller.abort();
    expect(await Promise.all(reading)).toEqual([expect.any(Array), expect.any(Array)]);
  });

  it('may be closed without having been read', async () => {
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
    const stream = await transport.stream({ path: '/watch' });
    stream.close();
    expect(await collect(stream.lines)).toEqual([]);
  });

  it('that get no answer in time say so and leave the others alone', async () => {
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
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

  it('leave a connection that went silent and open another', async () => {
    const server = await serve(ticking);
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
    closing.push(async () => {
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    const transport = connect(targetFor(`https://127.0.0.1:${port}`, authority.pem));
    await transport.stream({ path: '/watch' });
    // Bytes are lost without a word, as behind a forgetful NAT.
    frozen = accepted;
    await failure(transport.stream({ path: '/watch', timeoutMs: 1_000 }));
    const stream = await transport.stream({ path: '/again', timeoutMs: 5_000 });
    expect((await stream.lines[Symbol.asyncIterator]().next()).value).toBe('{"path":"/again"}');
    expect(server.connections()).toBe(2);
  });

  it('fail with a sentence when the connection breaks', async () => {
    const server = await serve(ticking);
    const stream = await connect(targetFor(server.url, authority.pem)).stream({ path: '/watch' });
    const reading = collect(stream.lines);
    await server.close();
    const problem = await failure(reading);
    expect(problem).toMatchObject({
      status: 502,
      title: 'prod ended the connection before its answer was complete.',
    });
  });

  it('end when the transport is closed', async () => {
    const server = await serve(ticking);
    const transport = connect(targetFor(server.url, authority.pem));
    const stream = await transport.stream({ path: '/watch' });
    const reading = collect(stream.lines).catch((error: unknown) => error);
    await transport.close();
    expect(await reading).toBeInstanceOf(ClusterProblem);
    expect((await failure(transport.json({ path: '/version' }))).title).toMatch(/was replaced/);
  });
});
