import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { companyEndpoints } from '../../../src/contract/companies.ts';
import { providerEndpoints } from '../../../src/contract/providers.ts';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { BearerClient, pathOf, type TestClient } from '../http-client.ts';
import { freshAddress, storedInvitation, stranger, titleOf } from '../organisation/invitation-office.ts';
import { navigate, passProvider } from './sign-in-at.ts';

let issuer: Issuer;
/** A server of the operator's own network, which the console has no business with. */
let inside: Server;
let insideUrl: string;
const insideCalls: string[] = [];
let console: TestConsole;

beforeAll(async () => {
  inside = createServer((request, response) => {
    insideCalls.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
  }).listen(0, '127.0.0.2');
  await once(inside, 'listening');
  insideUrl = `http://127.0.0.2:${(inside.address() as AddressInfo).port}/secret`;
  issuer = await startIssuer();
  console = await startConsole({ config: { issuerCidrs: ['127.0.0.1/32'] } });
});
afterAll(async () => {
  await console.close();
  await issuer.close();
  inside.close();
});
beforeEach(() => {
  issuer.fault = undefined;
  issuer.signsIn = undefined;
});

const settings = (url = issuer.url) => ({
  name: 'Example sign-on',
  issuer: url,
  clientId: issuerClient.clientId,
  clientSecret: issuerClient.clientSecret,
  groupsClaim: null,
});

/** A company with an Owner. */
async function found() {
  const companyId = await console.company();
  return { companyId, owner: await console.person({ companyId, isOwner: true, password: testPassword }) };
}

/** Another browser with the cookies that one has at this moment. */
function copyOf({ cookies }: TestClient): TestClient {
  const copy = console.visitor();
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

describe('GHSA-5rr4-8452-hf4v: the addresses of a provider are believed of nobody', () => {
  it.each([
    'http://id.example.org',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:secret@id.example.org',
    'ftp://id.example.org',
    'id.example.org',
  ])('%s is no issuer', async (url) => {
    const { owner } = await found();
    const answer = await owner.client.send('POST', providerEndpoints.addProvider.path, settings(url));
    expect(titleOf(answer)).toEqual([400, expect.stringMatching(/\.$/)]);
    expect(await owner.client.call('companyProviders', {})).toEqual([]);
  });

  it('an issuer that names an endpoint inside the operator’s network makes the console call nothing there', async () => {
    const { owner } = await found();
    const hostile = {
      authorization_endpoint: 'javascript:alert(1)',
      token_endpoint: insideUrl,
      userinfo_endpoint: insideUrl,
      jwks_uri: insideUrl,
    };
    for (const [name, address] of Object.entries(hostile)) {
      const { id: providerId, redirectUri } = await owner.client.call('addProvider', { body: settings() });
      issuer.fault = undefined;
      issuer.open([redirectUri]);
      const honest = await fetch(`${issuer.url}/.well-known/openid-configuration`);
      const configuration = { ...((await honest.json()) as object), [name]: address };
      issuer.fault = (request, response) => {
        if (request.url !== '/.well-known/openid-configuration') return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(configuration));
        return true;
      };
      issuer.people.set('somebody', { email: 'somebody@example.org', email_verified: true });
      issuer.signsIn = 'somebody';
      const begun = await owner.client.send('POST', pathOf(api.testProvider, { providerId }));
      if (begun.status === 200) {
        const { url } = begun.json as { url: string };
        const end = await navigate(owner.client, await passProvider(url, console.url));
        expect([name, end.headers.location]).toEqual([name, expect.stringMatching(/failure=unusable/)]);
      } else expect([name, ...titleOf(begun)]).toEqual([name, 502, expect.stringMatching(/\.$/)]);
      const [row] = await console.store.db
        .select()
        .from(identityProviders)
        .where(eq(identityProviders.id, providerId));
      expect([name, row?.testedAt]).toEqual([name, null]);
      await owner.client.call('removeProvider', { params: { providerId } });
    }
    expect(insideCalls).toEqual([]);
  });
});

