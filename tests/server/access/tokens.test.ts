import rateLimit from '@fastify/rate-limit';
import { eq } from 'drizzle-orm';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { proofMinutes } from '../../../src/contract/passkeys.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { CallOf } from '../../../src/contract/endpoint.ts';
import type { Person } from '../../../src/server/access/person.ts';
import { newApiToken } from '../../../src/server/access/token-format.ts';
import { installTokenRate } from '../../../src/server/http/rates.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { apiTokens } from '../../../src/server/store/schema/tokens.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, testPassword, type TestPerson } from '../harness.ts';
import { BearerClient, pathOf, send } from '../http-client.ts';
import { untilWaiting } from '../until-waiting.ts';

const day = 24 * 3_600_000;
const refused = {
  status: 401,
  title: 'This API token is invalid, expired or revoked. Create a new one in the settings, under API tokens.',
};

/** The console's clock, ms; it stands still but for what a test lets pass. */
let now = Date.now();
let console: TestConsole;
beforeAll(async () => {
  console = await startConsole({ clock: clockAt(() => now) });
});
afterAll(() => console.close());

let companyId: number;
let clusterId: number;
let person: TestPerson;
let teamId: number;
beforeEach(async () => {
  companyId = await console.company();
  clusterId = await console.cluster(companyId, 'staging');
  person = await console.person({ companyId });
  teamId = await console.grant(companyId, person.id, clusterId, teamRoles.TeamAdmin);
});

const listPath = api.clusters.path;
const podsPath = () => pathOf(api.objects, { clusterId, kind: 'pod' });

/** Makes a token of a person and gives the script that has it. */
async function tokenOf(
  of: TestPerson,
  { name = 'deploys', scopes = ['pods.view'], ...more }: Partial<CallOf<typeof api.createToken>['body']> = {},
) {
  const made = await of.client.call('createToken', { body: { name, scopes: [...scopes], ...more } });
  return { secret: made.secret, token: made.made, script: new BearerClient(console.url, made.secret) };
}

