import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeMinutes, proofMinutes } from '../../../src/contract/passkeys.ts';
import { PasskeyList } from '../../../src/server/passkeys/list.ts';
import { removePasskeysCommand } from '../../../src/server/boot/admin/remove-passkeys.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { startConsole, type TestConsole, type TestPerson, testPassword } from '../harness.ts';
import { BearerClient, type TestClient } from '../http-client.ts';
import { Authenticator, type Lies } from './authenticator.ts';
import { openedAt, register, signIn, wrongPasskey as wrong } from './steps.ts';

const minute = 60_000;
const url = new URL('https://console.example.org');

let time = Date.parse('2026-11-25T08:00:00Z');
let console: TestConsole;
let companyId: number;

beforeAll(async () => {
  console = await startConsole({ config: { url }, now: () => time });
  companyId = await console.company('Example');
});
afterAll(async () => await console.close());

/** A browser that opened the console at its address. */
const at = (client: TestClient): TestClient => openedAt(url, client);
const visitor = () => at(console.visitor());
const somebody = async (input: Partial<Parameters<TestConsole['person']>[0]> = {}) => {
  const person = await console.person({ companyId, password: testPassword, ...input });
  at(person.client);
  return person;
};
const withPasskey = async (input: Partial<Parameters<TestConsole['person']>[0]> = {}) => {
  const person = await somebody(input);
  const authenticator = new Authenticator(url.origin);
  await register(person.client, authenticator);
  return { ...person, authenticator };
};
const idOf = async (person: Pick<TestPerson, 'client'>) =>
  (await person.client.call('passkeys', {})).passkeys[0]?.id ?? 0;

