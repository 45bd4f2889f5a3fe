import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { actSeconds } from '../../../src/contract/passkeys.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { ShellMessage } from '../../../src/contract/shell.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { testPassword, type TestPerson } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { liftRule } from '../lift-rule.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { Authenticator } from './authenticator.ts';
import { openedAt, prove, register } from './steps.ts';

const url = new URL('https://console.example.org');
const needed = { status: 403, code: 'passkey-needed', proof: 'passkey' };

let playground: PlaygroundConsole;
let owner: TestPerson;
let authenticator: Authenticator;

/** A browser that opened the console at its address. */
const at = (client: TestClient) => openedAt(url, client);

const params = () => ({ clusterId: playground.clusterId });

const rule = async (isPasskeyRequired: boolean, { client }: TestPerson = owner) =>
  await client.call('saveGlobalSettings', {
    params: params(),
    body: { isProtected: false, isReadOnly: false, isShellAllowed: true, isPasskeyRequired },
  });

/** Sets the rule without asking anybody. */
const demand = async (isPasskeyRequired: boolean) =>
  await playground.console.store.db
    .update(clusters)
    .set({ isPasskeyRequired })
    .where(eq(clusters.id, playground.clusterId));

const deleteNamespace = async ({ client }: Pick<TestPerson, 'client'>, name: string, dryRun = false) =>
  await client.call('runAction', {
    params: { ...params(), actionId: 'object.delete' },
    body: { refs: [{ kind: 'namespace', name }], dryRun },
  });

const reveal = async ({ client }: Pick<TestPerson, 'client'>) =>
  await client.call('revealSecret', {
    params: { ...params(), namespace: 'shop', name: 'token' },
    body: { keys: ['value'] },
  });

const make = async (name: string) =>
  await playground.transport.json({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name } },
  });

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop', { url });
  owner = await playground.console.person({
    companyId: playground.companyId,
    isOwner: true,
    password: testPassword,
  });
  at(owner.client);
  authenticator = new Authenticator(url.origin);
  await register(owner.client, authenticator);
  // The Owner of the playground has no passkey and is not to be in the way.
  await owner.client.call('changeMember', {
    params: { userId: playground.owner.id },
    body: { isSuspended: true },
  });
  await playground.transport.json({
    method: 'POST',
    path: '/api/v1/namespaces/shop/secrets',
    body: { metadata: { name: 'token' }, data: { value: 'aW52ZW50ZWQ=' } },
  });
});
afterAll(() => playground.console.close());
beforeEach(async () => {
  await demand(false);
  await playground.console.store.db.update(sessions).set({ actProvedAt: null });
});

