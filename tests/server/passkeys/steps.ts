import { afterAll, beforeAll } from 'vitest';
import { clockAt } from '../clock-at.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import type { TestClient } from '../http-client.ts';
import { Authenticator, type Lies } from './authenticator.ts';

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

/** Uses a passkey for one act in a session. */
export async function prove(client: TestClient, by: Authenticator): Promise<void> {
  await client.call('confirmAct', { body: by.signIn(await client.call('passkeySignInOptions', {})) });
}

/** The id of the oldest passkey of a session's person. */
export const idOf = async ({ client }: Pick<TestPerson, 'client'>): Promise<number> =>
  (await client.call('passkeys', {})).passkeys[0]?.id ?? 0;

/** Somebody with a passkey. */
export interface PasskeyPerson extends TestPerson {
  readonly authenticator: Authenticator;
}

/** A console at a public address, by a clock that tests move on, with one organisation. */
export class PasskeyConsole {
  readonly url = new URL('https://console.example.org');
  #time = Date.parse('2026-11-25T08:00:00Z');
  #console: TestConsole | undefined;
  #companyId = 0;

  /** Starts it before the tests of a file, and ends it after them. */
  constructor() {
    beforeAll(async () => {
      this.#console = await startConsole({ config: { url: this.url }, clock: clockAt(() => this.#time) });
      this.#companyId = await this.#console.company('Example');
    });
    afterAll(() => this.#console?.close());
  }

  get console(): TestConsole {
    if (this.#console === undefined) throw new Error('The console starts before the tests.');
    return this.#console;
  }

  get companyId(): number {
    return this.#companyId;
  }

  /** @param duration ms */
  wait(duration: number): void {
    this.#time += duration;
  }

  /** A browser that opened the console at its address, and is signed out. */
  visitor(): TestClient {
    return openedAt(this.url, this.console.visitor());
  }

  /** Somebody of the organisation, unless the input names another one. */
  async somebody(input: Partial<Parameters<TestConsole['person']>[0]> = {}): Promise<TestPerson> {
    const person = await this.console.person({ companyId: this.companyId, ...input });
    openedAt(this.url, person.client);
    return person;
  }

  /** As `somebody`, with a passkey that opened the session. */
  async withPasskey(input: Partial<Parameters<TestConsole['person']>[0]> = {}): Promise<PasskeyPerson> {
    const person = await this.somebody(input);
    const authenticator = new Authenticator(this.url.origin);
    await register(person.client, authenticator);
    return { ...person, authenticator };
  }
}
