import { connect } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json, send, stream } from './client.ts';

interface PodList {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  items: { metadata: { name: string; namespace: string } }[];
}

let bulk: Playground;
const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));

beforeAll(async () => {
  bulk = await startPlayground({ seed: 'bulk:1200', clock, chance: 5, history: 300 });
});
afterAll(async () => {
  await bulk.close();
});

const pods = (query: string) => json<PodList>(bulk, 'GET', `/api/v1/pods${query}`);

test('pages contain every pod once, as it was when the first page was read', async () => {
  const first = await pods('?limit=500');
  expect(first.items).toHaveLength(500);
  expect(first.metadata.remainingItemCount).toBe(700);
  const gone = first.items[0]?.metadata;
  const last = (await pods('')).items.at(-1)?.metadata;
  for (const pod of [gone, last]) {
    await send(bulk, {
      method: 'DELETE',
      path: `/api/v1/namespaces/${pod?.namespace}/pods/${pod?.name}?gracePeriodSeconds=0`,
    });
  }
  const second = await pods(`?limit=500&continue=${first.metadata.continue}`);
  const third = await pods(`?limit=500&continue=${second.metadata.continue}`);
  expect(third.metadata.continue).toBeUndefined();
  expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  const seen = new Set(
    [...first.items, ...second.items, ...third.items].map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    ),
  );
  expect(seen.size).toBe(1200);
  expect(seen.has(`${last?.namespace}/${last?.name}`)).toBe(true);
  expect((await pods('')).items).toHaveLength(1198);
});

test('a large list is compressed for clients that accept it, a watch never', async () => {
  const sized = (path: string) =>
    new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: bulk.port,
          ca: bulk.authority,
          path,
          agent: false,
          headers: { authorization: `Bearer ${bulk.token}`, 'accept-encoding': 'gzip' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
          );
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  const list = await sized('/api/v1/pods');
  expect(list.encoding).toBe('gzip');
  expect((JSON.parse(gunzipSync(list.body).toString()) as PodList).items.length).toBeGreaterThan(1000);
  expect((await sized('/api/v1/namespaces')).encoding).toBeUndefined();
  const watch = await stream(bulk, {
    method: 'GET',
    path: '/api/v1/pods?watch=1',
    headers: { 'accept-encoding': 'gzip' },
  });
  await watch.until(1);
  watch.close();
  expect(watch.headers['content-encoding']).toBeUndefined();
});

test('a watch over HTTP/2 sends changes and a bookmark each minute, and ends after its timeout', async () => {
  const session = connect(bulk.server, { ca: bulk.authority });
  const { metadata } = await json<{ metadata: { resourceVersion: string } }>(
    bulk,
    'GET',
    '/api/v1/namespaces/default/configmaps',
  );
  const events: { type: string; object: { metadata: { name?: string } } }[] = [];
  const sent = session.request({
    ':path': `/api/v1/namespaces/default/configmaps?watch=1&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=${metadata.resourceVersion}`,
    authorization: `Bearer ${bulk.token}`,
  });
  sent.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean))
      events.push(JSON.parse(line) as (typeof events)[number]);
  });
  const ended = new Promise<void>((resolve) => sent.on('end', resolve));
  await new Promise((resolve) => sent.on('response', resolve));
  await json(bulk, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } });
  await expect.poll(() => events.map((event) => event.type)).toEqual(['ADDED']);
  clock.advance(61_000);
  await expect.poll(() => events.map((event) => event.type)).toEqual(['ADDED', 'BOOKMARK']);
  clock.advance(30_000);
  await ended;
  session.close();
});

test('a watch from a version before the history gets the error in its stream', async () => {
  for (let index = 0; index < 400; index++) {
    await json(
      bulk,
      'PATCH',
      '/api/v1/namespaces/default/configmaps/one',
      { data: { index: String(index) } },
      'application/merge-patch+json',
    );
  }
  const watch = await stream(bulk, {
    method: 'GET',
    path: '/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=10',
  });
  await watch.ended;
  expect(watch.status).toBe(200);
  expect(JSON.parse(watch.lines[0] ?? '{}')).toMatchObject({
    type: 'ERROR',
    object: { code: 410, reason: 'Expired' },
  });
});

test('an unknown token is refused with 401', async () => {
  const answer = await send(bulk, { method: 'GET', path: '/api/v1/pods', token: 'wrong' });
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
});

test('a body over three megabytes is refused', async () => {
  const body = JSON.stringify({ metadata: { name: 'big' }, data: { text: 'x'.repeat(3 * 1024 * 1024) } });
  const answer = await send(bulk, {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(413);
});

test('a log supports tail, timestamps and follow', async () => {
  const { items } = await pods('?limit=1');
  const path = `/api/v1/namespaces/${items[0]?.metadata.namespace}/pods/${items[0]?.metadata.name}/log`;
  const tail = await send(bulk, { method: 'GET', path: `${path}?tailLines=5&timestamps=true` });
  const lines = tail.text.trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z ./);
  expect((await send(bulk, { method: 'GET', path: `${path}?tailLines=5&timestamps=true` })).text).toBe(
    tail.text,
  );
  const follow = await stream(bulk, { method: 'GET', path: `${path}?tailLines=1&follow=true` });
  await follow.until(1);
  clock.advance(30_000);
  await follow.until(4);
  expect(follow.lines.length).toBeGreaterThanOrEqual(4);
  follow.close();
  const previous = await send(bulk, { method: 'GET', path: `${path}?previous=true` });
  expect(previous.status).toBe(400);
  expect(previous.text).toContain('previous terminated container');
});

test('clients that disconnect during an answer do no harm', async () => {
  const session = connect(bulk.server, { ca: bulk.authority });
  const left = Array.from({ length: 20 }, (_, index) => {
    const path = index % 2 === 0 ? '/api/v1/pods' : '/api/v1/pods?watch=1';
    const sent = session.request({
      ':path': path,
      authorization: `Bearer ${bulk.token}`,
      'accept-encoding': 'gzip',
    });
    sent.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => sent.on('close', resolve));
    sent.once('response', () => sent.destroy());
    return closed;
  });
  await Promise.all(left);
  session.destroy();
  expect((await send(bulk, { method: 'GET', path: '/readyz' })).text).toBe('ok');
});
