import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnsweringCluster, startAnsweringCluster } from '../clusters/answering-cluster.ts';
import { type Answer, type ApiServer, json } from '../clusters/api-server.ts';
import type { TestPerson } from '../harness.ts';
import type { WireAnswer } from '../http-client.ts';

let cluster: AnsweringCluster;
let server: ApiServer;
let owner: TestPerson;
let clusterId: number;
let base: string;

beforeAll(async () => {
  cluster = await startAnsweringCluster();
  ({ server, owner, clusterId } = cluster);
  base = `/api/clusters/${clusterId}/kinds`;
});
afterAll(() => cluster.close());

/** Lists in lists, as text: to make it of values would take as deep a recursion as it provokes. */
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const named = { name: 'web', namespace: 'shop', uid: 'u1' };

/** What no API server sends, as JSON. */
const shapes: readonly (readonly [what: string, text: string])[] = [
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"web"'],
  ['a list', '[]'],
  ['an empty object', '{}'],
  ['null metadata', '{"metadata":null}'],
  ['a list for metadata', '{"metadata":[{"name":"web"}]}'],
  ['a text for metadata', '{"metadata":"web"}'],
  [
    'numbers for every text of metadata',
    '{"metadata":{"name":1,"namespace":2,"uid":3,"resourceVersion":4,"creationTimestamp":5}}',
  ],
  [
    'labels that are numbers',
    JSON.stringify({ metadata: { ...named, labels: { a: 1, b: null, c: {} }, annotations: { d: [] } } }),
  ],
  ['labels that are a list', JSON.stringify({ metadata: { ...named, labels: ['a'], annotations: 'b' } })],
  [
    'owners that are none',
    JSON.stringify({ metadata: { ...named, ownerReferences: { a: 1 }, finalizers: 'x' } }),
  ],
  ['owners with holes', JSON.stringify({ metadata: { ...named, ownerReferences: [null, 1, { uid: 2 }] } })],
  ['numbers for apiVersion and kind', JSON.stringify({ apiVersion: 1, kind: {}, metadata: named })],
  ['null spec and status', JSON.stringify({ metadata: named, spec: null, status: null })],
  ['texts for spec and status', JSON.stringify({ metadata: named, spec: 'x', status: 'y' })],
  ['lists for spec and status', JSON.stringify({ metadata: named, spec: [], status: [1] })],
  [
    'a template that is none',
    JSON.stringify({ metadata: named, spec: { template: 'x', selector: 5, replicas: 'many' } }),
  ],
  [
    'containers that are none',
    JSON.stringify({
      metadata: named,
      spec: { template: { spec: { containers: { a: 1 } } }, containers: 'x', selector: { matchLabels: [1] } },
    }),
  ],
  [
    'containers with holes',
    JSON.stringify({
      metadata: named,
      spec: { template: { spec: { containers: [null, 1] } }, containers: [null] },
      status: { conditions: [null], containerStatuses: 5 },
    }),
  ],
  ['great depth', `{"metadata":{"name":"web","namespace":"shop"},"spec":${deep(20_000)}}`],
  ['great depth in metadata', `{"metadata":{"name":"web","labels":${deep(20_000)}}}`],
  ['a prototype', '{"__proto__":{"a":1},"metadata":{"__proto__":{"name":"x"},"name":"web","constructor":1}}'],
];

/** Answers in words: done, refused, or the cluster's fault; never the console's. */
function expectWords(answer: WireAnswer, what: string): void {
  expect([200, 400, 404, 409, 502], `${what}: ${answer.status} ${answer.text}`).toContain(answer.status);
  if (answer.status === 200) return;
  expect(answer.json, what).toMatchObject({ title: expect.stringMatching(/\.$/) });
}

const isList = (url: string) => /\/(?:pods|deployments|replicasets)(?:\?|$)/.test(url);
const raw = (text: string): Answer => {
  return (seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(isList(seen.url) ? `{"metadata":{},"items":[${text}]}` : text);
  };
};