describe('an API token', () => {
  it('is shown once: neither a list, the store, the log nor the audit has it', async () => {
    const { secret, token, script } = await tokenOf(person);
    expect(secret).toMatch(/^whp_[0-9A-Za-z]{36}$/);
    expect(await script.send('GET', listPath)).toMatchObject({ status: 200 });
    expect(await script.send('POST', pathOf(api.createToken, {}), { name: secret })).toMatchObject({
      status: 403,
    });
    const list = await person.client.call('ownTokens', {});
    const use = { lastUsedAt: new Date(now).toISOString(), lastUsedAddress: '127.0.0.1' };
    expect(list).toEqual([{ ...token, ...use }]);
    const tables = [
      await console.store.db.select().from(apiTokens),
      await console.store.db.select().from(audit).orderBy(audit.id),
      list,
      console.log,
    ];
    expect(JSON.stringify(tables)).not.toContain(secret.slice(4, 34));
    expect(JSON.stringify(tables)).not.toContain(secret);
  });

  it('expires after 90 days unless it says otherwise, and says which one opens nothing by one sentence', async () => {
    const { token, script } = await tokenOf(person);
    expect(Date.parse(token.expiresAt) - Date.parse(token.createdAt)).toBe(90 * day);
    const brief = await tokenOf(person, { name: 'brief', expiresInDays: 1 });
    const revoked = await tokenOf(person, { name: 'revoked' });
    await person.client.call('revokeToken', { params: { tokenId: revoked.token.id } });
    const begun = now;
    now += day + 1;
    const answers = [
      await brief.script.send('GET', listPath),
      await revoked.script.send('GET', listPath),
      await new BearerClient(console.url, newApiToken()).send('GET', listPath),
      await new BearerClient(console.url, 'whp_nonsense').send('GET', listPath),
    ];
    for (const answer of answers) expect(answer.json).toMatchObject(refused);
    expect(await script.send('GET', listPath)).toMatchObject({ status: 200 });
    now = begun;
  });

  it('is sent by the Authorization header and in no other way', async () => {
    const { secret } = await tokenOf(person);
    const name = person.client.sessionCookie;
    const ways = [
      { path: listPath, headers: { cookie: `${name}=${secret}` } },
      { path: podsPath(), headers: { 'sec-websocket-protocol': `bearer, ${secret}` } },
      { path: podsPath(), headers: { 'x-api-key': secret, 'proxy-authorization': `Bearer ${secret}` } },
      { path: podsPath(), headers: { authorization: secret } },
      { path: `${podsPath()}?access_token=${secret}`, headers: {} },
    ];
    for (const { path, headers } of ways) {
      const answer = await send(console.url, 'GET', path, { headers });
      expect([path, answer.status]).toEqual([path, 401]);
    }
    for (const path of [listPath, podsPath()])
      expect(
        await send(console.url, 'GET', `${path}?token=${secret}`, {
          headers: { cookie: person.client.cookie },
        }),
      ).toMatchObject({ status: 400 });
  });

  it('decides alone: a session beside it counts for nothing, whether the token is good or not', async () => {
    const nobody = await console.person({ companyId });
    const { script, secret } = await tokenOf(person);
    const cookie = { cookie: nobody.client.cookie };
    const both = await script.send('GET', listPath, undefined, { headers: cookie });
    expect(both.json).toHaveLength(1);
    expect(both.headers['set-cookie']).toBeUndefined();
    const bad = new BearerClient(console.url, `${secret.slice(0, -1)}!`);
    const own = { headers: { cookie: person.client.cookie } };
    expect((await bad.send('GET', listPath, undefined, own)).json).toMatchObject(refused);
    // A proxy in front of the console may have an Authorization of its own.
    for (const authorization of ['Basic dTpw', 'Bearer eyJhbGciOiJub25lIn0.e30.'])
      expect(
        await person.client.send('GET', listPath, undefined, { headers: { authorization } }),
      ).toMatchObject({ status: 200 });
  });

  it('needs neither Origin nor XSRF token, and no foreign page can send it', async () => {
    const { script } = await tokenOf(person, { scopes: ['resources.manage'] });
    const path = pathOf(api.createResource, { clusterId });
    // Nothing listens on the cluster: the call itself was let in.
    expect(await script.send('POST', path, { yaml: 'kind: A' })).not.toMatchObject({ status: 403 });
    const asked = await send(console.url, 'OPTIONS', path, {
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    expect(asked.status).toBeGreaterThanOrEqual(400);
  });

  it('never does more than its person: what they lose, it loses at its next call', async () => {
    const { script } = await tokenOf(person, { scopes: ['pods.view', 'pods.manage'] });
    const held = async () => (await script.send('GET', pathOf(api.userPermissions, { clusterId }))).json;
    expect(await held()).toEqual([{ name: 'pods.manage' }, { name: 'pods.view' }]);
    const owner = await console.person({ companyId, isOwner: true });
    await owner.client.call('setTeamMember', {
      params: { teamId },
      body: { UserId: String(person.id), Role: teamRoles.Viewer },
    });
    expect(await held()).toEqual([{ name: 'pods.view' }]);
    await owner.client.call('removeTeamCluster', { params: { teamId, clusterId } });
    expect(await held()).toMatchObject({ status: 404, title: 'There is no such cluster.' });
  });

  it('is limited to the clusters that it was made for, of those that its person reaches', async () => {
    const other = await console.cluster(companyId, 'production');
    await console.grant(companyId, person.id, other, teamRoles.TeamAdmin);
    const { script, token } = await tokenOf(person, { clusterIds: [clusterId] });
    expect(token.clusters).toEqual([{ id: clusterId, name: 'staging' }]);
    expect((await script.send('GET', listPath)).json).toMatchObject([{ id: clusterId }]);
    expect(await script.send('GET', pathOf(api.counts, { clusterId: other }))).toMatchObject({ status: 404 });
    const foreign = await console.cluster(await console.company());
    await expect(tokenOf(person, { name: 'foreign', clusterIds: [foreign] })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('says what it lacks, and which token it is', async () => {
    const { script } = await tokenOf(person);
    expect(
      (await script.send('GET', pathOf(api.objects, { clusterId, kind: 'deployment' }))).json,
    ).toMatchObject({
      status: 403,
      title:
        'The API token “deploys” does not reach as far as "deployments.view" on staging: it does not have the scope, or you do not have the permission there.',
    });
    const reveal = pathOf(api.revealSecret, { clusterId, namespace: 'shop', name: 'a' });
    const { script: viewer } = await tokenOf(person, { name: 'viewer', scopes: ['secrets.view'] });
    expect((await viewer.send('POST', reveal, { keys: ['a'] })).json).toMatchObject({
      status: 403,
      title: 'The API token “viewer” does not have the scope "secrets.reveal". Create one that has it.',
    });
  });

  it('notes its last use with the address, at most once a minute', async () => {
    const { script } = await tokenOf(person);
    const used = async () => (await person.client.call('ownTokens', {}))[0]?.lastUsedAt;
    expect(await used()).toBeNull();
    const begun = now;
    await script.send('GET', listPath);
    expect(await used()).toBe(new Date(begun).toISOString());
    now += 59_000;
    await script.send('GET', listPath);
    expect(await used()).toBe(new Date(begun).toISOString());
    now += 1_000;
    await script.send('GET', listPath);
    expect(await used()).toBe(new Date(now).toISOString());
  });

  it('is named in the audit beside its person', async () => {
    const { script } = await tokenOf(person, { scopes: ['namespaces.view', 'resources.manage'] });
    await script.send('POST', pathOf(api.createNamespace, { clusterId }), { name: 'shop' });
    const rows = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.userId, person.id));
    expect(rows.map(({ action, actor }) => [action, actor])).toContainEqual([
      'createNamespace',
      `${person.email} by token “deploys”`,
    ]);
    expect(rows).toContainEqual(
      expect.objectContaining({
        action: 'createToken',
        actor: person.email,
        subject: expect.objectContaining({ name: 'deploys', scopes: 'namespaces.view, resources.manage' }),
      }),
    );
  });
});

describe('guessing and flooding', () => {
  it('slows down tokens that never were, and lets good ones in from the same network', async () => {
    const { script } = await tokenOf(person);
    const guess = async () =>
      (await new BearerClient(console.url, newApiToken()).send('GET', listPath)).status;
    const statuses = [];
    for (let time = 0; time < 63; time += 1) statuses.push(await guess());
    expect(statuses.slice(0, 55)).toEqual(Array.from({ length: 55 }, () => 401));
    expect(statuses.at(-1)).toBe(429);
    expect(await script.send('GET', listPath)).toMatchObject({ status: 200 });
    // A malformed one is looked up nowhere.
    expect((await new BearerClient(console.url, 'whp_short').send('GET', listPath)).json).toMatchObject(
      refused,
    );
    now += 3_600_000 * 2;
    expect(await guess()).toBe(401);
  });

  it('bounds how often one token calls and says when to try again', async () => {
    const app = Fastify();
    app.decorateRequest('person', undefined);
    app.addHook('onRequest', async (request) => {
      const { id } = request.query as { id?: string };
      const token = { id: Number(id), name: '', scopes: new Set<never>(), clusterIds: null };
      request.person = id === undefined ? undefined : ({ token } as unknown as Person);
    });
    await app.register(rateLimit, { global: false });
    installTokenRate(app, 3);
    app.get('/', () => 'well');
    const statuses = async (url: string) => {
      const answers = [];
      for (let time = 0; time < 4; time += 1) answers.push((await app.inject(url)).statusCode);
      return answers;
    };
    expect(await statuses('/?id=1')).toEqual([200, 200, 200, 429]);
    expect(await statuses('/?id=2')).toEqual([200, 200, 200, 429]);
    expect(await statuses('/')).toEqual([200, 200, 200, 200]);
    expect((await app.inject('/?id=1')).json()).toMatchObject({
      message: expect.stringMatching(
        /^This API token makes more than 3 calls a minute\. Try again in \d+ seconds\.$/,
      ),
    });
    await app.close();
  });
});

describe('the tokens of a company', () => {
  it('are seen and revoked by its Owners, and by nobody of another company', async () => {
    const { token, script } = await tokenOf(person, { scopes: ['pods.view', 'shells.open'] });
    const owner = await console.person({ companyId, isOwner: true });
    const seen = await owner.client.call('memberTokens', {});
    expect(seen).toMatchObject([
      { id: token.id, name: 'deploys', scopes: ['pods.view', 'shells.open'], userId: person.id },
    ]);
    const elsewhere = await console.person({ companyId: await console.company(), isOwner: true });
    expect(await elsewhere.client.call('memberTokens', {})).toEqual([]);
    const revoke = { params: { tokenId: token.id } };
    await expect(elsewhere.client.call('revokeMemberToken', revoke)).rejects.toMatchObject({ status: 404 });
    const colleague = await console.person({ companyId });
    await expect(colleague.client.call('revokeToken', revoke)).rejects.toMatchObject({ status: 404 });
    expect(await script.send('GET', listPath)).toMatchObject({ status: 200 });
    await owner.client.call('revokeMemberToken', revoke);
    expect((await script.send('GET', listPath)).json).toMatchObject(refused);
    expect(await person.client.call('ownTokens', {})).toEqual([]);
    const rows = await console.store.db
      .select()
      .from(audit)
      .orderBy(audit.id)
      .where(eq(audit.userId, owner.id));
    expect(rows).toContainEqual(
      expect.objectContaining({
        action: 'revokeMemberToken',
        status: 204,
        subject: { tokenId: token.id, name: 'deploys', userId: person.id },
      }),
    );
  });

  it('have names of their own, so that the audit tells them apart', async () => {
    const { token } = await tokenOf(person);
    await expect(tokenOf(person)).rejects.toMatchObject({ status: 409 });
    await person.client.call('revokeToken', { params: { tokenId: token.id } });
    await tokenOf(person);
  });

  it('is not made by somebody who was suspended while they asked', async () => {
    const { db } = console.store;
    const asked = await db.transaction(async (tx) => {
      await tx.update(memberships).set({ state: 'suspended' }).where(eq(memberships.userId, person.id));
      const body = { name: 'late', scopes: ['pods.view'] };
      const answer = person.client.send('POST', api.createToken.path, body);
      await Promise.race([answer, untilWaiting(console)]);
      return { answer };
    });
    expect((await asked.answer).status).toBe(401);
    expect(await db.select().from(apiTokens).where(eq(apiTokens.userId, person.id))).toEqual([]);
  });

  it('do not outlive the loss of the account: a reset revokes them, a change of password does not', async () => {
    const somebody = await console.person({ companyId, password: testPassword });
    await console.grant(companyId, somebody.id, clusterId, teamRoles.Viewer);
    const { script } = await tokenOf(somebody);
    const owner = await console.person({ companyId, isOwner: true });
    await somebody.client.call('changePassword', {
      body: { current: testPassword, next: `${testPassword} anew` },
    });
    expect(await script.send('GET', listPath)).toMatchObject({ status: 200 });
    const { link } = await owner.client.call('memberResetLink', { params: { userId: somebody.id } });
    const token = link.split('#reset=')[1] ?? '';
    await console.visitor().call('resetPassword', { body: { token, password: testPassword } });
    expect((await script.send('GET', listPath)).json).toMatchObject(refused);
  });

  it('are made only by somebody who showed a short while ago who they are', async () => {
    const somebody = await console.person({ companyId, password: testPassword });
    let made = 0;
    const make = () => {
      made += 1;
      const body = { name: `script ${made}`, scopes: ['pods.view'] };
      return somebody.client.send('POST', '/api/profile/tokens', body);
    };
    expect((await make()).status).toBe(201);
    await console.store.db
      .update(sessions)
      .set({ provedAt: new Date(now - proofMinutes * 60_000).toISOString() })
      .where(eq(sessions.userId, somebody.id));
    expect(await make()).toMatchObject({
      status: 403,
      json: { title: 'You signed in a while ago. Confirm your password first.' },
    });
    await somebody.client.call('confirmPassword', { body: { password: testPassword } });
    expect((await make()).status).toBe(201);
  });

  it('open nothing once the company enforces a provider that did not open the session they were made in', async () => {
    const { script } = await tokenOf(person);
    await console.store.db.insert(identityProviders).values({
      companyId,
      key: `c-${companyId}`,
      name: 'Provider',
      issuer: 'https://id.example.org',
      clientId: 'console',
      clientSecret: Buffer.from('sealed'),
      isEnforced: true,
    });
    expect((await script.send('GET', listPath)).json).toMatchObject(refused);
  });
});
