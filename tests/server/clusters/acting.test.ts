import { gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { api } from '../../../src/contract/api.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { actAs, actingIdentity, groupOfTeam } from '../../../src/server/clusters/acting.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { ClusterProblem, type KubeRequest, type Transport } from '../../../src/server/clusters/transport.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { teams } from '../../../src/server/store/schema/teams.ts';
import { credentialContext } from '../../../src/server/store/sealed.ts';
import type { TestPerson } from '../harness.ts';
import { pathOf } from '../http-client.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { json, targetFor } from './api-server.ts';
import { useWire } from './wire.ts';

const wire = useWire();
const patience = { timeout: 60_000, interval: 50 };

let playground: PlaygroundConsole;
/** Whose team the cluster's own RBAC lets do everything, once it says so. */
let known: TestPerson & { readonly group: string };
/** Of another team, of which the cluster knows nothing. */
let unknown: TestPerson;

const rules = { isProtected: false, isReadOnly: false, isShellAllowed: true };

async function setActing(isImpersonating: boolean): Promise<void> {
  const { owner, clusterId } = playground;
  const body = { ...rules, isImpersonating };
  await owner.client.call('saveGlobalSettings', { params: { clusterId }, body });
}

function create(who: TestPerson, name: string) {
  const path = pathOf(api.createObject, { clusterId: playground.clusterId, kind: 'configmap' });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } };
  return who.client.send('POST', `${path}?namespace=shop`, { object });
}

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  const { console, companyId, clusterId } = playground;
  const member = async () => {
    const one = await console.person({ companyId });
    const id = await console.grant(companyId, one.id, clusterId, teamRoles.TeamAdmin);
    await console.store.db
      .update(teams)
      .set({ name: `Läden & Co. ${id}` })
      .where(eq(teams.id, id));
    return { ...one, group: groupOfTeam({ id, name: `Läden & Co. ${id}` }) };
  };
  [known, unknown] = [await member(), await member()];
});
afterAll(() => playground.console.close());

