import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type LiveClient, openLive } from './live-client.ts';

let playground: PlaygroundConsole;
const clients: LiveClient[] = [];

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
});
afterAll(async () => {
  for (const client of clients) client.socket.terminate();
  await playground.console.close();
});

async function open(cookie: string): Promise<LiveClient> {
  const { url } = playground.console;
  const client = await openLive(url, { origin: url, cookie });
  clients.push(client);
  return client;
}

const create = (name: string, image: string) =>
  playground.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body: deploymentOf('shop', name, image, 2),
  });

describe('the tallies of a cluster', () => {
  test('say how many objects there are and fail, of kinds that nobody has open, and go on by themselves', async () => {
    await create('broken', 'nginx:missing');
    const client = await open(playground.owner.client.cookie);
    const board = client.tallies(playground.clusterId);
    await client.until('both pods fail', () => board.tallies?.['pod']?.bad === 2);
    const before = board.tallies?.['deployment']?.total ?? 0;
    expect(before).toBeGreaterThan(0);
    await create('well', 'nginx:1.27');
    await client.until('one more is there', () => board.tallies?.['deployment']?.total === before + 1);
    await playground.transport.json({
      method: 'DELETE',
      path: '/apis/apps/v1/namespaces/shop/deployments/broken',
    });
    await client.until('none fails', () => board.tallies?.['pod']?.bad === 0);
    // As somebody is told who comes later.
    const other = await open(playground.owner.client.cookie);
    const later = other.tallies(playground.clusterId);
    await other.until('they are told', () => later.tallies?.['deployment'] !== undefined);
    await client.until('both are told the same', () =>
      ['deployment', 'pod', 'node'].every(
        (kind) => JSON.stringify(later.tallies?.[kind]) === JSON.stringify(board.tallies?.[kind]),
      ),
    );
  });

  test('say of a namespace only what is in it, and of what has no namespace all there is', async () => {
    const post = (path: string, body: object) => playground.transport.json({ method: 'POST', path, body });
    await post('/api/v1/namespaces', { metadata: { name: 'quay' } });
    const client = await open(playground.owner.client.cookie);
    const all = client.tallies(playground.clusterId);
    const quay = client.tallies(playground.clusterId, 'sidebar', 'quay');
    const empty = client.tallies(playground.clusterId, 'sidebar', 'nowhere');
    await client.until('nothing is in it', () => quay.tallies?.['deployment']?.total === 0);
    await post(
      '/apis/apps/v1/namespaces/quay/deployments',
      deploymentOf('quay', 'crane', 'nginx:missing', 2),
    );
    await client.until('both pods fail there', () => quay.tallies?.['pod']?.bad === 2);
    expect(quay.tallies?.['deployment']?.total).toBe(1);
    await client.until('they are among all', () => (all.tallies?.['pod']?.bad ?? 0) >= 2);
    expect(all.tallies?.['deployment']?.total).toBeGreaterThan(1);
    expect(quay.tallies?.['node']).toEqual(all.tallies?.['node']);
    expect(empty.tallies?.['pod']).toEqual({ total: 0, bad: 0 });
    await playground.transport.json({
      method: 'DELETE',
      path: '/apis/apps/v1/namespaces/quay/deployments/crane',
    });
    await client.until('none is left there', () => quay.tallies?.['pod']?.total === 0);
  });

  test('tell each person only of what they may view', async () => {
    const { console, companyId, clusterId } = playground;
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const client = await open(viewer.client.cookie);
    const board = client.tallies(clusterId);
    await client.until('they are told', () => board.tallies?.['pod'] !== undefined);
    for (const kind of ['secret', 'event', 'release']) expect(board.tallies).not.toHaveProperty(kind);
  });

  test('say how many objects of custom kinds fail, of kinds that are defined while somebody looks', async () => {
    const { transport, clusterId } = playground;
    const post = (path: string, body: object) => transport.json({ method: 'POST', path, body });
    const define = (plural: string, kind: string) =>
      post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.deck.example.org` },
        spec: {
          group: 'deck.example.org',
          scope: 'Namespaced',
          names: { kind, plural, singular: kind.toLowerCase() },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
    // A failure that is reported counts at once, one that is not only after a deadline.
    const create = (name: string, ready: 'True' | 'False', reason: string) =>
      post('/apis/deck.example.org/v1/namespaces/shop/winches', {
        apiVersion: 'deck.example.org/v1',
        kind: 'Winch',
        metadata: { name, namespace: 'shop' },
        status: { conditions: [{ type: 'Ready', status: ready, reason, message: 'The drum.' }] },
      });
    const client = await open(playground.owner.client.cookie);
    const board = client.tallies(clusterId, 'custom');
    const winches = () => board.tallies?.['crd:winches.deck.example.org'];
    await define('winches', 'Winch');
    await client.until('the new kind is counted', () => winches()?.total === 0);
    await create('fore', 'True', 'DrumTurns');
    await create('aft', 'False', 'DrumFailed');
    await client.until('one of two fails', () => winches()?.total === 2 && winches()?.bad === 1);
    expect(Object.keys(board.tallies ?? {}).filter((id) => !id.startsWith('crd:'))).toEqual([]);
    await transport.json({
      method: 'DELETE',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/winches.deck.example.org',
    });
    await client.until('a kind that is gone is not counted', () => winches() === undefined);
  });
});
