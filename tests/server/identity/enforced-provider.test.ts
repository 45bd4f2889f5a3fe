import { eq } from 'drizzle-orm';
import type { ParsedMail } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyEndpoints } from '../../../src/contract/companies.ts';
import { invitationEndpoints } from '../../../src/contract/invitations.ts';
import {
  ownAddressEndpoints,
  sessionLinkLimit,
  sessionLinkMinutes,
} from '../../../src/contract/own-address.ts';
import { signInEndpoints } from '../../../src/contract/sign-in.ts';
import { identities } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, type TestPerson, testPassword } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { storedInvitation, titleOf } from '../organisation/invitation-office.ts';
import { navigate, passProvider, signInAt } from './sign-in-at.ts';

describe('a provider that a company enforces', () => {
  let issuer: Issuer;
  let mail: MailServer;
  let console: TestConsole;
  /** What the console's clock is ahead of this one, ms. */
  let ahead = 0;
  let companyId: number;
  let owner: TestPerson;
  let provider: { id: number; key: string };

  beforeAll(async () => {
    issuer = await startIssuer();
    mail = await startMailServer();
    console = await startConsole({
      config: { issuerCidrs: ['127.0.0.0/8'], mail: mail.settings },
      clock: clockAt(() => Date.now() + ahead),
    });
    companyId = await console.company('Company A');
    owner = await console.person({ companyId, isOwner: true, password: testPassword });
    // The Owner stays in by the operator's exception.
    await console.store.db.update(memberships).set({ isLocal: true }).where(eq(memberships.userId, owner.id));
    const added = await owner.client.call('addProvider', {
      body: {
        name: 'Example sign-on',
        issuer: issuer.url,
        clientId: issuerClient.clientId,
        clientSecret: issuerClient.clientSecret,
        groupsClaim: null,
      },
    });
    provider = { id: added.id, key: added.redirectUri.split('/').at(-1) ?? '' };
    issuer.open([added.redirectUri]);
    issuer.people.set('tester', { email: 'tester@example.org', email_verified: true });
    issuer.signsIn = 'tester';
    const { url } = await owner.client.call('testProvider', { params: { providerId: provider.id } });
    await navigate(owner.client, await passProvider(url, console.url));
  });
  afterAll(async () => {
    await console.close();
    await issuer.close();
    await mail.close();
  });

  const enforce = (isEnforced: boolean) =>
    owner.client.call('changeProvider', { params: { providerId: provider.id }, body: { isEnforced } });
  /** Goes to the provider to connect it, and signs in there as somebody. */
  const connect = async (client: TestClient, subject: string) => {
    issuer.signsIn = subject;
    const { url } = await client.call('connectIdentity', { body: { provider: provider.key } });
    return (await navigate(client, await passProvider(url, console.url))).headers.location;
  };
  /** Waits for the link number `count` that was mailed to an address to confirm it. Other mail comes between them. */
  const linkTo = async (email: string, count: number) => {
    const isLink = ({ to, text }: ParsedMail) =>
      to !== undefined && !Array.isArray(to) && to.text === email && (text ?? '').includes('#address=');
    const { text = '' } = await mail.received(count, isLink);
    return { text, token: /#address=(\S+)/.exec(text)?.[1] ?? '' };
  };
  const subjectsOf = async (userId: number) =>
    (await console.store.db.select().from(identities).where(eq(identities.userId, userId))).map(
      ({ subject }) => subject,
    );
  /** A member who connected the provider, and an attacker with a login of their own there. */
  const boundMember = async (subject: string) => {
    await enforce(false);
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set(subject, { email: person.email, email_verified: true });
    issuer.people.set(`not ${subject}`, { email: 'attacker@example.org', email_verified: true });
    expect(await connect(person.client, subject)).toBe('/settings');
    return person;
  };

  it('is not got round by an invitation of another company, which its maker claims with the password', async () => {
    const person = await boundMember('claims');
    await enforce(true);
    const otherId = await console.company('Company of the attacker');
    const attacker = await console.person({ companyId: otherId, isOwner: true });
    const invitation = await storedInvitation(console, {
      companyId: otherId,
      email: person.email,
      invitedBy: attacker.id,
      expiresAt: Date.now() + 60_000,
    });
    const { path } = invitationEndpoints.claimInvitation;
    const claim = (token: string, client: TestClient) =>
      client.send('POST', path, { token, name: 'Robin', password: testPassword });
    const visitor = console.visitor();
    expect(titleOf(await claim(invitation.link, visitor))).toEqual([
      403,
      `Company A lets its people sign in only with Example sign-on, so the password of ${person.email} is not enough here. Open the link that was mailed to ${person.email}, or ask to be invited at another address.`,
    ]);
    expect(await visitor.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    // Who reads the mail of the address as well comes into the other company, and not into this one.
    const reader = console.visitor();
    expect((await claim(invitation.mail, reader)).status).toBe(200);
    const { inviteId } = invitation;
    expect(await reader.call('acceptInvitation', { body: { inviteId } })).toMatchObject({
      companyId: otherId,
    });
    const switching = await reader.send('POST', companyEndpoints.switchCompany.path, { companyId });
    expect(switching.status).toBe(403);
  });

  it('is connected by a login with another address only once the mail of the account was read in the session', async () => {
    await enforce(true);
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('thief', { email: 'thief@example.org', email_verified: true });
    issuer.people.set('nobody', {});
    issuer.people.set('moved', { email: 'moved@corp.example.org', email_verified: true });
    const signIn = async () => {
      const client = console.visitor();
      await client.call('signIn', { body: { email: person.email, password: testPassword } });
      return client;
    };
    // Somebody with the password alone, and a login of their own at the provider.
    const thief = await signIn();
    let mailed = 0;
    // Mails are sent side by side: each is awaited before the next, so that their numbers say which is which.
    const refused = async (client: TestClient, subject: string) => {
      expect(await connect(client, subject)).toBe('/settings?failure=other-address');
      mailed += 1;
      return linkTo(person.email, mailed);
    };
    const { token } = await refused(thief, 'thief');
    await refused(thief, 'nobody');
    expect(await subjectsOf(person.id)).toEqual([]);
    // The person reads their mail: that opens it neither for the thief nor for a session that did not ask for it.
    const own = await signIn();
    const use = (client: TestClient, link: string) =>
      client.send('POST', ownAddressEndpoints.proveAddress.path, { token: link });
    expect(titleOf(await use(own, token))).toEqual([
      410,
      expect.stringContaining('was asked for in another session'),
    ]);
    await refused(thief, 'thief');
    // Nor does a link by which the account alone shows its address.
    const late = await refused(own, 'moved');
    ahead = sessionLinkMinutes * 60_000;
    expect((await use(own, late.token)).status).toBe(410);
    ahead = 0;
    await own.call('mailAddressLink', {});
    mailed += 1;
    const ofAccount = await linkTo(person.email, mailed);
    expect((await use(own, ofAccount.token)).status).toBe(200);
    expect((await use(own, (await refused(own, 'moved')).token)).status).toBe(200);
    expect(await connect(own, 'moved')).toBe('/settings');
    expect(await subjectsOf(person.id)).toEqual(['moved']);
    expect(await own.call('currentUser', {})).toMatchObject({ companyId });
    await enforce(false);
  });

  it('mails five such links an hour at most, each good for one login', async () => {
    await enforce(true);
    const person = await console.person({ companyId, password: testPassword });
    issuer.people.set('elsewhere', { email: 'elsewhere@corp.example.org', email_verified: true });
    const client = console.visitor();
    await client.call('signIn', { body: { email: person.email, password: testPassword } });
    const refused = async () =>
      expect(await connect(client, 'elsewhere')).toBe('/settings?failure=other-address');
    for (let at = 1; at <= sessionLinkLimit; at += 1) {
      await refused();
      await linkTo(person.email, at);
    }
    await refused();
    // The sixth was not mailed: what follows the fifth is a link of another sort.
    await client.call('mailAddressLink', {});
    expect((await linkTo(person.email, sessionLinkLimit + 1)).text).toContain('for that account only');
    const { token } = await linkTo(person.email, sessionLinkLimit);
    await client.call('proveAddress', { body: { token } });
    expect(await connect(client, 'elsewhere')).toBe('/settings');
    const left = await console.store.db
      .select({ addressProvedAt: sessions.addressProvedAt })
      .from(sessions)
      .where(eq(sessions.userId, person.id));
    expect(new Set(left.map(({ addressProvedAt }) => addressProvedAt))).toEqual(new Set([null]));
    await enforce(false);
  });

  it('lets in somebody without mail once an Owner invites them at the address that it verified', async () => {
    await enforce(true);
    issuer.people.set('invited', { email: 'invited@corp.example.org', email_verified: true });
    issuer.signsIn = 'invited';
    expect(await signInAt(console.visitor(), provider.key)).toContain('failure=not-member');
    await owner.client.call('invite', {
      body: { email: 'invited@corp.example.org', orgRole: 2, teams: [] },
    });
    const client = console.visitor();
    expect(await signInAt(client, provider.key)).toBe('/');
    expect(await client.call('currentUser', {})).toMatchObject({ companyId });
    await enforce(false);
  });

  it('is connected to an account by one login alone, of two at once as well', async () => {
    const person = await boundMember('first');
    const { connectable } = await person.client.call('identities', {});
    expect(connectable).toEqual([]);
    expect(await connect(person.client, 'not first')).toBe('/settings?failure=connected-otherwise');
    expect(await subjectsOf(person.id)).toEqual(['first']);
    // The same one again is no other.
    expect(await connect(person.client, 'first')).toBe('/settings');

    const two = await console.person({ companyId, password: testPassword });
    const tabs = [two.client, await console.session(two.id, companyId)];
    const backs: string[] = [];
    for (const [index, tab] of tabs.entries()) {
      issuer.people.set(`tab ${index}`, { email: two.email, email_verified: true });
      issuer.signsIn = `tab ${index}`;
      const { url } = await tab.call('connectIdentity', { body: { provider: provider.key } });
      backs.push(await passProvider(url, console.url));
    }
    const ends = await Promise.all(
      tabs.map(async (tab, index) => (await navigate(tab, backs[index] ?? '')).headers.location),
    );
    expect(new Set(ends)).toEqual(new Set(['/settings', '/settings?failure=connected-otherwise']));
    expect(await subjectsOf(two.id)).toHaveLength(1);
  });

  it('stays connected as long as its company enforces it and the person belongs there', async () => {
    const person = await boundMember('stays');
    await enforce(true);
    // A session of the account itself, in a company that everybody may enter.
    const otherId = await console.company();
    await console.store.db.insert(memberships).values({ userId: person.id, companyId: otherId, orgRole: 2 });
    const own = await console.session(person.id, otherId);
    const [identity] = (await own.call('identities', {})).identities;
    const params = { identityId: identity?.id ?? 0 };
    const refused = await own.send(
      'DELETE',
      signInEndpoints.disconnectIdentity.path.replace(':identityId', String(params.identityId)),
    );
    expect(titleOf(refused)).toEqual([
      409,
      'Company A lets its people sign in only with Example sign-on, so it stays connected to your account. If you have another login there now, ask an Owner of Company A to remove you and to invite you again.',
    ]);
    issuer.signsIn = 'stays';
    const visitor = console.visitor();
    expect(await signInAt(visitor, provider.key)).toBe('/');
    await owner.client.call('removeMember', { params: { userId: person.id } });
    await own.call('disconnectIdentity', { params });
    expect(await subjectsOf(person.id)).toEqual([]);
  });
});
