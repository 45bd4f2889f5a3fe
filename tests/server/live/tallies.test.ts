import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type LiveClient, openLive } from './live-client.ts';

let playground: PlaygroundConsole;
const clients: LiveClient[] = [];

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
}, 60_000);
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

  test('tell each person only of what they may view', async () => {
    const { console, companyId, clusterId } = playground;
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const client = await open(viewer.client.cookie);
    const board = client.tallies(clusterId);
    await client.until('they are told', () => board.tallies?.['pod'] !== undefined);
    for (const kind of ['secret', 'event', 'release']) expect(board.tallies).not.toHaveProperty(kind);
  });
});