describe('signing in with a passkey', () => {
  it('opens a session of its account without an address, and the list of sessions and the audit say so', async () => {
    const { id, email, authenticator } = await withPasskey();
    const client = visitor();
    expect(await signIn(client, authenticator)).toMatchObject({ id, email, companyName: 'Example' });
    const sessions = await client.call('ownSessions', {});
    expect(sessions.find(({ isCurrent }) => isCurrent)?.way).toBe('passkey');
    const rows = await console.store.db.select().from(auditRows).where(eq(auditRows.userId, id));
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['addPasskey', 'passkeySignIn']));
  });

  it('a bad signature of a known passkey is a try on the record of its person’s company', async () => {
    const { id, authenticator } = await withPasskey();
    await expect(signIn(visitor(), authenticator, { origin: 'https://console.example.net' })).rejects.toThrow(
      wrong,
    );
    const rows = await console.store.db
      .select()
      .from(auditRows)
      .where(and(eq(auditRows.userId, id), eq(auditRows.action, 'passkeySignIn')));
    expect(rows).toMatchObject([{ companyId, status: 401, isTry: true }]);
  });

  it('a challenge is answered once, by the browser that asked, within its minutes', async () => {
    const { authenticator } = await withPasskey();
    const client = visitor();
    const options = await client.call('passkeySignInOptions', {});
    const body = authenticator.signIn(options);
    await client.call('passkeySignIn', { body });
    await expect(client.call('passkeySignIn', { body })).rejects.toThrow(wrong);

    const stolen = authenticator.signIn(await client.call('passkeySignInOptions', {}));
    const other = visitor();
    await other.call('passkeySignInOptions', {});
    await expect(other.call('passkeySignIn', { body: stolen })).rejects.toThrow(wrong);
    await expect(visitor().call('passkeySignIn', { body: stolen })).rejects.toThrow(wrong);

    const late = authenticator.signIn(await client.call('passkeySignInOptions', {}));
    time += challengeMinutes * minute;
    await expect(client.call('passkeySignIn', { body: late })).rejects.toThrow(wrong);
  });

  it('of two answers to one challenge at once one is taken', async () => {
    const { authenticator } = await withPasskey();
    const client = visitor();
    const options = await client.call('passkeySignInOptions', {});
    const bodies = [authenticator.signIn(options), authenticator.signIn(options)];
    const answers = await Promise.allSettled(bodies.map((body) => client.call('passkeySignIn', { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('answers alike for what another console signed, another account’s handle, a copied key and no PIN', async () => {
    const one = await withPasskey();
    const other = await withPasskey();
    await signIn(visitor(), one.authenticator);
    const lies: readonly Lies[] = [
      { origin: 'https://console.example.net' },
      { origin: 'http://console.example.org' },
      { rpId: 'example.org' },
      { userHandle: other.authenticator.userHandle },
      { isVerified: false },
      { counter: one.authenticator.counter },
      { challenge: 'AAAA' },
    ];
    const refused = [];
    for (const lie of lies) {
      const client = visitor();
      const options = await client.call('passkeySignInOptions', {});
      const { status, json } = await client.send(
        'POST',
        '/api/auth/passkey',
        one.authenticator.signIn(options, lie),
      );
      refused.push([status, (json as { title: string }).title]);
    }
    const unknown = new Authenticator(url.origin);
    unknown.userHandle = one.authenticator.userHandle;
    await expect(signIn(visitor(), unknown)).rejects.toMatchObject({ status: 401, title: refused[0]?.[1] });
    expect(new Set(refused.map((row) => JSON.stringify(row))).size).toBe(1);
    expect(refused[0]).toEqual([401, expect.stringContaining(wrong)]);
    // None of it spoilt the passkey.
    one.authenticator.counter += 10;
    await signIn(visitor(), one.authenticator);
  });

  it('brakes guessing from one network, and a correct one goes in again later', async () => {
    const { authenticator } = await withPasskey();
    const stranger = new Authenticator(url.origin);
    stranger.userHandle = authenticator.userHandle;
    let status = 401;
    for (let tries = 0; tries < 70 && status === 401; tries += 1) {
      const client = visitor();
      const options = await client.call('passkeySignInOptions', {});
      ({ status } = await client.send('POST', '/api/auth/passkey', stranger.signIn(options)));
    }
    expect(status).toBe(429);
    time += 60 * minute;
    await signIn(visitor(), authenticator);
  });

  it('opens nothing of a company that suspended its person', async () => {
    const { id, authenticator } = await withPasskey();
    await console.store.db.update(memberships).set({ state: 'suspended' }).where(eq(memberships.userId, id));
    expect(await signIn(visitor(), authenticator)).toMatchObject({ companyId: 0 });
  });
});

describe('the own passkeys', () => {
  it('are listed, renamed and removed by their person alone', async () => {
    const own = await withPasskey();
    const stranger = await somebody();
    const id = await idOf(own);
    const params = { passkeyId: id };
    for (const change of [
      () => stranger.client.call('renamePasskey', { params, body: { name: 'Mine' } }),
      () => stranger.client.call('removePasskey', { params }),
    ])
      await expect(change()).rejects.toMatchObject({ status: 404 });
    await own.client.call('renamePasskey', { params, body: { name: 'Work laptop' } });
    expect((await own.client.call('passkeys', {})).passkeys).toMatchObject([
      { id, name: 'Work laptop', host: 'console.example.org' },
    ]);

    const elsewhere = visitor();
    await signIn(elsewhere, own.authenticator);
    await own.client.call('removePasskey', { params });
    expect((await own.client.call('passkeys', {})).passkeys).toEqual([]);
    // The session that it opened elsewhere is over, and it opens none any more.
    expect(await elsewhere.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    await expect(signIn(visitor(), own.authenticator)).rejects.toThrow(wrong);
    // Without a mail server the person reads of both in the console.
    expect((await own.client.call('notifications', {})).notifications).toMatchObject([
      { title: expect.stringMatching(/^A passkey of your account was removed: Work laptop \(from .+\)$/) },
      { title: expect.stringMatching(/^A passkey was added to your account: Laptop \(from .+\)$/) },
    ]);
  });

  it('are registered and removed only soon after their person showed who they are', async () => {
    const { client, ...person } = await somebody();
    time += proofMinutes * minute;
    await expect(client.call('passkeyOptions', {})).rejects.toMatchObject({
      status: 403,
      code: 'identity-not-confirmed',
      proof: 'password',
    });
    await expect(client.call('confirmPassword', { body: { password: 'wrong' } })).rejects.toThrow(
      'The password is wrong.',
    );
    await client.call('confirmPassword', { body: { password: testPassword } });
    await register(client, new Authenticator(url.origin));
    time += proofMinutes * minute;
    const params = { passkeyId: await idOf({ client }) };
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    // Going on in another organisation shows nothing.
    await console.store.db
      .insert(memberships)
      .values({ userId: person.id, companyId: await console.company(), orgRole: 2 });
    const { companies } = await client.call('ownCompanies', {});
    const next = companies.find(({ isCurrent }) => !isCurrent)?.companyId ?? 0;
    await client.call('switchCompany', { body: { companyId: next } });
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    // Nor does founding one.
    await console.store.db.update(users).set({ mayFoundCompany: true }).where(eq(users.id, person.id));
    await client.call('createCompany', { body: { name: 'Founded' } });
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
  });

  it('one is bound to the session, origin and host that asked, and to one account', async () => {
    const { client, id } = await somebody();
    const authenticator = new Authenticator(url.origin);
    for (const lies of [
      { origin: 'https://console.example.net' },
      { rpId: 'example.net' },
      { isVerified: false },
      { challenge: 'AAAA' },
    ])
      await expect(register(client, authenticator, 'Key', lies)).rejects.toMatchObject({ status: 409 });
    const another = at(await console.session(id, companyId));
    const options = await client.call('passkeyOptions', {});
    const body = { name: 'Key', credential: authenticator.register(options) };
    await expect(another.call('addPasskey', { body })).rejects.toMatchObject({ status: 409 });
    await client.call('addPasskey', { body });
    const thief = await somebody();
    await expect(register(thief.client, authenticator)).rejects.toThrow('already registered');
  });

  it('the last one stays where nothing else signs its person in', async () => {
    const own = await withPasskey();
    await console.store.db.update(users).set({ passwordHash: null }).where(eq(users.id, own.id));
    await expect(
      own.client.call('removePasskey', { params: { passkeyId: await idOf(own) } }),
    ).rejects.toThrow('your last way to sign in');
  });

  it('an Owner removes those of somebody who never belonged elsewhere, the operator those of anybody', async () => {
    const owner = await somebody({ isOwner: true });
    const own = await withPasskey();
    const params = { userId: own.id };
    const stranger = await somebody({ companyId: await console.company(), isOwner: true });
    await expect(stranger.client.call('removeMemberPasskeys', { params })).rejects.toMatchObject({
      status: 404,
    });
    expect(await owner.client.call('removeMemberPasskeys', { params })).toEqual({ removed: 1 });
    await expect(
      owner.client.call('removeMemberPasskeys', { params: { userId: owner.id } }),
    ).rejects.toMatchObject({ status: 409 });
    expect(await own.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    await expect(signIn(visitor(), own.authenticator)).rejects.toThrow(wrong);

    const shared = await withPasskey();
    await console.store.db
      .insert(memberships)
      .values({ userId: shared.id, companyId: await console.company(), orgRole: 2, state: 'left' });
    await expect(
      owner.client.call('removeMemberPasskeys', { params: { userId: shared.id } }),
    ).rejects.toMatchObject({ status: 409 });
    const { config } = readConfig({
      DATABASE_URL: console.services.config.databaseUrl ?? '',
      WHEELHOUSE_SECRET_KEY: `k1:${randomBytes(32).toString('base64')}`,
    });
    if (config === null) throw new Error('The settings of the test are wrong.');
    const said: string[] = [];
    const remove = async (email: string) =>
      await removePasskeysCommand({ config, say: (sentence) => void said.push(sentence) }, email);
    await remove(` ${shared.email.toUpperCase()}`);
    // The session that the passkey opened ends, and it opens no other.
    expect(await shared.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    await expect(signIn(visitor(), shared.authenticator)).rejects.toThrow(wrong);
    await remove(shared.email);
    expect(said).toEqual([
      expect.stringMatching(/^Removed 1 passkey of /),
      `${shared.email} has no passkey.`,
    ]);
    await expect(remove('nobody@example.org')).rejects.toMatchObject({ status: 404 });
    expect(
      await console.store.db.select().from(auditRows).where(eq(auditRows.action, 'removePasskeys')),
    ).toMatchObject([
      { actor: 'operator', status: 200 },
      { actor: 'operator', status: 200 },
    ]);
  });

  it('no key of theirs is in a list or the log', async () => {
    const own = await withPasskey();
    const [row] = await console.store.db.select().from(passkeys).where(eq(passkeys.userId, own.id));
    const shown = JSON.stringify([await own.client.call('passkeys', {}), console.log]);
    expect(shown).not.toContain(row?.credentialId);
    expect(shown).not.toContain(row?.userHandle);
  });
});

describe('the rule that Owners sign in with a passkey', () => {
  const ruled = async () => {
    const company = await console.company('Ruled');
    const first = await withPasskey({ companyId: company, isOwner: true });
    const second = await somebody({ companyId: company, isOwner: true });
    const member = await somebody({ companyId: company });
    await first.client.call('setPasskeyRule', { body: { isOn: true } });
    return { company, first, second, member };
  };

  it('is set only by an Owner whom a passkey let in, and says who has none', async () => {
    const company = await console.company();
    const owner = await somebody({ companyId: company, isOwner: true });
    const body = { isOn: true };
    await expect(owner.client.call('setPasskeyRule', { body })).rejects.toMatchObject({ status: 409 });
    const other = await somebody({ companyId: company, isOwner: true });
    await register(owner.client, new Authenticator(url.origin));
    const [{ name } = { name: '' }] = await console.store.db
      .select()
      .from(users)
      .where(eq(users.id, other.id));
    expect(await owner.client.call('setPasskeyRule', { body })).toEqual({
      isOn: true,
      ownersWithout: [name],
      cameByPasskey: true,
    });
  });

  it('ends the other sessions of Owners, and leads those without a passkey to register one', async () => {
    const { second, member, company } = await ruled();
    expect(await second.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
    expect(await member.client.call('currentUser', {})).toMatchObject({ companyId: company });

    const client = visitor();
    const body = { email: second.email, password: testPassword };
    expect(await client.call('signIn', { body })).toMatchObject({
      companyId: 0,
      passkeyCompany: { name: 'Ruled', hasPasskey: false },
    });
    const entered = await register(client, new Authenticator(url.origin));
    expect(entered).toMatchObject({ companyId: company, companyName: 'Ruled' });
    expect(await client.call('company', {})).toMatchObject({ name: 'Ruled' });
  });

  it('the password of who has a passkey opens nothing of it, and brings no other passkey', async () => {
    const { first } = await ruled();
    const client = visitor();
    const body = { email: first.email, password: testPassword };
    expect(await client.call('signIn', { body })).toMatchObject({
      companyId: 0,
      passkeyCompany: { name: 'Ruled', hasPasskey: true },
    });
    expect(await client.call('passkeys', {})).toMatchObject({ requiredBy: 'Ruled' });
    const params = { passkeyId: await idOf({ client }) };
    await expect(client.call('passkeyOptions', {})).rejects.toMatchObject({ status: 403, proof: 'passkey' });
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    await expect(first.client.call('removePasskey', { params })).rejects.toThrow('your last one');
    expect(await signIn(client, first.authenticator)).toMatchObject({ companyName: 'Ruled' });
  });

  it('holds from the moment in which somebody becomes an Owner', async () => {
    const { first, member } = await ruled();
    await first.client.call('changeMember', { params: { userId: member.id }, body: { orgRole: 1 } });
    expect(await member.client.call('isAuthenticated', {})).toEqual({ isAuthenticated: false });
  });

  it('holds for API tokens as for the session in which they were made', async () => {
    const { first, second, member, company } = await ruled();
    const tokenOf = async (client: TestClient) => {
      const body = { name: 'script', scopes: ['pods.view' as const] };
      return at(new BearerClient(console.url, (await client.call('createToken', { body })).secret));
    };
    const statusOf = async (script: TestClient) =>
      (await script.send('GET', '/api/ClusterManagement/clusters')).status;
    const be = async (orgRole: 1 | 2) =>
      await first.client.call('changeMember', { params: { userId: member.id }, body: { orgRole } });
    const byMember = await tokenOf(member.client);
    expect(await statusOf(byMember)).toBe(200);
    await be(1);
    expect(await statusOf(byMember)).toBe(401);
    // For good: nobody expects a script to come back to life with its person's former role.
    await be(2);
    expect(await statusOf(byMember)).toBe(401);

    await first.client.call('setPasskeyRule', { body: { isOn: false } });
    const byOwner = await tokenOf(at(await console.session(second.id, company)));
    expect(await statusOf(byOwner)).toBe(200);
    await first.client.call('setPasskeyRule', { body: { isOn: true } });
    expect(await statusOf(byOwner)).toBe(401);

    const params = { passkeyId: await idOf(first) };
    const byPasskey = await tokenOf(first.client);
    await register(first.client, new Authenticator(url.origin), 'Second');
    expect(await statusOf(byPasskey)).toBe(200);
    await first.client.call('removePasskey', { params });
    expect(await statusOf(byPasskey)).toBe(401);
  });

  it('an Owner whose passkeys were removed registers another at the next sign-in', async () => {
    const { first, company } = await ruled();
    const list = new PasskeyList(console.store);
    await console.store.db.transaction((tx) => list.removeAll(tx, first.id));
    const client = visitor();
    await client.call('signIn', { body: { email: first.email, password: testPassword } });
    expect(await register(client, new Authenticator(url.origin))).toMatchObject({ companyId: company });
  });
});