describe('GHSA-pw9m-5jxm-xr6h: what opened something once mints nothing', () => {
  it('no refresh token is asked of a provider, so none can be stolen', async () => {
    const { owner } = await found();
    const { id: providerId, redirectUri } = await owner.client.call('addProvider', { body: settings() });
    issuer.open([redirectUri]);
    const { url } = await owner.client.call('testProvider', { params: { providerId } });
    expect(new URL(url).searchParams.get('scope')?.split(' ').sort()).toEqual(['email', 'openid', 'profile']);
  });

  it('a session that was replaced or ended opens, continues and makes nothing', async () => {
    const { companyId, owner } = await found();
    const second = await console.company();
    await console.store.db.insert(memberships).values({ userId: owner.id, companyId: second, orgRole: 1 });
    const signIn = { body: { email: owner.email, password: testPassword } };
    const ends: Readonly<Record<string, (client: TestClient) => Promise<unknown>>> = {
      'by a switch of the company': (client) => client.call('switchCompany', { body: { companyId: second } }),
      'by a new sign-in': (client) => client.call('signIn', signIn),
      'by signing out': (client) => client.call('logout', {}),
    };
    for (const [how, end] of Object.entries(ends)) {
      const client = await console.session(owner.id, companyId);
      const stolen = copyOf(client);
      const hash = hashToken(stolen.session ?? '');
      await end(client);
      const calls = [
        await copyOf(stolen).send('GET', api.clusters.path),
        await copyOf(stolen).send('POST', companyEndpoints.switchCompany.path, { companyId }),
        await copyOf(stolen).send('POST', api.createToken.path, { name: 'mine', scopes: ['pods.view'] }),
        await new BearerClient(console.url, stolen.session ?? '').send('GET', api.clusters.path),
      ];
      expect([how, ...calls.map(({ status }) => status)]).toEqual([how, 401, 401, 401, 401]);
      expect(await console.store.db.select().from(sessions).where(eq(sessions.tokenHash, hash))).toEqual([]);
    }
  });

  it('going on in another company makes a session last no longer', async () => {
    const { companyId, owner } = await found();
    const second = await console.company();
    await console.store.db.insert(memberships).values({ userId: owner.id, companyId: second, orgRole: 1 });
    const client = await console.session(owner.id, companyId);
    const endOf = async () => {
      const hash = hashToken(client.session ?? '');
      const [row] = await console.store.db.select().from(sessions).where(eq(sessions.tokenHash, hash));
      return row?.expiresAt;
    };
    const before = await endOf();
    for (const next of [second, companyId, second]) {
      await client.call('switchCompany', { body: { companyId: next } });
      expect(await endOf()).toBe(before);
    }
  });

  it('an API token makes no token, and a revoked one opens nothing', async () => {
    const { owner } = await found();
    const { made, secret } = await owner.client.call('createToken', {
      body: { name: 'script', scopes: ['pods.view'] },
    });
    const bearer = new BearerClient(console.url, secret);
    const body = { name: 'another', scopes: ['pods.view'] };
    expect((await bearer.send('POST', api.createToken.path, body)).status).toBe(403);
    await owner.client.call('revokeToken', { params: { tokenId: made.id } });
    for (const [method, path] of [
      ['POST', api.createToken.path],
      ['GET', api.clusters.path],
    ] as const)
      expect((await bearer.send(method, path, method === 'POST' ? body : undefined)).status).toBe(401);
  });
});

