import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/server/boot/app.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { TestClient } from '../http-client.ts';
import { Authenticator } from './authenticator.ts';

const url = new URL('https://console.example.org');
const headers = { host: url.host, origin: url.origin };

let console: TestConsole;
let other: ReturnType<typeof createApp>;
let otherUrl: string;

beforeAll(async () => {
  console = await startConsole({ config: { url } });
  other = createApp(console.services, { overloadedAt: 0 });
  otherUrl = await other.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await other.close();
  await console.close();
});

it('a passkey that is registered and asked for on one server is verified by another, once', async () => {
  const companyId = await console.company();
  const { client, id } = await console.person({ companyId, password: testPassword });
  const second = new TestClient(otherUrl, url);
  for (const [name, value] of client.cookies) second.cookies.set(name, value);

  const authenticator = new Authenticator(url.origin);
  const asked = await client.send('POST', '/api/profile/passkeys/options', undefined, { headers });
  const credential = authenticator.register(asked.json as Parameters<Authenticator['register']>[0]);
  const body = { name: 'Laptop', credential };
  expect((await second.send('POST', '/api/profile/passkeys', body, { headers })).status).toBe(200);

  const first = new TestClient(console.url, url);
  const options = await first.send('POST', '/api/auth/passkey/options', undefined, { headers });
  const answer = authenticator.signIn(options.json as Parameters<Authenticator['signIn']>[0]);
  const ending = new TestClient(otherUrl, url);
  for (const [name, value] of first.cookies) ending.cookies.set(name, value);
  const entered = await ending.send('POST', '/api/auth/passkey', answer, { headers });
  expect([entered.status, (entered.json as { id?: number }).id]).toEqual([200, id]);
  expect((await first.send('POST', '/api/auth/passkey', answer, { headers })).status).toBe(401);
});