describe.each(['deployment', 'pod', 'core~v1~configmaps'])('%s of odd shapes', (kind) => {
  it.each(shapes)('%s is shown, or refused in words', async (what, text) => {
    server.answer = raw(text);
    const path = `${base}/${kind}/objects`;
    expectWords(await owner.client.send('GET', path), `list of ${what}`);
    expectWords(await owner.client.send('GET', `${path}/web?namespace=shop`), what);
    if (kind === 'deployment') {
      expectWords(
        await owner.client.send('GET', `${path}/web/revisions?namespace=shop`),
        `revisions of ${what}`,
      );
    }
    const refs = [{ kind, namespace: 'shop', name: 'web' }];
    expectWords(
      await owner.client.send('POST', `/api/clusters/${clusterId}/actions`, { refs }),
      `actions on ${what}`,
    );
    const changed = await owner.client.send('PATCH', `${path}/web?namespace=shop`, {
      resourceVersion: '1',
      patch: { spec: {} },
    });
    expectWords(changed, `change of ${what}`);
    const created = { object: { metadata: { name: 'web', namespace: 'shop' } } };
    expectWords(await owner.client.send('POST', path, created), `creation answered by ${what}`);
    const actions =
      { deployment: ['deployment.scale', 'deployment.rollback'], pod: ['pod.evict'] }[kind] ?? [];
    for (const action of ['object.labels', 'object.delete', ...actions]) {
      const args = {
        'object.labels': { labels: { a: 'b' } },
        'deployment.scale': { replicas: 1 },
        'deployment.rollback': { revision: 1 },
      }[action];
      for (const dryRun of [true, false]) {
        const answer = await owner.client.send('POST', `/api/clusters/${clusterId}/actions/${action}`, {
          refs,
          args: args ?? {},
          dryRun,
        });
        expect(answer.status, answer.text).toBe(200);
        const { outcomes } = answer.json as { outcomes: { status: number; message: string }[] };
        expect([200, 404, 409, 502], `${action} on ${what}: ${answer.text}`).toContain(outcomes[0]?.status);
        expect(outcomes[0]?.message).toMatch(/\.$/);
      }
    }
  });
});

it.each([
  'null',
  '7',
  '"x"',
  '[]',
  '{}',
  '{"items":{}}',
  '{"items":[null]}',
  '{"items":[],"metadata":{"continue":5}}',
])('a list that is %s is the failure of the cluster', async (text) => {
  server.answer = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  };
  expect(await owner.client.send('GET', `${base}/pod/objects`)).toMatchObject({
    status: 502,
    json: {
      title: 'prod answered the list of Pods with something that is not a list.',
      where: { source: 'cluster' },
    },
  });
});

it('a page of a list has a maximum size, and the refusal says to ask for fewer', async () => {
  server.answer = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const note = 'x'.repeat(33 * 1024 * 1024);
    response.end(gzipSync(JSON.stringify({ metadata: {}, items: [{ metadata: { ...named, note } }] })));
  };
  expect(await owner.client.send('GET', `${base}/pod/objects?limit=50`)).toMatchObject({
    status: 502,
    json: {
      title: '50 Pods of prod take more than 32 MB in one answer. Ask for fewer at a time (limit).',
      retryable: false,
    },
  });
});

it.each([
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['no object', '{"object":null}'],
  ['a list for an object', '{"object":[]}'],
  ['null metadata', '{"object":{"metadata":null}}'],
  ['a list for metadata', '{"object":{"metadata":[]}}'],
  ['a number for a name', '{"object":{"metadata":{"name":1}}}'],
  ['a number for a namespace', '{"object":{"metadata":{"name":"a","namespace":1}}}'],
  ['a number for a kind', '{"object":{"kind":1}}'],
  ['another kind', '{"object":{"kind":"Secret","metadata":{"name":"a","namespace":"shop"}}}'],
  ['great depth', `{"object":{"metadata":{"name":"a","namespace":"shop"},"spec":${deep(20_000)}}}`],
  ['a prototype', '{"object":{"__proto__":{"kind":"x"}}}'],
])('a caller who creates %s is refused in words', async (_what, text) => {
  server.answer = (_seen, response) => json(response, 201, {});
  const answer = await owner.client.send('POST', `${base}/pod/objects`, undefined, { raw: text });
  expect([answer.status, answer.json]).toMatchObject([400, { title: expect.stringMatching(/\.$/) }]);
});

it.each([
  ['no patch', '{"resourceVersion":"1"}'],
  ['a list', '{"resourceVersion":"1","patch":[]}'],
  ['null', '{"resourceVersion":"1","patch":null}'],
  ['null metadata', '{"resourceVersion":"1","patch":{"metadata":null}}'],
  ['a list for metadata', '{"resourceVersion":"1","patch":{"metadata":["a"]}}'],
  ['a text for metadata', '{"resourceVersion":"1","patch":{"metadata":"a"}}'],
  ['a number for a version', '{"resourceVersion":1,"patch":{}}'],
  ['great depth', `{"resourceVersion":"1","patch":{"spec":${deep(20_000)}}}`],
])('a caller whose change is %s is refused in words', async (_what, text) => {
  server.answer = (_seen, response) => json(response, 200, {});
  const path = `${base}/pod/objects/web?namespace=shop`;
  const answer = await owner.client.send('PATCH', path, undefined, { raw: text });
  expect([answer.status, answer.json]).toMatchObject([400, { title: expect.stringMatching(/\.$/) }]);
});
