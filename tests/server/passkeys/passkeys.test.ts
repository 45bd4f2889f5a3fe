import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { challengeMinutes, proofMinutes } from '../../../src/contract/passkeys.ts';
import { removePasskeysCommand } from '../../../src/server/boot/admin/remove-passkeys.ts';
import { readConfig } from '../../../src/server/kit/config.ts';
import { auditRows } from '../../../src/server/store/schema/audit.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { testPassword } from '../harness.ts';
import { Authenticator, type Lies } from './authenticator.ts';
import { idOf, openedAt, PasskeyConsole, register, signIn, wrongPasskey as wrong } from './steps.ts';

const minute = 60_000;
const lab = new PasskeyConsole();
const { url } = lab;
const visitor = () => lab.visitor();
const somebody: typeof lab.somebody = (input) => lab.somebody({ password: testPassword, ...input });
const withPasskey: typeof lab.withPasskey = (input) => lab.withPasskey({ password: testPassword, ...input });

describe('signing in with a passkey', () => {
  it('opens a session of its account without an address, and the list of sessions and the audit say so', async () => {
    const { id, email, authenticator } = await withPasskey();
    const client = visitor();
    expect(await signIn(client, authenticator)).toMatchObject({ id, email, companyName: 'Example' });
    const sessions = await client.call('ownSessions', {});
    expect(sessions.find(({ isCurrent }) => isCurrent)?.way).toBe('passkey');
    const rows = await lab.console.store.db.select().from(auditRows).where(eq(auditRows.userId, id));
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['addPasskey', 'passkeySignIn']));
  });

  it('a bad signature of a known passkey is a try on the record of its person’s company', async () => {
    const { id, authenticator } = await withPasskey();
    await expect(signIn(visitor(), authenticator, { origin: 'https://console.example.net' })).rejects.toThrow(
      wrong,
    );
    const rows = await lab.console.store.db
      .select()
      .from(auditRows)
      .where(and(eq(auditRows.userId, id), eq(auditRows.action, 'passkeySignIn')));
    expect(rows).toMatchObject([{ companyId: lab.companyId, status: 401, isTry: true }]);
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
    lab.wait(challengeMinutes * minute);
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
    lab.wait(60 * minute);
    await signIn(visitor(), authenticator);
  });

  it('opens nothing of a company that suspended its person', async () => {
    const { id, authenticator } = await withPasskey();
    await lab.console.store.db
      .update(memberships)
      .set({ state: 'suspended' })
      .where(eq(memberships.userId, id));
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
    lab.wait(proofMinutes * minute);
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
    lab.wait(proofMinutes * minute);
    const params = { passkeyId: await idOf({ client }) };
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    // Going on in another organisation shows nothing.
    await lab.console.store.db
      .insert(memberships)
      .values({ userId: person.id, companyId: await lab.console.company(), orgRole: 2 });
    const { companies } = await client.call('ownCompanies', {});
    const next = companies.find(({ isCurrent }) => !isCurrent)?.companyId ?? 0;
    await client.call('switchCompany', { body: { companyId: next } });
    await expect(client.call('removePasskey', { params })).rejects.toMatchObject({ status: 403 });
    // Nor does founding one.
    await lab.console.store.db.update(users).set({ mayFoundCompany: true }).where(eq(users.id, person.id));
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
    const another = openedAt(url, await lab.console.session(id, lab.companyId));
    const options = await client.call('passkeyOptions', {});
    const body = { name: 'Key', credential: authenticator.register(options) };
    await expect(another.call('addPasskey', { body })).rejects.toMatchObject({ status: 409 });
    await client.call('addPasskey', { body });
    const thief = await somebody();
    await expect(register(thief.client, authenticator)).rejects.toThrow('already registered');
  });

  it('the last one stays where nothing else signs its person in', async () => {
    const own = await withPasskey();
    await lab.console.store.db.update(users).set({ passwordHash: null }).where(eq(users.id, own.id));
    await expect(
      own.client.call('removePasskey', { params: { passkeyId: await idOf(own) } }),
    ).rejects.toThrow('your last way to sign in');
  });

  it('an Owner removes those of somebody who never belonged elsewhere, the operator those of anybody', async () => {
    const owner = await somebody({ isOwner: true });
    const own = await withPasskey();
    const params = { userId: own.id };
    const stranger = await somebody({ companyId: await lab.console.company(), isOwner: true });
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
    await lab.console.store.db
      .insert(memberships)
      .values({ userId: shared.id, companyId: await lab.console.company(), orgRole: 2, state: 'left' });
    await expect(
      owner.client.call('removeMemberPasskeys', { params: { userId: shared.id } }),
    ).rejects.toMatchObject({ status: 409 });
    const { config } = readConfig({
      DATABASE_URL: lab.console.services.config.databaseUrl ?? '',
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
      await lab.console.store.db.select().from(auditRows).where(eq(auditRows.action, 'removePasskeys')),
    ).toMatchObject([
      { actor: 'operator', status: 200 },
      { actor: 'operator', status: 200 },
    ]);
  });

  it('no key of theirs is in a list or the log', async () => {
    const own = await withPasskey();
    const [row] = await lab.console.store.db.select().from(passkeys).where(eq(passkeys.userId, own.id));
    const shown = JSON.stringify([await own.client.call('passkeys', {}), lab.console.log]);
    expect(shown).not.toContain(row?.credentialId);
    expect(shown).not.toContain(row?.userHandle);
  });
});
