import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { PasskeyHolders } from '../../../src/contract/passkeys.ts';
import { PasskeyList } from '../../../src/server/passkeys/list.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { identityProviders } from '../../../src/server/store/schema/identities.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { startConsole, testPassword } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { liftRule } from '../lift-rule.ts';
import { freshAddress, prove, storedInvitation } from '../organisation/invitation-office.ts';
import { Authenticator } from './authenticator.ts';
import { idOf, openedAt, PasskeyConsole, register, signIn } from './steps.ts';

const lab = new PasskeyConsole();
const { url } = lab;
const visitor = () => lab.visitor();
const somebody: typeof lab.somebody = (input) => lab.somebody({ password: testPassword, ...input });
const withPasskey: typeof lab.withPasskey = (input) => lab.withPasskey({ password: testPassword, ...input });
const at = (client: TestClient) => openedAt(url, client);
const isSignedIn = async (client: TestClient) => (await client.call('isAuthenticated', {})).isAuthenticated;
const setRule = (client: TestClient, requiredOf: PasskeyHolders) =>
  client.call('setPasskeyRule', { body: { requiredOf } });
/** The first answer to somebody whom the rule keeps out. */
const keptOut = (hasPasskey = false) => ({
  companyId: 0,
  isInviteNotFound: true,
  shouldSetupCompany: false,
  passkeyCompany: { name: 'Ruled', hasPasskey },
});

/** A company under a rule, with an Owner and a member who have a passkey and a session that none opened. */
async function ruled(requiredOf: PasskeyHolders) {
  const company = await lab.console.company('Ruled');
  const owner = await withPasskey({ companyId: company, isOwner: true });
  const member = await withPasskey({ companyId: company });
  const byPassword = async (person: { readonly id: number }) =>
    at(await lab.console.session(person.id, company));
  const sessions = { owner: await byPassword(owner), member: await byPassword(member) };
  await setRule(owner.client, requiredOf);
  return { company, owner, member, sessions };
}

