import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { identities } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { foundCompany, freshAddress, storedInvitation } from '../organisation/invitation-office.ts';
import { untilWaiting } from '../until-waiting.ts';
import { navigate, passProvider, signInAt } from './sign-in-at.ts';

let issuer: Issuer;
let console: TestConsole;
let company: Awaited<ReturnType<typeof foundCompany>>;
/** The key of the provider that another company registers: the installation's issuer. */
let theirs: string;
let otherId: number;
let ownerOfOther: TestClient;

beforeAll(async () => {
  issuer = await startIssuer();
  const installation = {
    ...issuerClient,
    key: 'corp',
    label: 'single sign-on',
    issuer: new URL(issuer.url),
    groupsClaim: null,
  };
  console = await startConsole({ config: { providers: [installation], issuerCidrs: ['127.0.0.0/8'] } });
  company = await foundCompany(console);
  const other = await foundCompany(console);
  otherId = other.companyId;
  ownerOfOther = other.owner.client;
  const { redirectUri } = await ownerOfOther.call('addProvider', {
    body: { name: 'Ours', issuer: issuer.url, ...issuerClient, groupsClaim: 'groups' },
  });
  theirs = redirectUri.split('/').at(-1) ?? '';
  issuer.open([`${console.url}/api/auth/callback/corp`, redirectUri]);
});
afterAll(async () => {
  await console.close();
  await issuer.close();
});
beforeEach(() => {
  issuer.signsIn = undefined;
});

const says = (subject: string, email: string) =>
  issuer.people.set(subject, { email, email_verified: true, name: 'Kim Example', groups: ['admins'] });
const enter = async (subject: string, provider: string, client = console.visitor()) => {
  issuer.signsIn = subject;
  return { client, location: await signInAt(client, provider) };
};
const connect = async (client: TestClient, subject: string, provider: string) => {
  issuer.signsIn = subject;
  const { url } = await client.call('connectIdentity', { body: { provider } });
  return (await navigate(client, await passProvider(url, console.url))).headers.location;
};
const isSignedIn = async (client: TestClient) => (await client.call('isAuthenticated', {})).isAuthenticated;
const identitiesOf = (userId: number) =>
  console.store.db.select().from(identities).where(eq(identities.userId, userId));

it('a company that registers the installation’s issuer as its own provider opens no account by it', async () => {
  const stays = await console.person({ companyId: company.companyId, password: testPassword });
  // Of the company that registered it, by an account that is connected to the installation’s provider.
  const both = await console.person({ companyId: otherId, password: testPassword });
  for (const person of [stays, both]) {
    const subject = `subject-${person.id}`;
    says(subject, person.email);
    expect(await connect(person.client, subject, 'corp')).toBe('/settings');
    expect((await enter(subject, 'corp')).location).toBe('/');
    // The same person at the same issuer, by the company's registration.
    const { client, location } = await enter(subject, theirs);
    expect(location).toBe(`/login?failure=not-member&provider=${theirs}`);
    expect(await isSignedIn(client)).toBe(false);
    expect(await identitiesOf(person.id)).toMatchObject([{ providerId: null, subject }]);
  }
  // A session in the company may connect it, and opens nothing but the company by it.
  const subject = `subject-${both.id}`;
  expect(await connect(both.client, subject, theirs)).toBe('/settings');
  const { client } = await enter(subject, theirs);
  expect(await client.call('currentUser', {})).toMatchObject({ id: both.id, companyId: otherId });
  expect((await client.send('GET', '/api/profile/identities')).status).toBe(403);
});

it('who is connected to the company’s registration alone is nobody at the installation’s', async () => {
  const person = await console.person({ companyId: otherId, password: testPassword });
  const subject = `subject-${person.id}`;
  says(subject, person.email);
  expect(await connect(person.client, subject, theirs)).toBe('/settings');
  expect((await enter(subject, 'corp')).location).toBe('/login?failure=taken&provider=corp');
  expect(await identitiesOf(person.id)).toMatchObject([{ subject, providerId: expect.any(Number) }]);
});

