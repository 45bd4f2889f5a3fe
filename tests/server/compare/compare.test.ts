import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf } from '../playground-console.ts';

let lab: Lab;
let admin: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  admin = await lab.member(teamRoles.TeamAdmin);
  for (const name of ['north', 'south']) await lab.put('/api/v1/namespaces', { metadata: { name } });
  const put = (namespace: string, name: string, replicas: number) =>
    lab.put(
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      deploymentOf(namespace, name, 'nginx:1', replicas),
    );
  await put('north', 'same', 1);
  await put('south', 'same', 1);
  await put('north', 'other', 1);
  await put('south', 'other', 3);
  await put('north', 'here', 1);
  await put('south', 'there', 1);
  const secret = (namespace: string, name: string, data: Record<string, string>) =>
    lab.put(`/api/v1/namespaces/${namespace}/secrets`, {
      metadata: {
        name,
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"in":"${namespace}"}` },
      },
      data,
    });
  await secret('north', 'keys', {
    same: 'Q0FOQVJZLW9uZQ==',
    other: 'Q0FOQVJZLXR3bw==',
    own: 'Q0FOQVJZLXRocmVl',
  });
  await secret('south', 'keys', { same: 'Q0FOQVJZLW9uZQ==', other: 'Q0FOQVJZLWZvdXI=' });
});
afterAll(() => lab.close());

const twoNamespaces = { namespace: 'north', otherNamespace: 'south' };
const compare = (
  person: TestPerson,
  kind: string,
  { otherCluster = lab.clusterId, ...query }: Readonly<Record<string, unknown>> = twoNamespaces,
) =>
  person.client.call('compareLists', {
    params: { clusterId: lab.clusterId, kind },
    query: { otherCluster, ...query },
  });

describe('two namespaces as a list', () => {
  it('lists which objects are missing, differ or are equal, by name, and in which parts they differ', async () => {
    const { objects, readAt } = await compare(admin, 'deployment');
    expect(objects).toEqual([
      { namespace: null, name: 'other', state: 'differs', parts: ['spec.replicas'] },
      { namespace: null, name: 'here', state: 'left', parts: [] },
      { namespace: null, name: 'there', state: 'right', parts: [] },
      { namespace: null, name: 'same', state: 'equal', parts: [] },
    ]);
    expect(Date.parse(readAt)).toBeGreaterThan(0);
  });

  it('leaves out what a cluster gives each object for itself: addresses, uids, versions', async () => {
    const service = (namespace: string) =>
      lab.put(`/api/v1/namespaces/${namespace}/services`, {
        metadata: {
          name: 'web',
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: `uid-${namespace}` }],
        },
        spec: { ports: [{ port: 80 }] },
      });
    await service('north');
    await service('south');
    expect((await compare(admin, 'service')).objects).toEqual([
      { namespace: null, name: 'web', state: 'equal', parts: [] },
    ]);
  });

  it('compares statuses only where that is wanted', async () => {
    await lab.merge('/apis/apps/v1/namespaces/south/deployments/same/status', { status: { replicas: 1 } });
    const stateOf = async (status: string) =>
      (await compare(admin, 'deployment', { ...twoNamespaces, status })).objects.find(
        ({ name }) => name === 'same',
      );
    expect(await stateOf('false')).toMatchObject({ state: 'equal' });
    expect(await stateOf('true')).toMatchObject({ state: 'differs', parts: ['status.replicas'] });
  });

  it('compares values of Secrets without telling any, nor a mark of one', async () => {
    const { objects } = await compare(admin, 'secret');
    expect(objects).toEqual([
      { namespace: null, name: 'keys', state: 'differs', parts: ['data.other', 'data.own'] },
    ]);
    expect(JSON.stringify([objects, lab.console.log])).not.toMatch(/Q0FOQVJZ|CANARY/);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.map(({ action, subject }) => ({ action, subject }))).toEqual([
      {
        action: 'secret.compare',
        subject: expect.objectContaining({ kind: 'secret', namespace: 'north', otherNamespace: 'south' }),
      },
    ]);
  });

  it('takes kinds without a file', async () => {
    await lab.put('/apis/policy/v1/namespaces/north/poddisruptionbudgets', {
      metadata: { name: 'pdb' },
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    });
    const { objects } = await compare(lab.owner, 'policy~v1~poddisruptionbudgets');
    expect(objects).toMatchObject([{ name: 'pdb', state: 'left' }]);
  });

  it.each([
    [
      'the same place',
      { namespace: 'north', otherNamespace: 'north' },
      'That is the same list: choose another cluster or namespace.',
    ],
    [
      'a namespace against all',
      { namespace: 'north' },
      'Choose a namespace on both sides, or all namespaces on both.',
    ],
    ['one cluster with itself', {}, 'That is the same list: choose another cluster or namespace.'],
  ])('refuses %s in words', async (_what, query, title) => {
    expect(await refusal(compare(admin, 'deployment', query))).toMatchObject({ status: 400, title });
  });

  it('refuses what is no object of the API, and namespaces of objects that have none', async () => {
    expect((await refusal(compare(admin, 'release'))).status).toBe(400);
    expect((await refusal(compare(admin, 'node'))).title).toMatch(/are not namespaced/);
  });
});

describe('two clusters as a list', () => {
  it('leaves out what the person leaves out of their views of one of them, unless they ask for it', async () => {
    const [own] = await lab.console.store.db.select().from(clusters).where(eq(clusters.id, lab.clusterId));
    if (own === undefined) throw new Error('The playground has no row.');
    const { companyId, source, server, colour } = own;
    const values = { companyId, source, server, colour, name: 'twin' };
    const [twin] = await lab.console.store.db.insert(clusters).values(values).returning();
    if (twin === undefined) throw new Error('The twin has no row.');
    const person = await lab.member(teamRoles.Viewer);
    await lab.console.grant(companyId, person.id, twin.id, teamRoles.Viewer);
    await person.client.call('saveUserSettings', {
      params: { clusterId: twin.id },
      body: { excludedNamespaces: ['north'] },
    });
    const namespacesWith = async (query: Readonly<Record<string, unknown>>) => {
      const { objects } = await compare(person, 'deployment', { otherCluster: twin.id, ...query });
      return new Set(objects.map(({ namespace }) => namespace));
    };
    const [seen, all] = [await namespacesWith({}), await namespacesWith({ excluded: 'shown' })];
    expect([seen.has('north'), seen.has('south')]).toEqual([false, true]);
    expect([all.has('north'), all.has('south')]).toEqual([true, true]);
  });
});

describe('who may compare', () => {
  it('needs the view permission on both clusters, and reveals nothing of one that the person does not reach', async () => {
    const [company] = await lab.console.store.db.select().from(clusters).limit(1);
    const companyId = company?.companyId ?? 0;
    const other = await lab.console.cluster(companyId, 'elsewhere');
    const query = { otherCluster: other };
    const viewer = await lab.member(teamRoles.Viewer);
    expect(await refusal(compare(viewer, 'deployment', query))).toMatchObject({
      status: 404,
      title: 'There is no such cluster.',
    });
    const reader = await lab.member(teamRoles.SecretViewer);
    await lab.console.grant(companyId, reader.id, other, teamRoles.Viewer);
    expect(await refusal(compare(reader, 'secret', query))).toMatchObject({ status: 403 });
    expect(await refusal(compare(viewer, 'secret'))).toMatchObject({ status: 403 });
    // Allowed, and the cluster itself does not answer: its failure, not the person's.
    expect(await refusal(compare(reader, 'deployment', query))).toMatchObject({ status: 502 });
  });
});

describe('two Secrets', () => {
  const call = (person: TestPerson) =>
    person.client.call('compareSecrets', {
      params: { clusterId: lab.clusterId, namespace: 'north', name: 'keys' },
      query: { otherCluster: lab.clusterId, otherNamespace: 'south', otherName: 'keys' },
    });

  it('carry marks in the place of values: the same for equal ones, and nothing of any', async () => {
    const answer = await call(admin);
    const [left, right] = [answer.left['data'], answer.right['data']] as Record<string, string>[];
    expect(left?.['same']).toMatch(/^<masked [0-9a-f]{6}>$/);
    expect(left?.['same']).toBe(right?.['same']);
    expect(left?.['other']).not.toBe(right?.['other']);
    expect(new Set(Object.values(left ?? {})).size).toBe(3);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.at(-1)).toMatchObject({
      action: 'secret.compare',
      userId: admin.id,
      clusterId: lab.clusterId,
      status: 200,
      subject: {
        kind: 'secret',
        names: 'north/keys',
        otherCluster: lab.clusterId,
        otherNames: 'south/keys',
        keys: 'other, own, same',
      },
    });
    expect(JSON.stringify(rows)).not.toMatch(/Q0FOQVJZ|CANARY|"in"/);
    expect(JSON.stringify(answer)).not.toMatch(/Q0FOQVJZ|CANARY|"in"/);
  });

  it('need secrets.view, and leave no row of a comparison without it', async () => {
    const viewer = await lab.member(teamRoles.Viewer);
    expect((await refusal(call(viewer))).status).toBe(403);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.filter(({ userId }) => userId === viewer.id)).toEqual([]);
  });
});
