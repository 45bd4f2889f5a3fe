import type { TestClient } from '../http-client.ts';
import type { Authenticator, Lies } from './authenticator.ts';

/** The wire answer of everything that does not sign in. */
export const wrongPasskey = 'This passkey belongs to no account here';

/** A browser that opened the console at its public address. */
export function openedAt(url: URL, client: TestClient): TestClient {
  const send = client.send.bind(client);
  client.send = (method, path, body, options) =>
    send(method, path, body, {
      ...options,
      headers: { host: url.host, origin: url.origin, ...options?.headers },
    });
  return client;
}

/** Registers a passkey in a session. */
export async function register(
  client: TestClient,
  authenticator: Authenticator,
  name = 'Laptop',
  lies: Lies = {},
) {
  const credential = authenticator.register(await client.call('passkeyOptions', {}), lies);
  return await client.call('addPasskey', { body: { name, credential } });
}

/** Signs in with a passkey. */
export async function signIn(client: TestClient, authenticator: Authenticator, lies: Lies = {}) {
  const options = await client.call('passkeySignInOptions', {});
  return await client.call('passkeySignIn', { body: authenticator.signIn(options, lies) });
}
