import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { type AnsweringCluster, greet, startAnsweringCluster } from '../clusters/answering-cluster.ts';
import { type ApiServer, json, type SeenRequest } from '../clusters/api-server.ts';
import type { TestConsole, TestPerson } from '../harness.ts';

/** More than are worked on at a time. */
const refs = [...Array(40).keys()].map((index) => ({ kind: 'pod', namespace: 'shop', name: `pod-${index}` }));

let cluster: AnsweringCluster;
let console: TestConsole;
let server: ApiServer;
let admin: TestPerson;
let clusterId: number;
/** Happens while the cluster has been asked for the first object and has not answered yet. */
let meanwhile: () => Promise<unknown> = () => Promise.resolve();
let happened: Promise<unknown> | undefined;

const isPod = ({ url }: SeenRequest) => url.includes('/pods/');

beforeAll(async () => {
  cluster = await startAnsweringCluster((seen, response) => {
    if (!isPod(seen)) return greet(seen, response);
    const name = seen.url.split('?')[0]?.split('/').at(-1);
    happened ??= meanwhile();
    void happened.then(() => json(response, 200, { kind: 'Pod', metadata: { name, namespace: 'shop' } }));
  });
  ({ console, server, clusterId } = cluster);
  admin = await console.person({ companyId: cluster.companyId });
  await console.grant(cluster.companyId, admin.id, clusterId, teamRoles.TeamAdmin);
});
afterAll(() => cluster.close());
beforeEach(() => {
  happened = undefined;
  server.seen.length = 0;
});

async function labelAll() {
  const { outcomes } = await admin.client.call('runAction', {
    params: { clusterId, actionId: 'object.labels' },
    body: { refs, args: { labels: { a: 'b' } } },
  });
  const refused = outcomes.filter(({ ok }) => !ok);
  const asked = new Set(server.seen.filter(isPod).map(({ url }) => url.split('?')[0]));
  return { refused, asked: asked.size };
}

it('an action on many objects stops where its cluster becomes read-only meanwhile', async () => {
  const { db } = console.store;
  meanwhile = async () =>
    await db.update(clusters).set({ isReadOnly: true }).where(eq(clusters.id, clusterId));
  const { refused, asked } = await labelAll();
  await db.update(clusters).set({ isReadOnly: false }).where(eq(clusters.id, clusterId));
  expect(refused.length).toBeGreaterThanOrEqual(refs.length - 8);
  expect(asked + refused.length).toBe(refs.length);
  for (const outcome of refused) {
    expect(outcome).toMatchObject({
      status: 403,
      message: expect.stringContaining('read-only'),
      requests: [],
    });
  }
});

it('an action on many objects stops where the grant of who began it is withdrawn', async () => {
  meanwhile = async () => await console.store.db.delete(teamMembers).where(eq(teamMembers.userId, admin.id));
  const { refused, asked } = await labelAll();
  expect(refused.length).toBeGreaterThanOrEqual(refs.length - 8);
  expect(asked + refused.length).toBe(refs.length);
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ status: 404, message: 'There is no such cluster.', requests: [] });
  }
});
