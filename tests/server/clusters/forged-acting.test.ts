import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { groupOfTeam } from '../../../src/server/clusters/acting.ts';
import type { TestPerson } from '../harness.ts';
import { BearerClient, pathOf, type SendOptions, type TestClient } from '../http-client.ts';
import { type AnsweringCluster, greet, startAnsweringCluster } from './answering-cluster.ts';
import { json } from './api-server.ts';

let cluster: AnsweringCluster;
let member: TestPerson;
beforeAll(async () => {
  cluster = await startAnsweringCluster((seen, response) =>
    seen.method === 'GET' || seen.url.includes('accessreviews')
      ? greet(seen, response)
      : json(response, 201, { metadata: { name: 'made', namespace: 'shop' } }),
  );
  const { console, companyId, clusterId, owner } = cluster;
  member = await console.person({ companyId });
  await console.grant(companyId, member.id, clusterId, teamRoles.TeamAdmin);
  const body = { isProtected: false, isReadOnly: false, isShellAllowed: true, isImpersonating: true };
  await owner.client.call('saveGlobalSettings', { params: { clusterId }, body });
});
afterEach(() => {
  cluster.server.seen.length = 0;
});
afterAll(() => cluster.close());

const create = async (client: TestClient, options: SendOptions = {}, more = '') => {
  const path = pathOf(api.createObject, { clusterId: cluster.clusterId, kind: 'configmap' });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'shop' } };
  return await client.send('POST', `${path}?namespace=shop${more}`, { object }, options);
};
/** The changing requests that reached the cluster. */
const changes = () => cluster.server.seen.filter(({ url }) => url.includes('/configmaps'));
const impersonation = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((_text, index, all) =>
    index % 2 === 0
      ? all[index]?.toLowerCase().startsWith('impersonate-')
      : all[index - 1]?.toLowerCase().startsWith('impersonate-'),
  );

describe('somebody else than who asks', () => {
  it('is not acted as by headers of the call, in whatever case', async () => {
    const honest = await create(member.client);
    expect(honest.status).toBe(200);
    const [as] = changes().map(({ rawHeaders }) => impersonation(rawHeaders));
    expect(as?.join(' ')).toContain(`wheelhouse:user:${member.id}`);
    cluster.server.seen.length = 0;
    const headers = {
      'Impersonate-User': 'admin',
      'impersonate-group': 'system:masters',
      'IMPERSONATE-UID': '0',
      'Impersonate-Extra-wheelhouse.email': 'root@example.org',
      'X-Remote-User': 'admin',
      'X-Remote-Group': 'system:masters',
    };
    expect((await create(member.client, { headers })).status).toBe(200);
    const sent = changes();
    expect(sent.length).toBeGreaterThan(0);
    for (const { rawHeaders } of sent) {
      expect(impersonation(rawHeaders)).toEqual(as);
      expect(rawHeaders.join(' ')).not.toMatch(/system:masters|x-remote|root@/i);
    }
  });

  it('is not acted as by a parameter or a field of the call', async () => {
    for (const more of ['&as=admin', '&Impersonate-User=admin', '&asGroups=system:masters'])
      expect((await create(member.client, {}, more)).status).toBe(400);
    const path = pathOf(api.applyResource, { clusterId: cluster.clusterId });
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\n  namespace: shop\n';
    expect((await member.client.send('POST', path, { yaml, as: 'admin' })).status).toBe(400);
    expect(changes()).toEqual([]);
  });

  it('is never the console itself: each change names who asks, also by an API token', async () => {
    const body = { name: 'script', scopes: ['resources.manage' as const, 'namespaces.view' as const] };
    const { secret } = await member.client.call('createToken', { body });
    const script = new BearerClient(cluster.console.url, secret);
    expect((await create(script)).status).toBe(200);
    const sent = changes();
    expect(sent.length).toBeGreaterThan(0);
    for (const { headers } of sent) expect(headers['impersonate-user']).toBe(`wheelhouse:user:${member.id}`);
  });

  it('is not asked of the cluster where the console refuses: nothing reaches it', async () => {
    const { console, companyId, clusterId } = cluster;
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const headers = { 'Impersonate-User': `wheelhouse:user:${member.id}` };
    expect((await create(viewer.client, { headers })).status).toBe(403);
    const body = { name: 'narrow', scopes: ['pods.view' as const] };
    const { secret } = await member.client.call('createToken', { body });
    expect((await create(new BearerClient(console.url, secret))).status).toBe(403);
    expect(changes()).toEqual([]);
  });
});

describe('the group of a team', () => {
  const names = [
    '',
    '1',
    '1-2',
    '12',
    'a',
    'a-1',
    'A 1',
    'á-1',
    '-',
    'a'.repeat(39),
    'a'.repeat(40),
    `${'a'.repeat(40)}-1`,
    'system:masters',
    'team:1',
    'user:1',
    '%0d%0aImpersonate-User: root',
    '\u202emasters',
    'ｓｙｓｔｅｍ：ｍａｓｔｅｒｓ',
  ];
  const ids = [1, 2, 11, 12, 21, 121];

  it('is never that of another one, however they are named', () => {
    const owners = new Map<string, number>();
    for (const id of ids)
      for (const name of names) {
        const group = groupOfTeam({ id, name });
        expect(owners.get(group) ?? id, `${group} of ${name}`).toBe(id);
        owners.set(group, id);
      }
  });

  it('is letters, digits and hyphens behind the prefix, so no user, system group or header', () => {
    for (const id of ids)
      for (const name of names) expect(groupOfTeam({ id, name })).toMatch(/^wheelhouse:team:[a-z\d-]{1,52}$/);
  });
});
