import { randomBytes } from 'node:crypto';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chance, rounds } from '../../prove.ts';
import { type Issuer, issuerClient, startIssuer } from '../../issuer.ts';
import { TestClient } from '../http-client.ts';
import { freshDatabase } from '../postgres.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import { signInAt } from './sign-in-at.ts';

/** Where people open the console, whichever server the proxy in front of it chooses. */
const url = new URL('http://127.0.0.1:9');

let issuer: Issuer;
let database: Awaited<ReturnType<typeof freshDatabase>>;
const children: ChildProcess[] = [];
const addresses: string[] = [];

beforeAll(async () => {
  [issuer, database] = await Promise.all([startIssuer(), freshDatabase()]);
  issuer.open([`${url.origin}/api/auth/callback/corp`]);
  const store = await openStore({ databaseUrl: database.url, dataDir: '' });
  await store.db.insert(users).values({ name: 'Robin Example', email: 'robin@example.org' });
  await store.close();
  const key = `k1:${randomBytes(32).toString('base64')}`;
  for (let index = 0; index < 2; index += 1) {
    const child = fork(new URL('../console-child.ts', import.meta.url), {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATABASE_URL: database.url,
        WHEELHOUSE_SECRET_KEY: key,
        WHEELHOUSE_URL: url.origin,
        WHEELHOUSE_OIDC_CORP_ISSUER: issuer.url,
        WHEELHOUSE_OIDC_CORP_CLIENT_ID: issuerClient.clientId,
        WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: issuerClient.clientSecret,
      },
    });
    children.push(child);
    const [{ address }] = (await once(child, 'message')) as [{ address: string }];
    addresses.push(address);
  }
});
afterAll(async () => {
  for (const child of children) {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }
  await issuer.close();
  await database.drop();
});

it('Headlamp 5401: a sign-in that begins on one server ends on another, every time', async () => {
  const next = chance();
  const all = rounds(10, 100);
  let ended = 0;
  for (let round = 0; round < all; round += 1) {
    const [first = '', second = ''] = next() < 0.5 ? addresses : [...addresses].reverse();
    const subject = `person-${Math.floor(next() * 20)}`;
    issuer.people.set(subject, { email: `${subject}@example.org`, email_verified: true, name: subject });
    issuer.signsIn = subject;
    const began = new TestClient(first, url);
    const at = new TestClient(second, url);
    const place = `/clusters/${round}/pods`;
    const location = await signInAt(began, 'corp', { returnUrl: place, at, console: url.origin });
    const { json } = await at.send('GET', '/api/auth/user', undefined, { headers: { host: url.host } });
    if (location === place && (json as { email?: string }).email === `${subject}@example.org`) ended += 1;
  }
  expect(ended).toBe(all);
});
