import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { permissions, rolePermissions, teamRoles } from '../../../src/contract/permissions.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { presentCluster } from '../../../src/server/clusters/present-cluster.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { heldOf } from '../held.ts';
import type { TestClient, WireAnswer } from '../http-client.ts';

const path = '/api/ClusterManagement/clusters';
let console: TestConsole;
let playground: Playground;
let companyId: number;
let owner: TestPerson;
let client: TestClient;
/** Every answer of the file: none may carry a credential. */
const answers: WireAnswer[] = [];

beforeAll(async () => {
  console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] } });
  playground = await startPlayground({ token: 'CANARY-PLAYGROUND-TOKEN' });
  companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  ({ client } = owner);
});

afterAll(async () => {
  await console.close();
  await playground.close();
});

async function ask(method: string, where: string, body?: unknown, by = client): Promise<WireAnswer> {
  const answer = await by.send(method, where, body);
  answers.push(answer);
  return answer;
}

async function add(name: string): Promise<number> {
  const answer = await ask('POST', `${path}/kubeconfig`, { name, kubeConfigContent: playground.kubeconfig });
  expect(answer.status).toBe(200);
  return (answer.json as { id: number }).id;
}

describe('the calls on clusters', () => {
  it('add a cluster by its kubeconfig at the end of the list', async () => {
    const answer = await ask('POST', `${path}/kubeconfig`, {
      name: ' zebra ',
      description: 'a second playground',
      kubeConfigContent: playground.kubeconfig,
    });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        name: 'zebra',
        description: 'a second playground',
        source: 'kubeconfig',
        server: `127.0.0.1:${playground.port}`,
        isProtected: false,
        isReadOnly: false,
        isShellAllowed: true,
        isShellRecorded: false,
        credentialExpiresAt: null,
        state: { status: 'reachable', version: expect.stringMatching(/^v1\./) },
      },
    });
    await add('Antelope');
    const list = await ask('GET', path);
    expect((list.json as { name: string }[]).map(({ name }) => name)).toEqual(['zebra', 'Antelope']);
    const same = await ask('GET', `${path}/users/${owner.id}`);
    expect(same.json).toEqual(list.json);
    expect((await ask('GET', `${path}/users/999999`)).status).toBe(404);
  });

  it('offer the contexts of a file with what keeps each from being added, and store nothing', async () => {
    const before = (await ask('GET', path)).json;
    const file = stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://prod.example.org' } }],
      users: [
        { name: 'good', user: { token: 'CANARY-OFFERED' } },
        { name: 'eks', user: { exec: { command: 'aws', args: ['CANARY-ARGUMENT'] } } },
      ],
      contexts: ['good', 'eks'].map((user) => ({ name: user, context: { cluster: 'c', user } })),
      'current-context': 'good',
    });
    const answer = await ask('POST', `${path}/contexts`, { kubeConfigContent: file });
    expect(answer.json).toMatchObject({
      contexts: [
        { name: 'good', server: 'https://prod.example.org', isCurrent: true, credential: 'Token' },
        { name: 'eks', isCurrent: false, problem: expect.stringMatching(/EKS/) },
      ],
    });
    expect((answer.json as { contexts: { problem?: string }[] }).contexts[0]?.problem).toBeUndefined();
    expect((await ask('GET', path)).json).toEqual(before);
    expect(await ask('POST', `${path}/contexts`, { kubeConfigContent: 'x' })).toMatchObject({
      status: 400,
      json: { title: expect.stringMatching(/^That is not a kubeconfig/) },
    });
  });

  it('add a batch in its order: each succeeds or fails by itself, errors by name', async () => {
    const good = (name: string) => ({ name, kubeConfigContent: playground.kubeconfig });
    const bad = {
      name: 'broken',
      kubeConfigContent: playground.kubeconfig.replace(`:${playground.port}`, ':1'),
    };
    const batch = [good('one'), bad, good('two'), good('zebra'), ...['three', 'four', 'five'].map(good)];
    const answer = await ask('POST', `${path}/batch`, { clusters: batch });
    const { results, errors } = answer.json as { results: { name: string }[]; errors: string[] };
    expect(answer.status).toBe(200);
    expect(results.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(errors).toEqual([
      expect.stringMatching(/^broken: broken refused the connection/),
      'zebra: A cluster named "zebra" already exists. Choose another name.',
    ]);
    const [row] = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.action, 'addClusters'));
    expect(row).toMatchObject({ status: 200, subject: { added: 5, failed: 2 } });
  });

  it('replace a credential under the same id, and delete', async () => {
    const id = await add('passing');
    const wrong = playground.kubeconfig.replace('CANARY-PLAYGROUND-TOKEN', 'CANARY-WRONG');
    expect(await ask('PUT', `${path}/${id}/kubeconfig`, { kubeConfigContent: wrong })).toMatchObject({
      status: 502,
      json: {
        title: "passing rejected the console's credential (401). Replace its kubeconfig.",
        where: { source: 'cluster', cluster: 'passing' },
      },
    });
    const replaced = await ask('PUT', `${path}/${id}/kubeconfig`, {
      kubeConfigContent: playground.kubeconfig,
    });
    expect(replaced).toMatchObject({ status: 200, json: { id, name: 'passing' } });
    expect((await ask('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await ask('GET', `/api/clusters/${id}/state`)).status).toBe(404);
    expect((await ask('DELETE', `${path}/${id}`)).status).toBe(404);
  });

  it('name no namespace that an Owner leaves out for everybody to people who cannot reach it', async () => {
    const id = await add('partly');
    const [row] = await console.store.db.select().from(clusters).where(eq(clusters.id, id));
    if (row === undefined) throw new Error('No row.');
    const excluded = new Set(['secret-project', 'shop']);
    const shown = (within: 'all' | ReadonlySet<string>) =>
      presentCluster(row, { status: 'unknown' }, { held: heldOf(['pods.view'], { within }), excluded })
        .excludedNamespaces;
    expect(shown('all')).toEqual(['secret-project', 'shop']);
    expect(shown(new Set(['shop', 'web']))).toEqual(['shop']);
    expect(shown(new Set(['web']))).toBeUndefined();
  });

  it('hide the server from people without clusters.view', async () => {
    const id = await add('hidden');
    const [row] = await console.store.db.select().from(clusters).where(eq(clusters.id, id));
    if (row === undefined) throw new Error('No row.');
    const sight = (held: Parameters<typeof heldOf>[0]) => ({
      held: heldOf(held),
      excluded: new Set<string>(),
    });
    expect(presentCluster(row, { status: 'unknown' }, sight([])).server).toBe('');
    expect(presentCluster(row, { status: 'unknown' }, sight(['clusters.view'])).server).toBe(
      `127.0.0.1:${playground.port}`,
    );
  });
});

describe('the calls on permissions', () => {
  it("list names sorted by name: the caller's, a person's, a role's, all", async () => {
    const id = await add('granted');
    const member = await console.person({ companyId });
    await console.grant(companyId, member.id, id, teamRoles.Viewer);
    const base = `/api/auth/clusters/${id}`;
    const names = (answer: WireAnswer) => (answer.json as { name: string }[]).map(({ name }) => name);
    const viewer = [...rolePermissions[teamRoles.Viewer]].sort((a, b) => (a < b ? -1 : 1));
    expect(names(await ask('GET', `${base}/user-permissions`))).toEqual([...permissions]);
    expect(names(await ask('GET', `${base}/user-permissions`, undefined, member.client))).toEqual(viewer);
    expect(names(await ask('GET', `${base}/user-permissions/${member.id}`))).toEqual(viewer);
    expect(names(await ask('GET', `${base}/user-role-permissions/${teamRoles.Viewer}`))).toEqual(viewer);
    expect(names(await ask('GET', '/api/UserManagement/permissions'))).toEqual([...permissions]);
    const list = await ask('GET', path, undefined, member.client);
    expect((list.json as { name: string }[]).map(({ name }) => name)).toEqual(['granted']);
    expect(await ask('GET', `${base}/user-role-permissions/5`)).toMatchObject({
      status: 404,
      json: { title: 'There is no such role.' },
    });
    expect((await ask('GET', `${base}/user-permissions/999999`)).status).toBe(404);
  });
});

describe('the calls on namespaces', () => {
  it('list, create and read them on the cluster', async () => {
    const id = await add('spaces');
    const base = `/api/namespaces/clusters/${id}/namespaces`;
    for (const name of ['shop', 'billing']) {
      expect(await ask('POST', base, { name, labels: { team: name } })).toMatchObject({
        status: 200,
        json: { name, labels: { team: name }, status: 'Active', createdAt: expect.any(String) },
      });
    }
    const names = ((await ask('GET', base)).json as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
    expect(names).toEqual(expect.arrayContaining(['billing', 'shop']));
    expect((await ask('GET', `${base}/shop`)).json).toMatchObject({ name: 'shop', labels: { team: 'shop' } });
  });

  it("say in the cluster's own words that a name is taken, and in ours that one is unknown", async () => {
    const id = await add('words');
    const base = `/api/namespaces/clusters/${id}/namespaces`;
    await ask('POST', base, { name: 'twice' });
    expect(await ask('POST', base, { name: 'twice' })).toMatchObject({
      status: 409,
      json: { title: 'namespaces "twice" already exists', where: { source: 'cluster' } },
    });
    for (const name of ['nowhere', 'UPPER', '..', 'a%2fb', 'a b']) {
      expect(await ask('GET', `${base}/${encodeURIComponent(name)}`)).toMatchObject({
        status: 404,
        json: { title: `Namespace not found: ${name}` },
      });
    }
  });

  it('change nothing on a read-only cluster', async () => {
    const id = await add('frozen');
    await console.store.db.update(clusters).set({ isReadOnly: true }).where(eq(clusters.id, id));
    const base = `/api/namespaces/clusters/${id}/namespaces`;
    expect(await ask('POST', base, { name: 'frozen-ns' })).toMatchObject({
      status: 403,
      json: { title: 'frozen is read-only in this console: nothing can be changed there.' },
    });
    expect((await ask('GET', `${base}/frozen-ns`)).status).toBe(404);
  });

  it('answer 502 for a cluster that is away, never 401', async () => {
    const id = await add('away');
    const row = await console.store.db.select().from(clusters).where(eq(clusters.id, id));
    expect(row[0]?.server).toBe(playground.server);
    const gone = await startPlayground();
    const answer = await ask('PUT', `${path}/${id}/kubeconfig`, { kubeConfigContent: gone.kubeconfig });
    expect(answer.status).toBe(200);
    await gone.close();
    const problem = await ask('GET', `/api/namespaces/clusters/${id}/namespaces`);
    expect(problem).toMatchObject({
      status: 502,
      json: { where: { source: 'cluster', cluster: 'away' }, retryable: true },
    });
    expect((await ask('GET', `/api/clusters/${id}/state`)).json).toMatchObject({ status: 'unreachable' });
  });
});

describe('a credential', () => {
  it('is in no answer, log line, audit row or column of this whole file', async () => {
    const rows = await console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.length).toBeGreaterThan(10);
    const stored = await console.store.db.select().from(clusters);
    const shown = [
      ...answers.map(({ text }) => text),
      JSON.stringify(console.log),
      JSON.stringify(rows),
      ...stored.map((row) => `${JSON.stringify(row)}${row.kubeconfig?.toString('latin1') ?? ''}`),
    ].join('\n');
    expect(shown).not.toMatch(/CANARY/);
    expect(shown).not.toContain('BEGIN CERTIFICATE');
  });
});