it('an account that a company’s provider alone opens keeps nobody out who shows that its address is theirs', async () => {
  const email = freshAddress();
  const { db } = console.store;
  await ownerOfOther.call('invite', { body: { email, orgRole: 2, teams: [] } });
  says('made-up', email);
  const madeUp = await enter('made-up', theirs);
  expect(madeUp.location).toBe('/');
  const occupant = await madeUp.client.call('currentUser', {});
  expect(occupant.email).toBe(email);
  says('owner-of-the-address', email);
  const { client, location } = await enter('owner-of-the-address', 'corp');
  expect(location).toBe('/');
  expect(await client.call('currentUser', {})).toMatchObject({ email, companyId: 0 });
  const [own] = await db.select().from(users).where(eq(users.email, email));
  expect(own).toMatchObject({ emailProvenAt: expect.any(String) });
  expect(own?.id).not.toBe(occupant.id);
  // What the company made stays in the company, which reads of it, and signs in there as before.
  const again = await enter('made-up', theirs);
  expect(again.location).toBe('/');
  expect(await again.client.call('currentUser', {})).toMatchObject({
    id: occupant.id,
    companyId: otherId,
    email: `account-${occupant.id}@unproven.invalid`,
  });
  const { entries } = await ownerOfOther.call('audit', { query: { action: 'loseAddress' } });
  expect(entries).toMatchObject([{ subject: { userId: occupant.id, email } }]);
});

it('an account that gets a way of its own at that moment keeps its address', async () => {
  const email = freshAddress();
  await ownerOfOther.call('invite', { body: { email, orgRole: 2, teams: [] } });
  says('first-by-company', email);
  const { client: first } = await enter('first-by-company', theirs);
  const { id: userId } = await first.call('currentUser', {});
  says('late-claim', email);
  const late = await console.store.db.transaction(async (tx) => {
    await tx.insert(identities).values({ userId, issuer: 'https://id.example.org', subject: 'first-own' });
    const entering = enter('late-claim', 'corp');
    await untilWaiting(console);
    return { entering };
  });
  expect((await late.entering).location).toBe('/login?failure=taken&provider=corp');
  expect(await first.call('currentUser', {})).toMatchObject({ id: userId, email });
});

it('an account that joined by a link which was handed over is not linked to the provider that verifies its address', async () => {
  const email = freshAddress();
  const { companyId, owner } = company;
  const { link } = await storedInvitation(console, {
    companyId,
    email,
    invitedBy: owner.id,
    expiresAt: Date.now() + 60_000,
  });
  const bearer = console.visitor();
  await bearer.call('claimInvitation', {
    body: { token: link, name: 'Whoever has the link', password: testPassword },
  });
  const [invitation] = await bearer.call('pendingInvitations', {});
  await bearer.call('acceptInvitation', { body: { inviteId: invitation?.inviteId ?? 0 } });
  const account = async () => (await console.store.db.select().from(users).where(eq(users.email, email)))[0];
  const before = await account();
  expect(before).toMatchObject({ emailProvenAt: null });
  says('its-owner', email);
  for (const provider of ['corp', theirs]) {
    const { client, location } = await enter('its-owner', provider);
    expect(location).toBe(
      `/login?failure=${provider === 'corp' ? 'taken' : 'not-member'}&provider=${provider}`,
    );
    expect(await isSignedIn(client)).toBe(false);
  }
  // Nothing of the account changed, and whoever verified the address got no other one.
  expect(await account()).toEqual(before);
  expect(await identitiesOf(before?.id ?? 0)).toEqual([]);
  expect(await console.store.db.select().from(identities).where(eq(identities.subject, 'its-owner'))).toEqual(
    [],
  );
  expect(
    await console.store.db
      .select()
      .from(memberships)
      .where(eq(memberships.userId, before?.id ?? 0)),
  ).toMatchObject([{ companyId }]);
});