describe('a cluster that is to know people', () => {
  it('knows the console alone until an Owner says otherwise', async () => {
    expect((await create(unknown, 'before')).status).toBe(200);
  });

  it('decides by its own RBAC as well, for the person and their teams', async () => {
    await setActing(true);
    const refused = await create(known, 'early');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`wheelhouse:user:${known.id}`);
    expect(known.group).toMatch(/^wheelhouse:team:laden-co-(\d+)-\1$/);
    await playground.transport.json({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: 'people-of-the-console' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: known.group }],
      },
    });
    await expect.poll(async () => (await create(known, 'late')).status, patience).toBe(200);
    expect((await create(unknown, 'never')).status).toBe(403);
    // An Owner is nobody special to the cluster.
    expect((await create(playground.owner, 'never')).status).toBe(403);
  });

  it('is asked as the person what they may apply', async () => {
    const path = pathOf(api.applyResource, { clusterId: playground.clusterId });
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: pasted\n  namespace: shop\n';
    const apply = (who: TestPerson) => who.client.send('POST', path, { yaml, dryRun: true });
    expect((await apply(known)).text).toContain('"ok":true');
    expect((await apply(unknown)).text).toContain(`wheelhouse:user:${unknown.id}`);
  });

  it('decides about every way to change something: actions, edits, deletions, drains and releases', async () => {
    const { clusterId, transport } = playground;
    const place = { kind: 'deployment', namespace: 'shop', name: 'web' } as const;
    await transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'web', 'nginx:1', 1),
    });
    const web = () => playground.seen<KubeObject>('/apis/apps/v1/namespaces/shop/deployments/web');
    const before = await web();
    const nodes = () =>
      transport.json<{ items: { metadata: { name: string }; spec: object }[] }>({ path: '/api/v1/nodes' });
    const node = { kind: 'node', name: (await nodes()).items[0]?.metadata.name ?? '' } as const;
    // An Owner may do all of it here, and is nobody to the cluster.
    const { owner } = playground;
    const name = `wheelhouse:user:${owner.id}`;
    const run = async (
      actionId: string,
      ref: { readonly kind: string; readonly namespace?: string; readonly name: string },
      args: Record<string, unknown> = {},
    ) => {
      const { outcomes } = await owner.client.call('runAction', {
        params: { clusterId, actionId },
        body: { refs: [ref], args },
      });
      return outcomes[0];
    };
    /** Why a job failed; what was said where none began. */
    const endOf = async (id: number | undefined, said: string | undefined) => {
      if (id === undefined) return said;
      const job = async () => {
        const { jobs } = await owner.client.call('jobs', { params: { clusterId } });
        return jobs.find((one) => one.id === id);
      };
      await expect.poll(async () => (await job())?.status, patience).toBe('failed');
      return JSON.stringify(await job());
    };
    for (const [actionId, ref, args] of [
      ['deployment.restart', place, {}],
      ['deployment.scale', place, { replicas: 3 }],
      ['object.delete', place, {}],
      ['node.cordon', node, {}],
    ] as const) {
      const outcome = await run(actionId, ref, args);
      expect(outcome, actionId).toMatchObject({ ok: false, message: expect.stringContaining(name) });
    }
    const params = { clusterId, kind: 'deployment', name: 'web' };
    const { resourceVersion } = await owner.client.call('editSource', {
      params,
      query: { namespace: 'shop' },
    });
    await expect(
      owner.client.call('editObject', {
        params,
        query: { namespace: 'shop' },
        body: { resourceVersion, changes: [{ op: 'replace', path: ['spec', 'replicas'], value: 5 }] },
      }),
    ).rejects.toMatchObject({ status: 403, title: expect.stringContaining(name) });
    const drain = await run('node.drain', node, { limit: 10 });
    if (drain?.ok === true)
      await expect
        .poll(async () => {
          const { jobs } = await owner.client.call('jobs', { params: { clusterId } });
          return jobs.find(({ action }) => action === 'node.drain');
        }, patience)
        .toMatchObject({ status: 'failed', message: expect.stringContaining(name) });
    else expect(drain).toMatchObject({ message: expect.stringContaining(name) });
    const manifest = '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: before\n';
    const release = {
      name: 'shop',
      namespace: 'shop',
      version: 1,
      info: {
        status: 'deployed',
        first_deployed: '2026-01-01T00:00:00Z',
        last_deployed: '2026-01-01T00:00:00Z',
      },
      chart: { metadata: { name: 'shop', version: '1.0.0' }, values: {} },
      manifest,
    };
    const packed = gzipSync(JSON.stringify(release)).toString('base64');
    await transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/secrets',
      body: {
        metadata: {
          name: 'sh.helm.release.v1.shop.v1',
          labels: { name: 'shop', owner: 'helm', status: 'deployed', version: '1', modifiedAt: '1767225600' },
        },
        type: 'helm.sh/release.v1',
        data: { release: Buffer.from(packed).toString('base64') },
      },
    });
    const uninstalling = await run('release.uninstall', { kind: 'release', namespace: 'shop', name: 'shop' });
    expect(await endOf(uninstalling?.job, uninstalling?.message)).toContain(name);
    expect(await playground.seen('/api/v1/namespaces/shop/configmaps/before')).toBeDefined();
    const after = await web();
    expect(after?.metadata?.generation).toBe(before?.metadata?.generation);
    expect((await nodes()).items[0]?.spec).not.toHaveProperty('unschedulable');
  });

  it('hears of no team whose place is over', async () => {
    const { console, companyId, clusterId } = playground;
    const { db } = console.store;
    const person = { id: known.id, companyId, name: 'Kim', email: 'kim@example.org' };
    const groups = async () =>
      (await actingIdentity(db, { person, cluster: { id: clusterId, name: 'c', isImpersonating: true } }))
        ?.groups;
    const expire = (at: string | null) =>
      db.execute(sql`update team_members set expires_at = ${at}::timestamptz,
        given_by = ${at === null ? null : 'staff'} where user_id = ${known.id}`);
    expect(await groups()).toEqual([known.group]);
    await expire(new Date(Date.now() - 60_000).toISOString());
    expect(await groups()).toEqual([]);
    await expire(null);
  });

  it('opens shells to the person, and refuses them in its own words', async () => {
    const pods = await playground.transport.json<{
      items: { metadata: { name: string; namespace: string } }[];
    }>({
      path: '/api/v1/pods',
    });
    const { name, namespace } = pods.items[0]?.metadata ?? { name: '', namespace: '' };
    const { console, clusterId } = playground;
    const socket = new WebSocket(
      `${console.url.replace('http', 'ws')}/api/clusters/${clusterId}/pods/${namespace}/${name}/shell?`,
      { headers: { origin: console.url, cookie: unknown.client.cookie } },
    );
    const texts: string[] = [];
    socket.on('message', (data: Buffer) => texts.push(data.toString('utf8')));
    await expect.poll(() => texts.join(''), patience).toContain(`wheelhouse:user:${unknown.id}`);
    socket.close();
  });

  it('is read by the console’s credential: everybody sees what they may see here', async () => {
    const path = pathOf(api.objects, { clusterId: playground.clusterId, kind: 'configmap' });
    expect((await unknown.client.send('GET', `${path}?namespace=shop`)).text).toContain('before');
    await setActing(false);
    expect((await create(unknown, 'after')).status).toBe(200);
  });
});

