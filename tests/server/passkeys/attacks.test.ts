import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { challengeMinutes, proofMinutes } from '../../../src/contract/passkeys.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { passkeys } from '../../../src/server/store/schema/passkeys.ts';
import { testPassword } from '../harness.ts';
import { Authenticator, type Lies } from './authenticator.ts';
import { PasskeyConsole, register, signIn, wrongPasskey } from './steps.ts';

const minute = 60_000;
const lab = new PasskeyConsole();
const { url } = lab;
const visitor = () => lab.visitor();
const somebody = (password?: string) => lab.somebody(password === undefined ? {} : { password });
const withPasskey = () => lab.withPasskey();
const ofAccount = async (userId: number) =>
  await lab.console.store.db.select().from(passkeys).where(eq(passkeys.userId, userId));

describe('signing in', () => {
  it.each<[string, Lies]>([
    ['on a port of the host', { origin: 'https://console.example.org:8443' }],
    ['over plain http', { origin: 'http://console.example.org' }],
    ['on a host below', { origin: 'https://evil.console.example.org' }],
    ['on a host beside', { origin: 'https://evil.example.org' }],
    ['on a host that begins alike', { origin: 'https://console.example.org.evil.example' }],
    ['with a slash behind the origin', { origin: 'https://console.example.org/' }],
    ['in capitals', { origin: 'https://CONSOLE.example.org' }],
    ['at no origin', { origin: 'null' }],
    ['for the domain above', { rpId: 'example.org' }],
    ['for a host below', { rpId: 'evil.console.example.org' }],
    ['for the origin in place of the host', { rpId: url.origin }],
    ['in a frame of another site', { isFramed: true }],
    ['as if it were registered', { type: 'webauthn.create' }],
    ['without a touch', { isPresent: false }],
    ['without PIN or finger', { isVerified: false }],
    ['as an account that nobody has', { userHandle: 'AAAA' }],
  ])('by what was signed %s is refused, and the passkey goes on', async (_what, lies) => {
    const { authenticator, email } = await withPasskey();
    await expect(signIn(visitor(), authenticator, lies)).rejects.toThrow(wrongPasskey);
    expect(await signIn(visitor(), authenticator)).toMatchObject({ email });
  });

  it('by one’s own key under the id of somebody else’s passkey is refused', async () => {
    const victim = await withPasskey();
    const thief = await withPasskey();
    const { id, userHandle } = victim.authenticator;
    for (const lies of [{ id }, { id, userHandle }, { userHandle }])
      await expect(signIn(visitor(), thief.authenticator, lies)).rejects.toThrow(wrongPasskey);
    expect(await signIn(visitor(), victim.authenticator)).toMatchObject({ email: victim.email });
  });

  it('by a copied key is refused once the other one has gone on, whatever it counts', async () => {
    const { authenticator, email } = await withPasskey();
    await signIn(visitor(), authenticator);
    const copied = authenticator.counter;
    authenticator.counter += 4;
    await signIn(visitor(), authenticator);
    for (const counter of [copied, copied + 1, authenticator.counter, 0])
      await expect(signIn(visitor(), authenticator, { counter })).rejects.toThrow(wrongPasskey);
    expect(await signIn(visitor(), authenticator)).toMatchObject({ email });
  });

  it('of a key and its copy that sign at once with the same count, one is let in', async () => {
    const { authenticator } = await withPasskey();
    await signIn(visitor(), authenticator);
    const counter = authenticator.counter + 1;
    const tries = await Promise.allSettled(
      [visitor(), visitor()].map((client) => signIn(client, authenticator, { counter })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('by the challenge of a registration is refused, and so is registering by that of a sign-in', async () => {
    const { client, authenticator, id } = await withPasskey();
    const { challenge, rp } = await client.call('passkeyOptions', {});
    const body = authenticator.signIn({ challenge, rpId: rp.id });
    await expect(client.call('passkeySignIn', { body })).rejects.toThrow(wrongPasskey);

    const asked = await client.call('passkeySignInOptions', {});
    const other = new Authenticator(url.origin);
    const user = { id: authenticator.userHandle };
    const credential = other.register({ challenge: asked.challenge, rp: { id: asked.rpId }, user });
    await expect(client.call('addPasskey', { body: { name: 'Key', credential } })).rejects.toMatchObject({
      status: 409,
    });
    expect(await ofAccount(id)).toHaveLength(1);
  });

  it('is refused where a single bit of what was signed is another', async () => {
    const { authenticator } = await withPasskey();
    for (const part of ['authenticatorData', 'signature', 'clientDataJSON'] as const) {
      const client = visitor();
      const body = authenticator.signIn(await client.call('passkeySignInOptions', {}));
      const bytes = Buffer.from(body.response[part], 'base64url');
      bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
      const response = { ...body.response, [part]: bytes.toString('base64url') };
      await expect(client.call('passkeySignIn', { body: { ...body, response } })).rejects.toThrow();
    }
  });
});

describe('a session that was copied', () => {
  it('is not confirmed by a passkey of whoever copied it', async () => {
    const victim = await withPasskey();
    const thief = await withPasskey();
    lab.wait(proofMinutes * minute);
    const copied = visitor();
    for (const [name, value] of victim.client.cookies) copied.cookies.set(name, value);
    const lies = { userHandle: victim.authenticator.userHandle };
    await expect(signIn(copied, thief.authenticator, lies)).rejects.toThrow(wrongPasskey);
    await expect(copied.call('passkeyOptions', {})).rejects.toMatchObject({
      status: 403,
      code: 'identity-not-confirmed',
    });
    // The thief is in a session of their own then, and the one that was copied is over.
    expect(await signIn(copied, thief.authenticator)).toMatchObject({ id: thief.id });
    await expect(victim.client.call('passkeyOptions', {})).rejects.toMatchObject({ status: 401 });
    expect(await ofAccount(victim.id)).toHaveLength(1);
  });

  it('registers nothing by a challenge that was asked for while the identity was confirmed', async () => {
    const { client, id } = await somebody();
    lab.wait((proofMinutes - 1) * minute);
    const credential = new Authenticator(url.origin).register(await client.call('passkeyOptions', {}));
    lab.wait(2 * minute);
    expect(2).toBeLessThan(challengeMinutes);
    await expect(client.call('addPasskey', { body: { name: 'Key', credential } })).rejects.toMatchObject({
      status: 403,
      code: 'identity-not-confirmed',
    });
    expect(await ofAccount(id)).toEqual([]);
  });

  it('registers nothing once it ended, nor from the session that comes after it', async () => {
    const { client, id, email } = await somebody(testPassword);
    const credential = new Authenticator(url.origin).register(await client.call('passkeyOptions', {}));
    const body = { name: 'Key', credential };
    const copied = visitor();
    for (const [name, value] of client.cookies) copied.cookies.set(name, value);
    await client.call('logout', {});
    await expect(copied.call('addPasskey', { body })).rejects.toMatchObject({ status: 401 });
    const next = visitor();
    await next.call('signIn', { body: { email, password: testPassword } });
    await expect(next.call('addPasskey', { body })).rejects.toMatchObject({ status: 409 });
    expect(await ofAccount(id)).toEqual([]);
  });

  it('registers nothing in another organisation by a challenge of the first', async () => {
    const { client, id } = await somebody();
    const other = await lab.console.company('Other');
    await lab.console.store.db.insert(memberships).values({ userId: id, companyId: other, orgRole: 2 });
    const credential = new Authenticator(url.origin).register(await client.call('passkeyOptions', {}));
    await client.call('switchCompany', { body: { companyId: other } });
    await expect(client.call('addPasskey', { body: { name: 'Key', credential } })).rejects.toMatchObject({
      status: 409,
    });
    expect(await ofAccount(id)).toEqual([]);
  });
});

describe('registering', () => {
  it.each<[string, Lies]>([
    ['on a port of the host', { origin: 'https://console.example.org:8443' }],
    ['over plain http', { origin: 'http://console.example.org' }],
    ['on a host below', { origin: 'https://evil.console.example.org' }],
    ['for the domain above', { rpId: 'example.org' }],
    ['in a frame of another site', { isFramed: true }],
    ['as if it signed in', { type: 'webauthn.get' }],
    ['without a touch', { isPresent: false }],
    ['without PIN or finger', { isVerified: false }],
  ])('what was made %s is refused', async (_what, lies) => {
    const { client, id } = await somebody();
    await expect(register(client, new Authenticator(url.origin), 'Key', lies)).rejects.toMatchObject({
      status: 409,
    });
    expect(await ofAccount(id)).toEqual([]);
  });

  it('the same answer twice is refused, and so is a passkey of somebody else, which goes on', async () => {
    const { client, id } = await somebody();
    const authenticator = new Authenticator(url.origin);
    const credential = authenticator.register(await client.call('passkeyOptions', {}));
    await client.call('addPasskey', { body: { name: 'Key', credential } });
    await expect(client.call('addPasskey', { body: { name: 'Key', credential } })).rejects.toMatchObject({
      status: 409,
    });
    const { userHandle } = authenticator;
    const thief = await somebody();
    await expect(register(thief.client, authenticator)).rejects.toMatchObject({ status: 409 });
    authenticator.userHandle = userHandle;
    expect(await signIn(visitor(), authenticator)).toMatchObject({ id });
  });
});
