import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestPerson } from '../harness.ts';
import { type AnsweringCluster, startAnsweringCluster } from './answering-cluster.ts';
import { type ApiServer, json } from './api-server.ts';

let cluster: AnsweringCluster;
let server: ApiServer;
let owner: TestPerson;
let base: string;

beforeAll(async () => {
  cluster = await startAnsweringCluster();
  ({ server, owner } = cluster);
  base = `/api/namespaces/clusters/${cluster.clusterId}/namespaces`;
});
afterAll(() => cluster.close());

it('namespaces without an end are refused in words, never cut', async () => {
  let pages = 0;
  server.answer = (_seen, response) => {
    pages += 1;
    json(response, 200, {
      metadata: { continue: `page-${pages}` },
      items: [{ metadata: { name: `space-${pages}` } }],
    });
  };
  expect(await owner.client.send('GET', base)).toMatchObject({
    status: 502,
    json: {
      title: 'prod has more namespaces than this console lists (50,000). Open one by its name.',
      where: { source: 'cluster', cluster: 'prod' },
    },
  });
  expect(pages).toBe(100);
});

it('more namespaces on a page than were asked for count as well', async () => {
  const items = Array.from({ length: 50_001 }, (_, index) => ({ metadata: { name: `s${index}` } }));
  server.answer = (_seen, response) => json(response, 200, { metadata: {}, items });
  expect(await owner.client.send('GET', base)).toMatchObject({ status: 502 });
  items.pop();
  const answer = await owner.client.send('GET', base);
  expect(answer.status).toBe(200);
  expect(answer.json).toHaveLength(50_000);
});

it('a list that is none is the failure of the cluster, not of the console', async () => {
  for (const body of [null, {}, { metadata: {}, items: 'x' }, { metadata: {}, items: [null] }, []]) {
    server.answer = (_seen, response) => json(response, 200, body);
    expect(await owner.client.send('GET', base)).toMatchObject({
      status: 502,
      json: { title: 'prod answered the list of namespaces with something that is not a list.' },
    });
  }
});

it('a namespace is shown without control characters and without what is no text', async () => {
  server.answer = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"metadata":{},"items":[{"metadata":{"name":"sh\\u001bop","creationTimestamp":7,' +
        '"labels":{"__proto__":"x","a\\u202e":"b\\u0007","n":1,"o":{}}},"status":{"phase":[]}},{}]}',
    );
  };
  const answer = await owner.client.send('GET', base);
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(
    '[{"name":"","labels":{},"status":"Active","createdAt":null},' +
      '{"name":"shop","labels":{"a":"b"},"status":"Active","createdAt":null}]',
  );
});
