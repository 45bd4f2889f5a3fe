import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { json, type SeenRequest } from '../clusters/api-server.ts';
import { type AnsweringCluster, greet, startAnsweringCluster } from '../clusters/answering-cluster.ts';
import type { TestPerson } from '../harness.ts';
import { send } from '../http-client.ts';

let pageDir: string;
let prod: AnsweringCluster;

const list = { kind: 'List', metadata: { resourceVersion: '1' }, items: [] };
const isWatch = ({ url }: SeenRequest) => url.includes('watch=');
const pathOf = ({ url }: SeenRequest) => url.split('?')[0] ?? '';

/** Paths of the lists that the cluster was asked for since the test began, each as often as it was. */
const listed = () =>
  prod.server.seen
    .filter((seen) => seen.method === 'GET' && !isWatch(seen) && /^\/apis?\/.+\/[a-z]+$/.test(pathOf(seen)))
    .map(pathOf);

beforeAll(async () => {
  pageDir = await mkdtemp(join(tmpdir(), 'wheelhouse-page-'));
  await mkdir(join(pageDir, 'assets'));
  await writeFile(join(pageDir, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
  prod = await startAnsweringCluster(
    (seen, response) => {
      if (seen.method !== 'GET' || seen.url === '/version') greet(seen, response);
      // A watch stays open and says nothing.
      else if (isWatch(seen)) response.writeHead(200, { 'content-type': 'application/json' }).write('');
      else json(response, 200, list);
    },
    { pageDir },
  );
});
afterAll(async () => {
  await prod.close();
  await rm(pageDir, { recursive: true });
});
beforeEach(() => {
  prod.server.seen.length = 0;
});

/** Somebody of the company whose grants reach the cluster. */
async function viewer(): Promise<TestPerson> {
  const { console, companyId, clusterId } = prod;
  const person = await console.person({ companyId });
  await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
  return person;
}

const askPage = (path: string, person: TestPerson | undefined) =>
  send(prod.console.url, 'GET', path, {
    headers: { accept: 'text/html', ...(person === undefined ? {} : { cookie: person.client.cookie }) },
  });

const warm = (person: TestPerson) => person.client.call('warmUp', { params: { clusterId: prod.clusterId } });

test('a cluster is warmed for nobody whose grants do not reach it, and of nothing that one may not view', async () => {
  const { console, companyId } = prod;
  await expect(warm(await console.person({ companyId }))).rejects.toMatchObject({ status: 404 });
  const narrow = await viewer();
  console.narrow(narrow.id, []);
  await warm(narrow);
  const nodesOnly = await viewer();
  console.narrow(nodesOnly.id, ['clusters.view']);
  await warm(nodesOnly);
  // What is asked for afterwards is read: by then the rest would have been.
  await askPage(`/clusters/${prod.clusterId}/ingressclasses`, prod.owner);
  await vi.waitUntil(() => listed().includes('/apis/networking.k8s.io/v1/ingressclasses'), {
    timeout: 60_000,
  });
  // What has a namespace none of them may view.
  const inNamespaces = kinds.flatMap(({ scope, plural }) => (scope === 'Namespaced' ? [plural] : []));
  expect(listed().filter((path) => inNamespaces.some((plural) => path.endsWith(`/${plural}`)))).toEqual([]);
  expect(listed()).toContain('/api/v1/nodes');
});

test('the list of an address is read when its page is asked for, before any socket is there', async () => {
  const answer = await askPage(`/clusters/${prod.clusterId}/pods`, prod.owner);
  expect(answer.text).toContain('<!doctype html>');
  await vi.waitUntil(() => listed().includes('/api/v1/pods'), { timeout: 60_000 });
  expect(prod.console.services.hub.stats()).toMatchObject({ sockets: 0, subscriptions: 0 });
  // Others who ask for the page share what is being read.
  await askPage(`/clusters/${prod.clusterId}/pods`, await viewer());
  await askPage(`/clusters/${prod.clusterId}/deployments`, prod.owner);
  await vi.waitUntil(() => listed().includes('/apis/apps/v1/deployments'), { timeout: 60_000 });
  expect(listed().filter((path) => path === '/api/v1/pods')).toHaveLength(1);
});

test('nothing is read for a visitor, a stranger, or who may not view the kind', async () => {
  const { console, companyId, clusterId } = prod;
  const stranger = await console.person({ companyId });
  const narrow = await viewer();
  console.narrow(narrow.id, ['clusters.view']);
  for (const person of [undefined, stranger, narrow]) {
    const answer = await askPage(`/clusters/${clusterId}/ingresses`, person);
    expect(answer.status).toBe(200);
  }
  // What the Owner asks for afterwards is read: by then the others would have been.
  await askPage(`/clusters/${clusterId}/services`, prod.owner);
  await vi.waitUntil(() => listed().includes('/api/v1/services'), { timeout: 60_000 });
  expect(listed()).toEqual(['/api/v1/services']);
});

test('a cluster that is selected is warmed: what its first screens need is read once, for all', async () => {
  const { clusterId, owner } = prod;
  await warm(owner);
  await vi.waitUntil(() => listed().includes('/apis/apps/v1/statefulsets'), { timeout: 60_000 });
  await warm(owner);
  await warm(await viewer());
  await askPage(`/clusters/${clusterId}/statefulsets`, owner);
  await askPage(`/clusters/${clusterId}/ingresses`, owner);
  await vi.waitUntil(() => listed().includes('/apis/networking.k8s.io/v1/ingresses'), { timeout: 60_000 });
  expect(listed().length).toBe(new Set(listed()).size);
});