describe.each(['owners', 'everybody'] as const)('the rule that passkeys are used by %s', (requiredOf) => {
  const isOwner = requiredOf === 'owners';

  it('is set by somebody whom a passkey let in, once all whom it binds have one, and is on record', async () => {
    const company = await lab.console.company();
    const owner = await somebody({ companyId: company, isOwner: true });
    await expect(setRule(owner.client, requiredOf)).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('Sign in with a passkey first'),
    });
    const other = await somebody({ companyId: company, isOwner });
    await lab.console.store.db.update(users).set({ name: 'Ada Late' }).where(eq(users.id, other.id));
    // One who may not sign in is not bound.
    const gone = await somebody({ companyId: company, isOwner });
    await lab.console.store.db
      .update(memberships)
      .set({ state: 'suspended' })
      .where(eq(memberships.userId, gone.id));
    await register(owner.client, new Authenticator(url.origin));
    await expect(setRule(owner.client, requiredOf)).rejects.toMatchObject({
      status: 409,
      title: expect.stringMatching(/^1 person has no passkey yet and would need one .*: Ada Late\./),
    });
    expect(await owner.client.call('passkeyRule', {})).toMatchObject({
      requiredOf: 'nobody',
      readiness: { [requiredOf]: { without: ['Ada Late'], unavailable: null } },
    });
    expect(await isSignedIn(other.client)).toBe(true);
    await register(other.client, new Authenticator(url.origin));
    // One for another host name does not work here.
    const own = eq(passkeys.userId, other.id);
    await lab.console.store.db.update(passkeys).set({ host: 'localhost' }).where(own);
    await expect(setRule(owner.client, requiredOf)).rejects.toThrow('Ada Late');
    await lab.console.store.db.update(passkeys).set({ host: url.hostname }).where(own);
    expect(await setRule(owner.client, requiredOf)).toMatchObject({ requiredOf, cameByPasskey: true });
    const audit = await lab.console.store.db.select().from(auditRows).where(eq(auditRows.companyId, company));
    expect(audit.filter(({ action }) => action === 'setPasskeyRule').at(-1)).toMatchObject({
      changes: { passkeysRequiredOf: { before: 'nobody', after: requiredOf } },
    });
  });

  it('ends the sessions that no passkey opened of people whom it binds, and of nobody else', async () => {
    const { owner, member, sessions } = await ruled(requiredOf);
    expect(await isSignedIn(sessions.owner)).toBe(false);
    expect(await isSignedIn(sessions.member)).toBe(isOwner);
    for (const { client } of [owner, member]) expect(await isSignedIn(client)).toBe(true);
  });

  it('leads people who come later to register a passkey, which opens the company', async () => {
    const { company } = await ruled(requiredOf);
    const late = await somebody({ companyId: company, isOwner });
    const client = visitor();
    const body = { email: late.email, password: testPassword };
    expect(await client.call('signIn', { body })).toMatchObject(keptOut());
    await expect(client.call('company', {})).rejects.toMatchObject({ status: 403 });
    await expect(client.call('switchCompany', { body: { companyId: company } })).rejects.toMatchObject({
      status: 403,
      title: expect.stringContaining('asks you to sign in with a passkey'),
    });
    const entered = await register(client, new Authenticator(url.origin));
    expect(entered).toMatchObject({ companyId: company, companyName: 'Ruled' });
    const sessions = await client.call('ownSessions', {});
    expect(sessions.find(({ isCurrent }) => isCurrent)?.way).toBe('passkey');
  });

  it('is not got round by the password of somebody who has a passkey, which brings no other one', async () => {
    const { owner, member } = await ruled(requiredOf);
    const bound = isOwner ? owner : member;
    const client = visitor();
    const body = { email: bound.email, password: testPassword };
    expect(await client.call('signIn', { body })).toMatchObject(keptOut(true));
    expect(await client.call('passkeys', {})).toMatchObject({ requiredBy: 'Ruled' });
    const params = { passkeyId: await idOf({ client }) };
    await expect(client.call('passkeyOptions', {})).rejects.toMatchObject({ status: 403, proof: 'passkey' });
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    await expect(bound.client.call('removePasskey', { params })).rejects.toThrow('your last one');
    expect(await signIn(client, bound.authenticator)).toMatchObject({ companyName: 'Ruled' });
  });

  it('somebody whose passkeys were removed registers another at the next sign-in', async () => {
    const { owner, member, company } = await ruled(requiredOf);
    const bound = isOwner ? owner : member;
    const list = new PasskeyList(lab.console.store);
    await lab.console.store.db.transaction((tx) => list.removeAll(tx, bound.id));
    const client = visitor();
    await client.call('signIn', { body: { email: bound.email, password: testPassword } });
    expect(await register(client, new Authenticator(url.origin))).toMatchObject({ companyId: company });
  });

  it('holds for API tokens as for the session in which they were made', async () => {
    const { company, owner, member } = await ruled('nobody');
    const tokenOf = async (client: TestClient) => {
      const body = { name: 'script', scopes: ['pods.view' as const] };
      return at(new BearerClient(lab.console.url, (await client.call('createToken', { body })).secret));
    };
    const statusOf = async (script: TestClient) =>
      (await script.send('GET', '/api/ClusterManagement/clusters')).status;
    const bound = isOwner ? owner : member;
    const byPassword = await tokenOf(at(await lab.console.session(bound.id, company)));
    expect(await statusOf(byPassword)).toBe(200);
    await setRule(owner.client, requiredOf);
    expect(await statusOf(byPassword)).toBe(401);
    // For good: nobody expects a script to come back to life with a rule that is lifted.
    await setRule(owner.client, 'nobody');
    expect(await statusOf(byPassword)).toBe(401);
    await setRule(owner.client, requiredOf);

    const params = { passkeyId: await idOf(bound) };
    const another = at(await lab.console.session(bound.id, company));
    expect(await isSignedIn(another)).toBe(false);
    await signIn(another, bound.authenticator);
    const byPasskey = await tokenOf(another);
    await register(bound.client, new Authenticator(url.origin), 'Second');
    expect(await statusOf(byPasskey)).toBe(200);
    await bound.client.call('removePasskey', { params });
    expect(await statusOf(byPasskey)).toBe(401);
  });

  it('is lifted by an Owner, and by the operator', async () => {
    const { company, owner, member } = await ruled(requiredOf);
    const bound = isOwner ? owner : member;
    const enter = async () =>
      await visitor().call('signIn', { body: { email: bound.email, password: testPassword } });
    await setRule(owner.client, 'nobody');
    expect(await enter()).toMatchObject({ companyId: company });
    await setRule(owner.client, requiredOf);
    expect(await enter()).toMatchObject(keptOut(true));
    await liftRule(lab.console, 'passkeys', company);
    expect(await enter()).toMatchObject({ companyId: company });
  });
});

