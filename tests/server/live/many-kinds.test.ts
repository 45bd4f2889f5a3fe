import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { kinds as declaredKinds } from '../../../commands/kinds/index.ts';
import { permissions } from '../../../src/contract/permissions.ts';
import { createHeld } from '../../../src/server/access/held.ts';
import { noneExcluded } from '../../../src/server/access/sight.ts';
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
});
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

test('the list of definitions brings no schemas, and an open definition is whole', async () => {
  const { clusterId, transport } = playground;
  const asked = vi.spyOn(transport, 'json').mockClear();
  const [first] = kinds;
  const name = `${first?.plural}.${first?.group}`;
  const list = client.subscribe({ clusterId, kind: 'customresourcedefinition' });
  await client.until('the list is live', () => list.state?.status === 'live');
  const whole = asked.mock.calls.filter(
    ([{ path, accept }]) => path.includes('customresourcedefinitions') && accept === undefined,
  );
  expect(whole).toEqual([]);
  const row = [...list.rows.values()].find(([cell]) => cell === name);
  const cells = [name, ['Established', 'ok'], first?.kind, first?.group, 'v1', 'Namespaced', ['p0']];
  expect(row?.slice(0, cells.length)).toEqual(cells);
  const page = client.open({ clusterId, kind: 'customresourcedefinition', name });
  await client.until('the definition is there', () => page.view !== undefined);
  expect(JSON.stringify(page.view?.object)).toContain('openAPIV3Schema');
});

async function liveOfCluster() {
  const { clusterId, console } = playground;
  const [row] = await console.store.db.select().from(clusters).where(eq(clusters.id, clusterId));
  if (row === undefined) throw new Error('The cluster has no row.');
  return console.services.hub.live(row);
}

/** The definitions of the cluster that are in trouble. Their lines stand on the dashboard once the trouble has lasted. */
async function troubledDefinitions() {
  const { customKinds } = await liveOfCluster();
  return () => [...customKinds.troubled.values()];
}
const often = { timeout: 20_000, interval: 100 };

test('a definition that serves nothing is read whole, which says why', async () => {
  const { clusterId, transport } = playground;
  const [first] = kinds;
  const metadata = { name: `twins.${first?.group}` };
  const definition = structuredClone(first?.definition) as { spec: { names: object } };
  definition.spec.names = { kind: first?.kind, plural: 'twins' };
  client.dashboard(clusterId);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await transport.json({ method: 'POST', path, body: { ...definition, metadata } });
  const troubled = await troubledDefinitions();
  await vi.waitFor(
    () =>
      expect(troubled()).toMatchObject([
        { name: metadata.name, attention: { rule: 'customresourcedefinition.names', tone: 'bad' } },
      ]),
    often,
  );
  await transport.json({ method: 'DELETE', path: `${path}/${metadata.name}` });
  await vi.waitFor(() => expect(troubled()).toEqual([]), often);
});

test('a definition whose new names are taken while the old ones are served is read whole as well', async () => {
  const { clusterId, transport } = playground;
  const [, second] = kinds;
  const name = `${second?.plural}.${second?.group}`;
  const shorten = (shortNames: readonly string[]) =>
    transport.json({
      method: 'PATCH',
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
      contentType: 'application/merge-patch+json',
      body: { spec: { names: { shortNames } } },
    });
  client.dashboard(clusterId);
  const troubled = await troubledDefinitions();
  // The short name of the first kind.
  await shorten(['p0']);
  await vi.waitFor(
    () =>
      expect(troubled()).toMatchObject([
        { name, attention: { rule: 'customresourcedefinition.names', tone: 'warn' } },
      ]),
    often,
  );
  await transport.json({ path: `/apis/${second?.group}/v1/${second?.plural}`, query: { limit: 1 } });
  await shorten(['p1']);
  await vi.waitFor(() => expect(troubled()).toEqual([]), often);
});

test('a kind is current while its objects are watched or it has none, and gone once its definition was deleted', async () => {
  const { transport } = playground;
  const { board } = await liveOfCluster();
  const held = createHeld(new Map(permissions.map((name) => [name, 'all'])), true);
  const sink = { dashboard: () => undefined, state: () => undefined };
  const membership = board.join({ held, excluded: noneExcluded }, sink);
  const [watched, empty] = [
    kinds.findLast(({ objects }) => objects.length > 0),
    kinds.findLast(({ plural }) => plural === 'parts37'),
  ];
  const standing = (kind: typeof watched) => membership.standingOf(`crd:${kind?.plural}.${kind?.group}`);
  await vi.waitFor(() => expect([watched, empty].map(standing)).toEqual(['current', 'current']), often);
  await transport.json({
    method: 'DELETE',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${watched?.plural}.${watched?.group}`,
  });
  await vi.waitFor(() => expect([watched, empty].map(standing)).toEqual(['gone', 'current']), often);
  expect(membership.standingOf('crd:never.example.org')).toBe('gone');
  expect(membership.standingOf('what-an-earlier-version-had')).toBe('unknown');
  membership.leave();
});