describe('GHSA-2vg6-77g8-24mp: no session or token outlives its person', () => {
  const ways: Readonly<
    Record<
      string,
      (of: { owner: TestClient; person: TestClient; userId: number; companyId: number }) => Promise<unknown>
    >
  > = {
    'a removal': ({ owner, userId }) => owner.call('removeMember', { params: { userId } }),
    leaving: ({ person }) => person.call('leaveCompany', {}),
    'a suspension': ({ owner, userId }) =>
      owner.call('changeMember', { params: { userId }, body: { isSuspended: true } }),
    'the end of the company': async ({ owner }) => {
      const { name } = await owner.call('company', {});
      await owner.call('deleteCompany', { body: { name } });
    },
  };

  it.each(Object.entries(ways))('after %s', async (_name, end) => {
    const { companyId, owner } = await found();
    const person = await console.person({ companyId });
    const others = [await console.session(person.id, companyId), await console.session(person.id, companyId)];
    const { secret } = await person.client.call('createToken', {
      body: { name: 'script', scopes: ['pods.view'] },
    });
    const stolen = [person.client, ...others].map(copyOf);
    await end({ owner: owner.client, person: person.client, userId: person.id, companyId });
    for (const client of [...stolen, new BearerClient(console.url, secret)])
      expect((await client.send('GET', api.clusters.path)).status).toBe(401);
    const left = and(eq(sessions.userId, person.id), eq(sessions.companyId, companyId));
    expect(await console.store.db.select().from(sessions).where(left)).toEqual([]);
  });

  it('after the account went to whoever showed that the address is theirs', async () => {
    const { companyId, owner } = await found();
    const email = freshAddress();
    const squatter = await stranger(console, email, false);
    const stolen = copyOf(squatter.client);
    const expiresAt = Date.now() + 60_000;
    const { mail } = await storedInvitation(console, { companyId, email, invitedBy: owner.id, expiresAt });
    const body = { token: mail, name: 'Kim', password: testPassword };
    expect(await console.visitor().call('claimInvitation', { body })).toMatchObject({ id: squatter.id });
    expect((await stolen.send('GET', api.currentUser.path)).status).toBe(401);
    const open = await console.store.db.select().from(sessions).where(eq(sessions.userId, squatter.id));
    expect(open).toHaveLength(1);
  });
});

describe('GHSA-j8v8-g9cx-5qf4: a provider belongs to its company', () => {
  it('nobody else reads, changes, tests, uses or removes it, whatever id or key they send', async () => {
    const [theirs, mine] = [await found(), await found()];
    const { id: providerId, redirectUri } = await theirs.owner.client.call('addProvider', {
      body: settings(),
    });
    const key = redirectUri.split('/').at(-1) ?? '';
    const rowOf = async () =>
      (
        await console.store.db.select().from(identityProviders).where(eq(identityProviders.id, providerId))
      )[0];
    const before = await rowOf();
    const member = await console.person({ companyId: theirs.companyId });
    const { secret } = await theirs.owner.client.call('createToken', {
      body: { name: 'script', scopes: ['pods.view'] },
    });
    const teamId = await console.team(mine.companyId);
    const groupTeams = [{ group: 'operators', teamId, role: 4 }];
    const calls = [
      ['PATCH', pathOf(api.changeProvider, { providerId }), { name: 'Mine', groupTeams }],
      ['PATCH', pathOf(api.changeProvider, { providerId }), { clientSecret: 'of mine', isEnforced: true }],
      ['POST', pathOf(api.testProvider, { providerId })],
      ['DELETE', pathOf(api.removeProvider, { providerId })],
      ['PUT', pathOf(api.mapInstallationGroups, { provider: key }), { groupTeams }],
      ['POST', api.connectIdentity.path, { provider: key }],
    ] as const;
    for (const [method, path, body] of calls) {
      const by = async (client: TestClient) => (await client.send(method, path, body)).status;
      const statuses = [await by(mine.owner.client), await by(new BearerClient(console.url, secret))];
      expect([path, ...statuses]).toEqual([path, 404, 403]);
      if (!path.includes('identities')) expect([path, await by(member.client)]).toEqual([path, 403]);
    }
    expect(await mine.owner.client.call('companyProviders', {})).toEqual([]);
    expect(await rowOf()).toEqual(before);
  });
});