describe('the rule that Owners use a passkey', () => {
  it('holds from the moment in which somebody becomes an Owner, for their tokens for good', async () => {
    const { company, owner, sessions, member } = await ruled('owners');
    const body = { name: 'script', scopes: ['pods.view' as const] };
    const { secret } = await sessions.member.call('createToken', { body });
    const script = at(new BearerClient(lab.console.url, secret));
    const statusOf = async () => (await script.send('GET', '/api/ClusterManagement/clusters')).status;
    expect(await statusOf()).toBe(200);
    const params = { userId: member.id };
    await owner.client.call('changeMember', { params, body: { orgRole: 1 } });
    expect(await isSignedIn(sessions.member)).toBe(false);
    expect(await statusOf()).toBe(401);
    await owner.client.call('changeMember', { params, body: { orgRole: 2 } });
    expect(await statusOf()).toBe(401);
    expect(await isSignedIn(at(await lab.console.session(member.id, company)))).toBe(true);
  });
});

describe('the rule that everybody uses a passkey', () => {
  /** An invitation to the company of an Owner, by a link that was handed over. */
  const invite = async (company: number, invitedBy: number, email: string) =>
    await storedInvitation(lab.console, {
      companyId: company,
      email,
      invitedBy,
      expiresAt: Date.now() + 3_600_000,
    });

  it('holds for who comes by an invitation, with a new account or their own', async () => {
    const { company, owner } = await ruled('everybody');
    const invitation = await invite(company, owner.id, freshAddress());
    const newcomer = visitor();
    const claim = { token: invitation.link, name: 'New Comer', password: testPassword };
    await newcomer.call('claimInvitation', { body: claim });
    const body = { inviteId: invitation.inviteId };
    expect(await newcomer.call('acceptInvitation', { body })).toMatchObject(keptOut());
    await expect(newcomer.call('company', {})).rejects.toMatchObject({ status: 403 });
    expect(await register(newcomer, new Authenticator(url.origin))).toMatchObject({ companyId: company });

    const elsewhere = await somebody();
    await prove(lab.console, elsewhere);
    const { inviteId } = await invite(company, owner.id, elsewhere.email);
    await elsewhere.client.call('acceptInvitation', { body: { inviteId } });
    await expect(
      elsewhere.client.call('switchCompany', { body: { companyId: company } }),
    ).rejects.toMatchObject({
      status: 403,
      title: expect.stringContaining('Ruled asks you to sign in with a passkey'),
    });
    await register(elsewhere.client, new Authenticator(url.origin));
    expect(await elsewhere.client.call('switchCompany', { body: { companyId: company } })).toMatchObject({
      companyName: 'Ruled',
    });
  });

  it('holds for who set a password by a reset link', async () => {
    const { company, owner } = await ruled('everybody');
    const late = await somebody({ companyId: company });
    const { link } = await owner.client.call('memberResetLink', { params: { userId: late.id } });
    const client = visitor();
    const password = 'four unrelated garden words';
    await client.call('resetPassword', { body: { token: link.split('#reset=')[1] ?? '', password } });
    expect(await isSignedIn(client)).toBe(false);
    expect(await client.call('signIn', { body: { email: late.email, password } })).toMatchObject(keptOut());
  });

  it('weakens to Owners without a question, and sets nobody free whom that binds', async () => {
    const { company, owner } = await ruled('everybody');
    const lateOwner = await somebody({ companyId: company, isOwner: true });
    const late = await somebody({ companyId: company });
    expect(await setRule(owner.client, 'owners')).toMatchObject({ requiredOf: 'owners' });
    const enter = async ({ email }: { readonly email: string }) =>
      await visitor().call('signIn', { body: { email, password: testPassword } });
    expect(await enter(late)).toMatchObject({ companyId: company });
    expect(await enter(lateOwner)).toMatchObject(keptOut());
  });

  it('and a provider of the organisation exclude one another, whichever comes first', async () => {
    const company = await lab.console.company('Ruled');
    const owner = await withPasskey({ companyId: company, isOwner: true });
    const provider = {
      name: 'Example sign-on',
      issuer: 'https://issuer.example.org',
      clientId: 'wheelhouse',
      clientSecret: 'secret',
      groupsClaim: null,
    };
    const { id } = await owner.client.call('addProvider', { body: provider });
    const unavailable = expect.stringContaining('only with Example sign-on cannot register a passkey');
    expect(await owner.client.call('passkeyRule', {})).toMatchObject({
      readiness: { owners: { unavailable: null }, everybody: { unavailable } },
    });
    await expect(setRule(owner.client, 'everybody')).rejects.toMatchObject({
      status: 409,
      title: unavailable,
    });
    await owner.client.call('removeProvider', { params: { providerId: id } });
    await setRule(owner.client, 'everybody');
    await expect(owner.client.call('addProvider', { body: provider })).rejects.toMatchObject({
      status: 409,
      title: expect.stringContaining('requires a passkey of everybody'),
    });
    expect(
      await lab.console.store.db
        .select()
        .from(identityProviders)
        .where(eq(identityProviders.companyId, company)),
    ).toEqual([]);
  });
});