describe('acting as a person', () => {
  const as = { user: 'wheelhouse:user:7', groups: ['wheelhouse:team:a-1'], extra: {} };

  it('is never given up for the console’s own credential: the refusal is said', async () => {
    const sent: KubeRequest[] = [];
    const message =
      'users "wheelhouse:user:7" is forbidden: User "console" cannot impersonate resource "users"';
    const refusing: Transport = {
      clusterId: 1,
      credential: 'a',
      json: (request) => {
        sent.push(request);
        throw new ClusterProblem(
          { status: 403, title: message },
          { status: 403, body: { kind: 'Status', message } },
        );
      },
      stream: () => Promise.reject(new Error('Not asked for.')),
      close: () => Promise.resolve(),
    };
    const acting = actAs(refusing, as, 'prod');
    await expect(acting.json({ method: 'POST', path: '/x' })).rejects.toMatchObject({
      status: 403,
      title: expect.stringMatching(/^Nothing was done: prod does not let this console act as you/),
    });
    expect(sent).toEqual([{ method: 'POST', path: '/x', as }]);
    await expect(acting.json({ path: '/x' })).rejects.toMatchObject({ title: message });
    expect(sent[1]).toEqual({ path: '/x' });
  });

  it('sends address and name percent-encoded: no name ends its header or adds a group', async () => {
    const person = {
      id: known.id,
      companyId: playground.companyId,
      name: 'Zoë 100 %\r\nImpersonate-Group: system:masters',
      email: 'zoë+ops@example.org',
    };
    const identity = await actingIdentity(playground.console.store.db, {
      person,
      cluster: { id: playground.clusterId, name: 'prod', isImpersonating: true },
    });
    if (identity === undefined) throw new Error('The cluster is to know people.');
    const server = await wire.serve((_seen, response) => json(response, 201, {}));
    const transport = wire.connect(targetFor(server.url, wire.authority().pem));
    await actAs(transport, identity, 'prod').json({ method: 'POST', path: '/api/v1/namespaces', body: {} });
    const { headers, rawHeaders } = server.seen[0] ?? { headers: {}, rawHeaders: [] };
    expect(headers).toMatchObject({
      'impersonate-user': `wheelhouse:user:${known.id}`,
      'impersonate-group': known.group,
      'impersonate-extra-wheelhouse.email': 'zo%C3%AB%2Bops%40example.org',
      'impersonate-extra-wheelhouse.name':
        'Zo%C3%AB%20100%20%25%0D%0AImpersonate-Group%3A%20system%3Amasters',
    });
    expect(rawHeaders.filter((text) => text.toLowerCase() === 'impersonate-group')).toHaveLength(1);
  });

  it.each([
    ['Shop', 'wheelhouse:team:shop-3'],
    ['system:masters', 'wheelhouse:team:system-masters-3'],
    ['команда', 'wheelhouse:team:3'],
    ['--a,b\r\nImpersonate-User: root', 'wheelhouse:team:a-b-impersonate-user-root-3'],
  ])('calls the team %j %s', (name, group) => {
    expect(groupOfTeam({ id: 3, name })).toBe(group);
  });

  it('is refused where the credential acts as another user already', async () => {
    const { console, companyId, owner } = playground;
    const clusterId = await console.cluster(companyId, 'acting');
    const impersonate = { user: 'robin', uid: undefined, groups: [], extra: {} };
    const target = targetFor('https://127.0.0.1:1', wire.authority().pem, { impersonate });
    const kubeconfig = console.services.vault.seal(toKubeconfig(target), credentialContext(clusterId));
    await console.store.db
      .update(clusters)
      .set({ source: 'kubeconfig', kubeconfig })
      .where(eq(clusters.id, clusterId));
    await expect(
      owner.client.call('saveGlobalSettings', {
        params: { clusterId },
        body: { ...rules, isImpersonating: true },
      }),
    ).rejects.toMatchObject({ status: 409, title: expect.stringContaining('already acts as another user') });
    const transport = wire.connect(target);
    await expect(transport.json({ method: 'POST', path: '/api', as })).rejects.toMatchObject({ status: 409 });
  });
});
