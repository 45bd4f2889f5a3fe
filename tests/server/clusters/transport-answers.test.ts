import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { type Answer, json, targetFor } from './api-server.ts';
import { failure, status, useWire } from './wire.ts';

const wire = useWire();
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
          "prod does not recognise the console's credential and treats it as anonymous. Replace its kubeconfig.",
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
      { status: 409, title: 'namespaces "shop" already exists' },
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
      'a pause that is no number',
      (_seen, response) =>
        json(response, 429, status(429, 'too many requests', { details: { retryAfterSeconds: 'soon' } })),
      { status: 429, upstream: expect.objectContaining({ retryAfter: undefined }) },
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
      'a Status whose message is no text',
      (_seen, response) =>
        json(response, 422, { ...status(422, ''), message: { INTERNAL: 'PAGE' }, details: 'INTERNAL' }),
      { status: 422, title: 'prod answered 422 without a reason.', detail: undefined },
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
      { status: 502, title: 'prod sent more than the console accepts in one answer.' },
    ],
    [
      'a small body that inflates without end',
      (_seen, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 32)));
      },
      { status: 502, title: 'prod sent more than the console accepts in one answer.' },
    ],
    [
      'an encoding that nobody asked for, which is not decoded',
      (_seen, response) => {
        response.writeHead(200, { 'content-encoding': 'br' });
        response.end(brotliCompressSync('{"INTERNAL":true}'));
      },
      {
        status: 502,
        title: expect.stringMatching(/^prod compressed its answer with something other than gzip/),
        cause: expect.objectContaining({
          cause: expect.objectContaining({ message: expect.stringContaining('“br”') }),
        }),
      },
    ],
    [
      'a small body that parses into millions of values',
      (_seen, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(`[${'[],'.repeat(1_000_000)}0]`));
      },
      { status: 502, title: 'prod sent more than the console accepts in one answer.' },
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

  it.each(cases)('report %s', async (_name, answer, expected) => {
    const server = await wire.serve(answer);
    const problem = await failure(
      wire.connect(targetFor(server.url, wire.authority().pem)).json({ path: '/api/v1/pods' }),
    );
    expect(problem).toMatchObject({ where: { source: 'cluster', cluster: 'prod' }, ...expected });
    expect(JSON.stringify(problem.toBody())).not.toMatch(/INTERNAL|secret-token/);
    expect(server.seen).toHaveLength(1);
  });

  it('in an encoding that nobody asked for are refused for streams too', async () => {
    const server = await wire.serve((_seen, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).write(brotliCompressSync('{"type":"ADDED"}'));
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const problem = await failure(transport.stream({ path: '/api/v1/pods', query: { watch: true } }));
    expect(problem.title).toMatch(/^prod compressed its answer with something other than gzip/);
  });

  it('of a page may have more values, and still not any number', async () => {
    let values = 2_900_000;
    const server = await wire.serve((_seen, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(`{"items":[${'0,'.repeat(values)}0]}`, { level: 1 }));
    });
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    const page = { path: '/api/v1/pods', query: { limit: 500 } };
    expect(await transport.json<{ items: unknown[] }>(page)).toHaveProperty('items.length', values + 1);
    values = 3_100_000;
    expect(await failure(transport.json(page))).toMatchObject({
      title: 'prod sent more than the console accepts in one answer.',
    });
  });

  it('report the same for streams', async () => {
    const server = await wire.serve((_seen, response) =>
      json(response, 410, status(410, 'too old', { reason: 'Expired' })),
    );
    const problem = await failure(
      wire.connect(targetFor(server.url, wire.authority().pem)).stream({ path: '/api/v1/pods' }),
    );
    expect(problem).toMatchObject({
      status: 410,
      title: 'too old',
      upstream: { status: 410, reason: 'Expired' },
    });
  });
});