describe('at an IP address', () => {
  it('no rule is set, and under one that was set by name people are sent there', async () => {
    const console = await startConsole({});
    try {
      const companyId = await console.company('Ruled');
      const input = { companyId, isOwner: true, password: testPassword };
      const owner = await console.person(input);
      const named = console.url.replace('127.0.0.1', 'localhost');
      const sentence = `Passkeys need a host name. Open this console at ${named} to use them. If it refuses that address, its operator can set WHEELHOUSE_URL to it.`;
      for (const requiredOf of ['owners', 'everybody'] as const) {
        await expect(setRule(owner.client, requiredOf)).rejects.toMatchObject({
          status: 409,
          title: sentence,
        });
      }
      expect(await owner.client.call('passkeyRule', {})).toMatchObject({
        readiness: { owners: { unavailable: sentence }, everybody: { unavailable: sentence } },
      });

      const atName = openedAt(new URL(named), await console.session(owner.id, companyId));
      const authenticator = new Authenticator(named);
      await register(atName, authenticator);
      await setRule(atName, 'everybody');
      const byAddress = console.visitor();
      const body = { email: owner.email, password: testPassword };
      expect(await byAddress.call('signIn', { body })).toMatchObject({ companyId: 0 });
      await expect(byAddress.call('passkeySignInOptions', {})).rejects.toMatchObject({ title: sentence });
      const byName = openedAt(new URL(named), console.visitor());
      expect(await signIn(byName, authenticator)).toMatchObject({ companyId });
      // The rule is weakened from anywhere in a session that it lets in.
      await liftRule(console, 'passkeys', companyId);
      expect(await byAddress.call('isAuthenticated', {})).toMatchObject({ user: { companyId } });
    } finally {
      await console.close();
    }
  });
});
