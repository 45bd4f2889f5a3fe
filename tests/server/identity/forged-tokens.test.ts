import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../../../src/server/access/sessions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { pendingSignIns } from '../../../src/server/store/schema/identities.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { startConsole, type TestConsole } from '../harness.ts';
import { goToProvider, navigate } from './sign-in-at.ts';

/** The key pair that the provider of the test signs with. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const email = 'forged@example.org';

let issuer: Issuer;
let console: TestConsole;
beforeAll(async () => {
  issuer = await startIssuer();
  const corp = { ...issuerClient, key: 'corp', label: 'single sign-on', groupsClaim: null };
  console = await startConsole({ config: { providers: [{ ...corp, issuer: new URL(issuer.url) }] } });
  issuer.open([`${console.url}/api/auth/callback/corp`]);
  await console.person({ companyId: await console.company(), isOwner: true });
});
afterEach(() => {
  issuer.fault = undefined;
});
afterAll(async () => {
  await console.close();
  await issuer.close();
});

type Part = Readonly<Record<string, unknown>>;

/** A token as a provider gives it: what it differs in from an honest one, and by what it is signed. */
interface Forgery {
  readonly head?: Part;
  readonly body?: Part | ((now: number) => Part);
  readonly signature?: (text: string) => string;
}

const rs256 = (key: KeyObject) => (text: string) =>
  sign('sha256', Buffer.from(text), key).toString('base64url');
const hs256 = (secret: string) => (text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** Where the console sends a browser whose provider gives this token. */
async function landingOf({ head = {}, body = {}, signature = rs256(privateKey) }: Forgery) {
  issuer.signsIn = 'forged';
  const client = console.visitor();
  const path = await goToProvider(client, 'corp');
  const state = new URL(path, console.url).searchParams.get('state') ?? '';
  const [pending] = await console.store.db
    .select()
    .from(pendingSignIns)
    .where(eq(pendingSignIns.stateHash, hashToken(state)));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer.url,
    sub: 'forged',
    aud: issuerClient.clientId,
    iat: now,
    exp: now + 600,
    nonce: pending?.nonce,
    email,
    email_verified: true,
    ...(typeof body === 'function' ? body(now) : body),
  };
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: 'forged', ...head })}.${part(claims)}`;
  issuer.fault = (request, response) => {
    const answer =
      request.url === '/token'
        ? { access_token: 'a', token_type: 'Bearer', id_token: `${text}.${signature(text)}` }
        : request.url === '/jwks'
          ? { keys: [{ ...jwkOf(publicKey), use: 'sig', alg: 'RS256', kid: 'forged' }] }
          : undefined;
    if (answer === undefined) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    return true;
  };
  return (await navigate(client, path)).headers.location;
}

const accounts = () => console.store.db.select().from(users).where(eq(users.email, email));

it.each<[string, Forgery]>([
  ['signed by a key that is not the provider’s', { signature: rs256(foreign.privateKey) }],
  ['unsigned', { head: { alg: 'none' }, signature: () => '' }],
  ['unsigned, in capitals', { head: { alg: 'NONE' }, signature: () => '' }],
  ['without its signature', { signature: () => '' }],
  ['signed by the client’s secret', { head: { alg: 'HS256' }, signature: hs256(issuerClient.clientSecret) }],
  [
    'signed by the public key as a secret',
    {
      head: { alg: 'HS256' },
      signature: hs256(publicKey.export({ format: 'pem', type: 'spki' }).toString()),
    },
  ],
  [
    'that brings its key along',
    { head: { jwk: jwkOf(foreign.publicKey) }, signature: rs256(foreign.privateKey) },
  ],
  [
    'that says where its key is',
    { head: { jku: 'https://evil.example/jwks' }, signature: rs256(foreign.privateKey) },
  ],
  ['with a critical part that nobody knows', { head: { crit: ['b64'], b64: false } }],
  ['of another issuer', { body: { iss: 'https://evil.example' } }],
  ['of no issuer', { body: { iss: undefined } }],
  ['for another client', { body: { aud: 'another client' } }],
  ['for several clients, given to another', { body: { aud: [issuerClient.clientId, 'b'], azp: 'b' } }],
  ['of another sign-in', { body: { nonce: 'that of another sign-in' } }],
  ['of no sign-in', { body: { nonce: undefined } }],
  ['that has ended', { body: (now) => ({ iat: now - 7_200, exp: now - 3_600 }) }],
  ['without an end', { body: { exp: undefined } }],
  ['that begins later', { body: (now) => ({ nbf: now + 3_600 }) }],
  ['of nobody', { body: { sub: undefined } }],
])('an ID token %s opens nothing', async (_what, forgery) => {
  expect(await landingOf(forgery)).toMatch(/^\/login\?failure=unusable&provider=corp$/);
  expect(await accounts()).toEqual([]);
});

it('an honest token of the same provider opens an account', async () => {
  expect(await landingOf({})).toBe('/');
  expect(await accounts()).toHaveLength(1);
});
