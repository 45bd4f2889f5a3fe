import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountEndpoints } from '../../../src/contract/account.ts';
import { companyEndpoints } from '../../../src/contract/companies.ts';
import { orgRoles, teamRoles } from '../../../src/contract/permissions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { identities, identityProviders } from '../../../src/server/store/schema/identities.ts';
import { invitations, memberships } from '../../../src/server/store/schema/memberships.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { goToProvider, navigate, passProvider, signInAt } from './sign-in-at.ts';

describe('the provider of a company', () => {
  let issuer: Issuer;
  let console: TestConsole;
  let companyId: number;
  let otherId: number;
  let owner: TestClient;
  let ownerOfOther: TestClient;
  let provider: { id: number; key: string };

  const settings = () => ({
    name: 'Example sign-on',
    issuer: issuer.url,
    clientId: issuerClient.clientId,
    clientSecret: issuerClient.clientSecret,
    groupsClaim: 'groups',
  });
  const keyIn = (redirectUri: string) => redirectUri.split('/').at(-1) ?? '';

  beforeAll(async () => {
    issuer = await startIssuer();
    console = await startConsole({ config: { issuerCidrs: ['127.0.0.0/8'] } });
    companyId = await console.company('Company B');
    otherId = await console.company('Company A');
    owner = (await console.person({ companyId, isOwner: true, password: testPassword })).client;
    ownerOfOther = (await console.person({ companyId: otherId, isOwner: true, password: testPassword }))
      .client;
    const added = await owner.call('addProvider', { body: settings() });
    provider = { id: added.id, key: keyIn(added.redirectUri) };
    issuer.open([added.redirectUri]);
  });
  afterAll(async () => {
    await console.close();
    await issuer.close();
  });
  beforeEach(() => {
    issuer.signsIn = undefined;
  });

  /** Connects somebody's account to the provider, as a subject of theirs. */
  const connect = async (client: TestClient, subject: string) => {
    issuer.signsIn = subject;
    const { url } = await client.call('connectIdentity', { body: { provider: provider.key } });
    return (await navigate(client, await passProvider(url, console.url))).headers.location;
  };
  const enter = async (subject: string, client = console.visitor()) => {
    issuer.signsIn = subject;
    return { client, location: await signInAt(client, provider.key) };
  };
  const refused = (failure: string) => `/login?failure=${failure}&provider=${provider.key}`;

  it('is one of five at most, also of those that are added at the same moment', async () => {
    const fullId = await console.company('Company C');
    const { client } = await console.person({ companyId: fullId, isOwner: true, password: testPassword });
    const added = await Promise.allSettled(
      Array.from({ length: 7 }, () => client.call('addProvider', { body: settings() })),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await client.call('companyProviders', {})).toHaveLength(5);
  });

  it('is seen and changed by Owners of the company alone, and its secret by nobody', async () => {
    const listed = await owner.call('companyProviders', {});
    expect(listed).toMatchObject([{ id: provider.id, testedAt: null, isEnforced: false }]);
    expect(await ownerOfOther.call('companyProviders', {})).toEqual([]);
    const { id: providerId } = provider;
    for (const call of [
      () => ownerOfOther.call('changeProvider', { params: { providerId }, body: { name: 'Mine' } }),
      () => ownerOfOther.call('testProvider', { params: { providerId } }),
      () => ownerOfOther.call('removeProvider', { params: { providerId } }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    const rows = await console.store.db.select().from(identityProviders);
    const audits = await console.store.db.select().from(audit).orderBy(audit.id);
    for (const text of [
      listed,
      rows.map(({ clientSecret }) => clientSecret.toString('latin1')),
      audits,
      console.log,
    ])
      expect(JSON.stringify(text)).not.toContain(issuerClient.clientSecret);
  });

  it('is not listed on the sign-in page but for who names its key, and is no provider of others', async () => {
    expect((await console.visitor().call('signInOptions', {})).providers).toEqual([]);
    const named = await console.visitor().call('signInOptions', { query: { provider: provider.key } });
    expect(named.providers).toEqual([{ key: provider.key, label: 'Example sign-on' }]);
    await expect(
      ownerOfOther.call('connectIdentity', { body: { provider: provider.key } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('a hostile one that claims every address of another company opens nothing of it', async () => {
    const people = await console.store.db
      .select({ id: users.id, email: users.email })
      .from(users)
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .where(eq(memberships.companyId, otherId));
    expect(people.length).toBeGreaterThan(0);
    const before = await console.store.db.select().from(users);
    for (const { id, email } of people) {
      issuer.people.set(`claims-${id}`, { email, email_verified: true, groups: ['admins'] });
      const { client, location } = await enter(`claims-${id}`);
      expect(location).toBe(refused('not-member'));
      expect(await client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
      expect(await console.store.db.select().from(identities).where(eq(identities.userId, id))).toEqual([]);
    }
    // An address that nobody has is answered alike, and makes no account.
    issuer.people.set('nobody', { email: 'nobody@example.org', email_verified: true });
    expect((await enter('nobody')).location).toBe(refused('not-member'));
    expect(await console.store.db.select().from(users)).toEqual(before);
  });

  it('is gone to from the console’s own pages: another site signs nobody in to an account of its own', async () => {
    const { client } = await console.person({ companyId: otherId });
    issuer.people.set('attacker', { email: 'attacker@example.org', email_verified: true });
    issuer.signsIn = 'attacker';
    const path = `/api/auth/login?provider=${provider.key}&returnUrl=/clusters`;
    for (const site of ['cross-site', 'same-site'] as const) {
      const { headers } = await navigate(client, path, undefined, site);
      expect(headers.location).toBe(`/login?returnUrl=%2Fclusters&provider=${provider.key}`);
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect(await client.call('currentUser', {})).toMatchObject({ companyId: otherId });
    // From the page that shows whose provider it is, and from the address bar.
    for (const site of ['same-origin', 'none'] as const)
      expect((await navigate(client, path, undefined, site)).headers.location).toContain(issuer.url);
  });

  it('opens the company alone, for somebody who belongs to others as well', async () => {
    const person = await console.person({ companyId, password: testPassword });
    await console.store.db
      .insert(memberships)
      .values({ userId: person.id, companyId: otherId, orgRole: 1, lastSeenAt: new Date().toISOString() });
    issuer.people.set('both', { email: person.email, email_verified: true });
    expect(await connect(person.client, 'both')).toBe('/settings');
    const { client, location } = await enter('both');
    expect(location).toBe('/');
    expect(await client.call('currentUser', {})).toMatchObject({ id: person.id, companyId });
    // Its word proves no address of the account, which would be good for a reset or another company.
    const [row] = await console.store.db.select().from(users).where(eq(users.id, person.id));
    expect(row?.emailProvenAt).toBeNull();
    for (const call of [
      () => client.call('connectIdentity', { body: { provider: provider.key } }),
      () => client.call('identities', {}),
      () => client.call('pendingInvitations', {}),
      () => client.call('createCompany', { body: { name: 'Mine' } }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403 });
  });

  const invite = async (email: string, by = owner) =>
    await by.call('invite', { body: { email, orgRole: 2, teams: [] } });
  const stateOf = async (id: number) =>
    (await console.store.db.select().from(invitations).where(eq(invitations.id, id)))[0]?.state;
  const userAt = async (email: string) =>
    (await console.store.db.select().from(users).where(eq(users.email, email)))[0];

  it('somebody invited who has no account redeems the invitation by signing in, and is a member', async () => {
    const email = 'invited@example.org';
    const { inviteId } = (await invite(email)).invitation;
    issuer.people.set('invited', { email: 'Invited@Example.org', email_verified: true, name: 'Iva Invited' });
    issuer.signsIn = 'invited';
    const clients = [console.visitor(), console.visitor()];
    const backs = await Promise.all(clients.map((client) => goToProvider(client, provider.key)));
    const ends = await Promise.all(
      clients.map(async (client, index) => (await navigate(client, backs[index] ?? '')).headers.location),
    );
    expect(ends).toEqual(['/', '/']);
    for (const client of clients)
      expect(await client.call('currentUser', {})).toMatchObject({ companyId, email, name: 'Iva Invited' });
    expect(await stateOf(inviteId)).toBe('accepted');
    // The word of a company's provider is good for that company alone.
    const user = await userAt(email);
    expect(user).toMatchObject({ passwordHash: null, emailProvenAt: null });
    const elsewhere = await invite(email, ownerOfOther);
    const own = await console.session(user?.id ?? 0, companyId);
    expect(await own.call('pendingInvitations', {})).toEqual([]);
    expect(await stateOf(elsewhere.invitation.inviteId)).toBe('pending');
    // Of two tabs at once one redeems it, and either may be the first on record.
    const rows = await console.store.db
      .select()
      .from(audit)
      .where(and(eq(audit.action, 'signIn'), eq(audit.userId, user?.id ?? 0)));
    expect(rows.map(({ subject }) => subject)).toContainEqual(
      expect.objectContaining({ provider: provider.key, inviteId }),
    );
    expect(rows.map((row) => row.companyId)).toEqual([companyId, companyId]);
  });

  it('who was removed and is invited again comes back by signing in', async () => {
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('again', { email: person.email, email_verified: true });
    await connect(person.client, 'again');
    await console.store.db
      .update(memberships)
      .set({ state: 'left' })
      .where(and(eq(memberships.userId, person.id), eq(memberships.companyId, companyId)));
    expect((await enter('again')).location).toBe(refused('not-member'));
    await invite(person.email);
    const { client } = await enter('again');
    expect(await client.call('currentUser', {})).toMatchObject({ id: person.id, companyId });
  });

  it('redeems no invitation of another company, of an unverified address, or that is no longer open', async () => {
    const ofOther = (await invite('wanted@example.org', ownerOfOther)).invitation.inviteId;
    const unproven = (await invite('unproven@example.org')).invitation.inviteId;
    const revoked = (await invite('revoked@example.org')).invitation.inviteId;
    await owner.call('revokeInvitation', { params: { inviteId: revoked } });
    const expired = (await invite('expired@example.org')).invitation.inviteId;
    await console.store.db
      .update(invitations)
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .where(eq(invitations.id, expired));
    const before = await console.store.db.select().from(users);
    for (const [email, isVerified] of [
      ['wanted@example.org', true],
      ['unproven@example.org', false],
      ['unproven@example.org', 'true'],
      ['revoked@example.org', true],
      ['expired@example.org', true],
    ] as const) {
      const subject = `claims ${email} ${String(isVerified)}`;
      issuer.people.set(subject, { email, email_verified: isVerified });
      const { client, location } = await enter(subject);
      expect([subject, location]).toEqual([subject, refused('not-member')]);
      expect(await client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    }
    expect(await console.store.db.select().from(users)).toEqual(before);
    expect(await Promise.all([ofOther, unproven].map(stateOf))).toEqual(['pending', 'pending']);
  });

  it('an account with the invited address is not linked by what the provider claims, and keeps its invitation', async () => {
    const person = await console.person({ companyId: otherId, password: testPassword });
    const { inviteId } = (await invite(person.email)).invitation;
    issuer.people.set('claims-an-account', { email: person.email, email_verified: true });
    expect((await enter('claims-an-account')).location).toBe(refused('invited'));
    expect(await stateOf(inviteId)).toBe('pending');
    expect(await console.store.db.select().from(identities).where(eq(identities.userId, person.id))).toEqual(
      [],
    );
  });

  it('groups give places in the company’s teams, and leaving a group takes them away at the next sign-in', async () => {
    const person = await console.person({ companyId, password: testPassword });
    const [given, byHand, foreign] = [
      await console.team(companyId),
      await console.team(companyId),
      await console.team(otherId),
    ];
    await console.join(companyId, byHand, person.id, teamRoles.Viewer);
    const { id: providerId } = provider;
    const map = (teamId: number) => ({ group: 'operators', teamId, role: teamRoles.SecretViewer });
    await expect(
      owner.call('changeProvider', { params: { providerId }, body: { groupTeams: [map(foreign)] } }),
    ).rejects.toMatchObject({ status: 404 });
    await owner.call('changeProvider', {
      params: { providerId },
      body: { groupTeams: [map(given), map(byHand)] },
    });

    issuer.people.set('grouped', { email: person.email, email_verified: true, groups: ['operators'] });
    await connect(person.client, 'grouped');
    const places = async () =>
      (await console.store.db.select().from(teamMembers).where(eq(teamMembers.userId, person.id)))
        .map(({ teamId, role }) => [teamId, role])
        .toSorted(([one = 0], [other = 0]) => one - other);
    await enter('grouped');
    expect(await places()).toEqual([
      [given, teamRoles.SecretViewer],
      [byHand, teamRoles.Viewer],
    ]);
    issuer.people.set('grouped', { email: person.email, email_verified: true, groups: [] });
    await enter('grouped');
    expect(await places()).toEqual([[byHand, teamRoles.Viewer]]);
  });

  it('who is suspended or left is not let in', async () => {
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('gone', { email: person.email, email_verified: true });
    await connect(person.client, 'gone');
    const own = and(eq(memberships.userId, person.id), eq(memberships.companyId, companyId));
    for (const [state, failure] of [
      ['suspended', 'suspended'],
      ['left', 'not-member'],
    ] as const) {
      await console.store.db.update(memberships).set({ state }).where(own);
      expect((await enter('gone')).location).toBe(refused(failure));
    }
  });

  it('lets in nobody whom the rule of the company asks for a passkey, and the page says so', async () => {
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('ruled', { email: person.email, email_verified: true });
    await connect(person.client, 'ruled');
    const setRule = async (ownersUsePasskeys: boolean) =>
      await console.store.db.update(companies).set({ ownersUsePasskeys }).where(eq(companies.id, companyId));
    await setRule(true);
    try {
      expect((await enter('ruled')).location).toBe('/');
      await console.store.db
        .update(memberships)
        .set({ orgRole: orgRoles.Owner })
        .where(eq(memberships.userId, person.id));
      const { client, location } = await enter('ruled');
      expect(location).toBe(refused('passkey-needed'));
      expect(await client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    } finally {
      await setRule(false);
    }
    expect((await enter('ruled')).location).toBe('/');
  });

  it('is enforced only after a test sign-in, and ends and refuses every other session of the company then', async () => {
    const { id: providerId } = provider;
    const enforce = (isEnforced: boolean) =>
      owner.call('changeProvider', { params: { providerId }, body: { isEnforced } });
    await expect(enforce(true)).rejects.toThrow('Test the sign-in');
    issuer.people.set('tester', { email: 'tester@example.org', email_verified: true });
    issuer.signsIn = 'tester';
    const { url } = await owner.call('testProvider', { params: { providerId } });
    const back = (await navigate(owner, await passProvider(url, console.url))).headers.location;
    expect(back).toBe('/settings?section=company-sign-in');
    // A test opens and connects nothing.
    expect(await console.store.db.select().from(identities).where(eq(identities.subject, 'tester'))).toEqual(
      [],
    );

    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('bound', { email: person.email, email_verified: true });
    await connect(person.client, 'bound');
    const { client: bound } = await enter('bound');
    await console.store.db
      .update(memberships)
      .set({ isLocal: true })
      .where(and(eq(memberships.companyId, companyId), eq(memberships.orgRole, 1)));
    expect(await enforce(true)).toMatchObject({ isEnforced: true });
    expect(await person.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await bound.call('currentUser', {})).toMatchObject({ companyId });
    expect(await owner.call('currentUser', {})).toMatchObject({ companyId });
    await expect(
      console.visitor().call('signIn', { body: { email: person.email, password: testPassword } }),
    ).rejects.toThrow(`/login?provider=${provider.key}`);
    // A session that got in all the same opens nothing.
    const stray = await console.session(person.id, companyId);
    expect(await stray.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });

    // Who has yet to connect it comes in by password without a company, and connects it there.
    const newcomer = await console.person({ companyId: otherId, password: testPassword });
    const ownOfOther = eq(memberships.userId, newcomer.id);
    await console.store.db
      .update(users)
      .set({ emailProvenAt: new Date().toISOString() })
      .where(eq(users.id, newcomer.id));
    const { inviteId } = (await invite(newcomer.email)).invitation;
    // In another company they stay where they are, and switching says where to sign in.
    expect(await newcomer.client.call('acceptInvitation', { body: { inviteId } })).toMatchObject({
      companyId: otherId,
    });
    const lead = {
      status: 403,
      title: `Company B lets its people sign in only with Example sign-on. Open /login?provider=${provider.key} in this console.`,
      signInAt: { key: provider.key, label: 'Example sign-on' },
    };
    const switching = await newcomer.client.send('POST', companyEndpoints.switchCompany.path, { companyId });
    expect([switching.status, switching.json]).toEqual([403, expect.objectContaining(lead)]);
    await console.store.db
      .update(memberships)
      .set({ state: 'left' })
      .where(and(ownOfOther, eq(memberships.companyId, otherId)));
    const homeless = console.visitor();
    const said = { email: newcomer.email, password: testPassword };
    const closedCompany = { name: 'Company B', provider: lead.signInAt };
    expect(await homeless.call('signIn', { body: said })).toMatchObject({
      companyId: 0,
      isInviteNotFound: true,
      closedCompany,
    });
    issuer.people.set('newcomer', { email: newcomer.email, email_verified: true });
    expect(await connect(homeless, 'newcomer')).toBe('/settings');
    const inside = await homeless.call('currentUser', {});
    expect(inside).toMatchObject({ id: newcomer.id, companyId });
    expect(inside).not.toHaveProperty('closedCompany');
    // From then on the password opens nothing that the provider does not.
    const again = await console.visitor().send('POST', accountEndpoints.signIn.path, said);
    expect([again.status, again.json]).toEqual([403, expect.objectContaining(lead)]);

    // Other settings are not tested, and not enforced.
    const changed = await owner.call('changeProvider', {
      params: { providerId },
      body: { clientId: 'another' },
    });
    expect(changed).toMatchObject({ isEnforced: false, testedAt: null });
  });

  it('is not dialled at an address that the console must not reach', async () => {
    const guarded = await startConsole();
    try {
      const id = await guarded.company();
      const { client } = await guarded.person({ companyId: id, isOwner: true });
      for (const address of [issuer.url, 'https://169.254.169.254/', 'https://[::1]:8443']) {
        const { id: providerId } = await client.call('addProvider', {
          body: { ...settings(), issuer: address },
        });
        await expect(client.call('testProvider', { params: { providerId } })).rejects.toMatchObject({
          status: 502,
        });
      }
      await expect(
        client.call('addProvider', { body: { ...settings(), issuer: 'http://id.example.org' } }),
      ).rejects.toMatchObject({ status: 400 });
    } finally {
      await guarded.close();
    }
  });

  it('takes its sessions, connections and places in teams with it when it is removed', async () => {
    await owner.call('removeProvider', { params: { providerId: provider.id } });
    expect(
      await console.store.db.select().from(sessions).where(eq(sessions.signInWay, provider.key)),
    ).toEqual([]);
    expect(
      await console.store.db.select().from(teamMembers).where(eq(teamMembers.givenBy, provider.key)),
    ).toEqual([]);
    expect(await console.store.db.select().from(identities)).toEqual([]);
  });
});
