import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { kinds as declaredKinds } from '../../../commands/kinds/index.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { createKinds, manyKinds } from '../../many-kinds.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type LiveClient, openLive } from './live-client.ts';

const definitions = 40;
const withObjects = 8;

const kinds = manyKinds(definitions, withObjects, 0.05);
let playground: PlaygroundConsole;
let client: LiveClient;

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  const { transport, console, owner } = playground;
  await createKinds(kinds, (method, path, body, contentType) =>
    transport.json({ method, path, body, ...(contentType === undefined ? {} : { contentType }) }),
  );
  client = await openLive(console.url, { origin: console.url, cookie: owner.client.cookie });
}, 60_000);
afterAll(async () => {
  client.socket.terminate();
  await playground.console.close();
});

/** Lists of the cluster that are open. */
const lists = () => playground.console.services.hub.stats().reflectors;

test('a cluster with many definitions has every broken object told, and watches kinds with objects alone', async () => {
  const { clusterId, transport } = playground;
  const asked = vi.spyOn(transport, 'json');
  const board = client.dashboard(clusterId);
  const broken = kinds
    .filter(({ objects }) => objects.length > 0)
    .map(({ plural, group }) => `${plural}.${group}`);
  expect(broken).toHaveLength(withObjects);
  await client.until('each broken object is told', () => {
    const told = new Set(board.dashboard?.attention.map(({ on }) => on.kind));
    return broken.every((name) => told.has(`crd:${name}`));
  });
  expect(board.dashboard).toMatchObject({ unwatched: [], unwatchedTotal: 0 });
  // Schemas of definitions are tens of megabytes where there are many.
  const ofDefinitions = asked.mock.calls.filter(([{ path }]) => path.includes('customresourcedefinitions'));
  expect(ofDefinitions.length).toBeGreaterThan(0);
  for (const [{ accept }] of ofDefinitions) expect(accept).toMatch(/as=PartialObjectMetadataList/);
  const empty = kinds.find(({ objects, hasSubresource }) => objects.length === 0 && !hasSubresource);
  const before = lists();
  // Kinds that were just defined are watched before they have objects, twenty of them.
  expect(before).toBeLessThan(declaredKinds.length + withObjects + 25);
  await transport.json({
    method: 'POST',
    path: empty?.path ?? '',
    body: {
      apiVersion: `${empty?.group}/v1`,
      kind: empty?.kind,
      metadata: { name: 'late' },
      status: kinds.find(({ objects }) => objects.length > 0)?.objects[0]?.status,
    },
  });
  // Kinds without objects are counted again in turn.
  await client.until('the first object of a kind is told', () =>
    (board.dashboard?.attention ?? []).some(({ on }) => on.name === 'late'),
  );
  expect(lists()).toBeLessThanOrEqual(before + 1);
});

test('the first object of a kind is told within seconds where the console created it, or an event names it', async () => {
  const { clusterId, transport, owner } = playground;
  const board = client.dashboard(clusterId);
  await client.until('the dashboard is there', () => board.dashboard !== undefined);
  // The last ones by name: twenty are watched before they have objects, as they were just defined.
  const created = kinds.findLast(({ objects, hasSubresource }) => objects.length === 0 && hasSubresource);
  const named = kinds.findLast(({ objects, hasSubresource }) => objects.length === 0 && !hasSubresource);
  const status = kinds.find(({ objects }) => objects.length > 0)?.objects[0]?.status;
  const bodyOf = (kind: typeof created, name: string) => ({
    apiVersion: `${kind?.group}/v1`,
    kind: kind?.kind,
    metadata: { name, namespace: 'default' },
    status,
  });
  const told = (name: string) => (board.dashboard?.attention ?? []).some(({ on }) => on.name === name);
  let began = Date.now();
  await owner.client.call('createResource', {
    params: { clusterId },
    body: { yaml: JSON.stringify(bodyOf(created, 'by-console')) },
  });
  await transport.json({
    method: 'PATCH',
    path: `${created?.path}/by-console/status`,
    contentType: 'application/merge-patch+json',
    body: { status },
  });
  await client.until('what the console created is told', () => told('by-console'));
  expect(Date.now() - began).toBeLessThan(5_000);
  began = Date.now();
  await transport.json({ method: 'POST', path: named?.path ?? '', body: bodyOf(named, 'by-event') });
  const { group, kind } = named ?? {};
  await transport.json({
    method: 'POST',
    path: '/api/v1/namespaces/default/events',
    body: {
      metadata: { name: 'by-event.1', namespace: 'default' },
      involvedObject: { apiVersion: `${group}/v1`, kind, namespace: 'default', name: 'by-event' },
      reason: 'ReconcileFailed',
      type: 'Warning',
      lastTimestamp: new Date().toISOString(),
    },
  });
  await client.until('what an event names is told', () => told('by-event'));
  expect(Date.now() - began).toBeLessThan(5_000);
});

test('a definition that serves nothing is read whole, which says why', async () => {
  const { clusterId, transport, console } = playground;
  const [first] = kinds;
  const metadata = { name: `twins.${first?.group}` };
  const definition = structuredClone(first?.definition) as { spec: { names: object } };
  definition.spec.names = { kind: first?.kind, plural: 'twins' };
  const [row] = await console.store.db.select().from(clusters).where(eq(clusters.id, clusterId));
  if (row === undefined) throw new Error('The cluster has no row.');
  client.dashboard(clusterId);
  await transport.json({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: { ...definition, metadata },
  });
  // Its line stands on the dashboard once the trouble has lasted.
  const { customKinds } = console.services.hub.live(row);
  await vi.waitFor(
    () =>
      expect([...customKinds.troubled.values()]).toMatchObject([
        { name: metadata.name, attention: { rule: 'customresourcedefinition.names' } },
      ]),
    { timeout: 20_000, interval: 100 },
  );
});

test('a definition whose new names are taken while the old ones are served is told', async () => {
  const { clusterId, transport } = playground;
  const [first, second] = kinds;
  const name = `${second?.plural}.${second?.group}`;
  const board = client.dashboard(clusterId);
  await transport.json({
    method: 'PATCH',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
    contentType: 'application/merge-patch+json',
    body: { spec: { names: { kind: first?.kind } } },
  });
  const line = () => (board.dashboard?.attention ?? []).find(({ on }) => on.name === name);
  await client.until('its line is there', () => line() !== undefined);
  expect(line()).toMatchObject({ rule: 'customresourcedefinition.names', tone: 'warn' });
  // Its objects are served as before.
  const [group, plural] = [second?.group, second?.plural];
  await transport.json({ path: `/apis/${group}/v1/${plural}`, query: { limit: 1 } });
  await transport.json({
    method: 'PATCH',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
    contentType: 'application/merge-patch+json',
    body: { spec: { names: { kind: second?.kind } } },
  });
  await client.until('its line ends', () => line() === undefined || line()?.endedAt !== undefined);
});
