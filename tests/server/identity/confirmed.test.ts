import { afterAll, beforeAll, expect, it } from 'vitest';
import { proofMinutes } from '../../../src/contract/passkeys.ts';
import { sessions } from '../../../src/server/store/schema/sessions.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { navigate, passProvider, signInAt } from './sign-in-at.ts';

let issuer: Issuer;
let console: TestConsole;
beforeAll(async () => {
  issuer = await startIssuer();
  const corp = { ...issuerClient, key: 'corp', label: 'single sign-on', groupsClaim: null };
  const providers = [{ ...corp, issuer: new URL(issuer.url) }];
  console = await startConsole({ config: { providers } });
  issuer.open([`${console.url}/api/auth/callback/corp`]);
  await console.person({ companyId: await console.company(), isOwner: true });
  for (const name of ['kim', 'lee'])
    issuer.people.set(name, { email: `${name}@example.org`, email_verified: true, name });
});
afterAll(async () => {
  await console.close();
  await issuer.close();
});

/** Makes what the sessions confirmed a thing of the past. */
async function passTime(): Promise<void> {
  const provedAt = new Date(Date.now() - proofMinutes * 60_000).toISOString();
  await console.store.db.update(sessions).set({ provedAt });
}

/** Somebody who signed in at the provider a while ago and has no password. */
async function signedIn(subject: string): Promise<TestClient> {
  const client = console.visitor();
  issuer.signsIn = subject;
  await signInAt(client, 'corp');
  await client.call('checkIdentity', {});
  await passTime();
  return client;
}

/** Confirms at the provider; gives where the browser ends. @param by whoever comes back from there */
async function confirm(client: TestClient, by: TestClient = client): Promise<string | undefined> {
  const { url } = await client.call('confirmAtProvider', {});
  const asked = new URL(url).searchParams;
  expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
  return (await navigate(by, await passProvider(url, console.url))).headers.location;
}

const refusal = {
  status: 403,
  title: 'You signed in a while ago. Sign in with single sign-on again first.',
  code: 'identity-not-confirmed',
  proof: 'sign-in',
  signInAt: { key: 'corp', label: 'single sign-on' },
};

it('somebody without a password confirms their identity at the provider that opened their session', async () => {
  const client = await signedIn('kim');
  await expect(client.call('checkIdentity', {})).rejects.toMatchObject(refusal);
  expect(await confirm(client)).toBe('/confirmed');
  await client.call('checkIdentity', {});
  // The session goes on: what the page has open hangs on it.
  expect(await client.call('ownSessions', {})).toHaveLength(1);
  await passTime();
  await expect(client.call('checkIdentity', {})).rejects.toMatchObject(refusal);
});

it('the login of somebody else confirms nothing', async () => {
  const [kim, lee] = [await signedIn('kim'), await signedIn('lee')];
  expect(await confirm(kim)).toBe('/confirmed?failure=not-confirmed');
  await expect(kim.call('checkIdentity', {})).rejects.toMatchObject(refusal);
  // Nor does what another session began.
  const { url } = await kim.call('confirmAtProvider', {});
  issuer.signsIn = 'kim';
  for (const [name, value] of kim.cookies) if (!lee.cookies.has(name)) lee.cookies.set(name, value);
  const back = await navigate(lee, await passProvider(url, console.url));
  expect(back.headers.location).toMatch(/failure=/);
  await expect(lee.call('checkIdentity', {})).rejects.toMatchObject(refusal);
});

it('an earlier sign-in at the provider confirms nothing, nor one without its time', async () => {
  const client = await signedIn('kim');
  issuer.signedInAt = Date.now() - 5 * 60_000;
  expect(await confirm(client)).toBe('/confirmed?failure=not-confirmed');
  await expect(client.call('checkIdentity', {})).rejects.toMatchObject(refusal);
  issuer.isDated = false;
  expect(await confirm(client)).toBe('/confirmed?failure=undated');
  await expect(client.call('checkIdentity', {})).rejects.toMatchObject(refusal);
  [issuer.signedInAt, issuer.isDated] = [undefined, true];
  expect(await confirm(client)).toBe('/confirmed');
});

it('a provider is connected only as long as the identity of its session is confirmed', async () => {
  const { client } = await console.person({ companyId: await console.company() });
  issuer.people.set('new', { email: 'new@example.org', email_verified: true });
  issuer.signsIn = 'new';
  const { url } = await client.call('connectIdentity', { body: { provider: 'corp' } });
  const back = await passProvider(url, console.url);
  await passTime();
  const { headers } = await navigate(client, back);
  expect(headers.location).toBe('/settings?failure=confirmed-earlier');
  expect((await client.call('identities', {})).identities).toEqual([]);
});

it('a session that a password opened is not confirmed at a provider', async () => {
  const { client } = await console.person({ companyId: await console.company() });
  await expect(client.call('confirmAtProvider', {})).rejects.toMatchObject({ status: 409 });
});