describe('a passkey at the moment of dangerous acts', () => {
  it('is asked of nobody where the cluster does not ask for it', async () => {
    await make('free');
    expect((await deleteNamespace(owner, 'free')).outcomes).toMatchObject([{ ok: true }]);
    expect((await reveal(owner)).values).toEqual([{ key: 'value', value: 'aW52ZW50ZWQ=' }]);
  });

  it('counts for one act within its time', async () => {
    await make('first');
    await make('second');
    await demand(true);
    await expect(deleteNamespace(owner, 'first')).rejects.toMatchObject(needed);
    expect((await deleteNamespace(owner, 'first', true)).outcomes).toMatchObject([{ ok: true }]);
    await prove(owner.client, authenticator);
    expect((await deleteNamespace(owner, 'first')).outcomes).toMatchObject([{ ok: true }]);
    await expect(deleteNamespace(owner, 'second')).rejects.toMatchObject(needed);
    await prove(owner.client, authenticator);
    await playground.console.store.db
      .update(sessions)
      .set({ actProvedAt: new Date(Date.now() - (actSeconds + 1) * 1_000).toISOString() })
      .where(eq(sessions.userId, owner.id));
    await expect(deleteNamespace(owner, 'second')).rejects.toMatchObject(needed);
    expect(await playground.seen('/api/v1/namespaces/second')).toMatchObject({ status: { phase: 'Active' } });
  });

  it('counts for one of two acts at once, and in no other session', async () => {
    await demand(true);
    await prove(owner.client, authenticator);
    const other = at(await playground.console.session(owner.id, playground.companyId));
    await expect(reveal({ client: other })).rejects.toMatchObject(needed);
    const both = await Promise.allSettled([reveal(owner), reveal(owner)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is asked for by the delete and the drain of a node, and by no act that is not dangerous', async () => {
    await demand(true);
    const [name = ''] = (
      await playground.transport.json<{ items: { metadata: { name: string } }[] }>({ path: '/api/v1/nodes' })
    ).items.map(({ metadata }) => metadata.name);
    const act = async (actionId: string, args = {}) =>
      await owner.client.call('runAction', {
        params: { ...params(), actionId },
        body: { refs: [{ kind: 'node', name }], args },
      });
    await expect(act('object.delete')).rejects.toMatchObject(needed);
    await expect(act('node.drain', { data: 'stop', unmanaged: 'stop', limit: 5 })).rejects.toMatchObject(
      needed,
    );
    expect((await act('node.cordon')).outcomes).toMatchObject([{ ok: true }]);
    expect((await act('node.uncordon')).outcomes).toMatchObject([{ ok: true }]);
  });

  it.each([
    ['release.uninstall', {}],
    ['release.rollback', { revision: 1 }],
  ])('is asked for by %s, whose manifests may have a namespace', async (actionId, args) => {
    await demand(true);
    const act = owner.client.call('runAction', {
      params: { ...params(), actionId },
      body: { refs: [{ kind: 'release', namespace: 'shop', name: 'app' }], args },
    });
    await expect(act).rejects.toMatchObject(needed);
  });

  it('opens one shell', async () => {
    await demand(true);
    const open = async () => {
      const path = `/api/clusters/${playground.clusterId}/pods/shop/nowhere/shell?columns=80&rows=24`;
      const socket = new WebSocket(playground.console.url.replace('http', 'ws') + path, {
        headers: { ...owner.client.handshake, host: url.host, origin: url.origin },
      });
      const messages: ShellMessage[] = [];
      socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8'))));
      socket.on('error', () => {});
      await vi.waitUntil(() => messages.some(({ type }) => type === 'ended'), { timeout: 60_000 });
      return messages.find((message) => message.type === 'ended');
    };
    expect(await open()).toMatchObject({ reason: 'passkey-needed' });
    await prove(owner.client, authenticator);
    expect(await open()).toMatchObject({ reason: 'not-running' });
    expect(await open()).toMatchObject({ reason: 'passkey-needed' });
  });

  it('is none of an API token, which is refused in words', async () => {
    const body = {
      name: 'script',
      scopes: ['secrets.reveal' as const, 'secrets.view' as const],
    };
    const { secret } = await owner.client.call('createToken', { body });
    const script = at(new BearerClient(playground.console.url, secret));
    await demand(true);
    await prove(owner.client, authenticator);
    await expect(reveal({ client: script })).rejects.toMatchObject({
      status: 403,
      code: undefined,
      title: expect.stringContaining('an API token cannot use'),
    });
  });

  it('is not of somebody else, and one without any learns where to register it', async () => {
    const other = await playground.console.person({
      companyId: playground.companyId,
      password: testPassword,
    });
    await playground.console.grant(playground.companyId, other.id, playground.clusterId, teamRoles.TeamAdmin);
    at(other.client);
    await demand(true);
    await expect(prove(other.client, authenticator)).rejects.toMatchObject({ status: 403 });
    await expect(reveal(other)).rejects.toMatchObject({
      status: 403,
      code: undefined,
      title: expect.stringContaining('Register one under Settings'),
    });
    const own = new Authenticator(url.origin);
    await register(other.client, own);
    await prove(other.client, own);
    expect((await reveal(other)).values).toHaveLength(1);
  });
});

describe('the rule of a cluster', () => {
  it('is set and lifted with a passkey, once everybody whom it binds has one', async () => {
    const without = await playground.console.person({
      companyId: playground.companyId,
      password: testPassword,
    });
    const teamId = await playground.console.grant(
      playground.companyId,
      without.id,
      playground.clusterId,
      teamRoles.TeamAdmin,
    );
    // Somebody who reaches no cluster is not bound.
    await playground.console.person({ companyId: playground.companyId });
    const readiness = await owner.client.call('passkeyReadiness', { params: params() });
    expect(readiness).toEqual({ without: [expect.any(String)], unavailable: null });
    await expect(rule(true)).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining(`1 person has no passkey yet`),
    });
    await owner.client.call('removeTeamMember', { params: { teamId, userId: without.id } });
    await expect(rule(true)).rejects.toMatchObject(needed);
    await prove(owner.client, authenticator);
    expect(await rule(true)).toMatchObject({ isPasskeyRequired: true });
    await expect(rule(false)).rejects.toMatchObject(needed);
    // A setting that is not changed asks for nothing.
    expect(await rule(true)).toMatchObject({ isPasskeyRequired: true });
    await prove(owner.client, authenticator);
    expect(await rule(false)).toMatchObject({ isPasskeyRequired: false });
  });

  it('is lifted by the operator', async () => {
    await demand(true);
    await liftRule(playground.console, 'passkeys-at-acts', playground.companyId);
    expect((await reveal(owner)).values).toHaveLength(1);
  });
});
