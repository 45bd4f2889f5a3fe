import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { clusters, teamMembers } from '../../../src/server/store/schema.ts';
import { type ApiServer, json, type SeenRequest, startApiServer, targetFor } from '../clusters/api-server.ts';
import { makeAuthority } from '../clusters/pki.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** More than are worked on at a time. */
const refs = [...Array(40).keys()].map((index) => ({ kind: 'pod', namespace: 'shop', name: `pod-${index}` }));

let console: TestConsole;
let server: ApiServer;
let admin: TestPerson;
let clusterId: number;
/** Happens while the cluster has been asked for the first object and has not answered yet. */
let meanwhile: () => Promise<unknown> = () => Promise.resolve();
let happened: Promise<unknown> | undefined;

const isPod = ({ url }: SeenRequest) => url.includes('/pods/');

beforeAll(async () => {
  const authority = await makeAuthority();
  server = await startApiServer(authority, (seen, response) => {
    if (seen.url === '/version') return json(response, 200, { gitVersion: 'v1.36.2' });
    if (!isPod(seen)) return json(response, 200, { status: { allowed: true } });
    const name = seen.url.split('?')[0]?.split('/').at(-1);
    happened ??= meanwhile();
    void happened.then(() => json(response, 200, { kind: 'Pod', metadata: { name, namespace: 'shop' } }));
  });
  console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] } });
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  const added = await owner.client.send('POST', '/api/ClusterManagement/clusters/kubeconfig', {
    name: 'prod',
    kubeConfigContent: toKubeconfig(targetFor(server.url, authority.pem)),
  });
  clusterId = (added.json as { id: number }).id;
  admin = await console.person({ companyId });
  await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
});
afterAll(async () => {
  await console.close();
  await server.close();
});
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
    expect(outcome).toMatchObject({ status: 404, message: 'No such cluster.', requests: [] });
  }
});
