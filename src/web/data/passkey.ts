import type { User } from '../../contract/account.ts';
import { Refusal } from '../../registry/commands/refusal.ts';
import type { ApiClient } from './client.ts';

const load = () => import('@simplewebauthn/browser');

/** Throws Refusal where this browser offers no passkeys at this address. */
async function loadForPasskeys(): Promise<Awaited<ReturnType<typeof load>>> {
  const library = await load();
  if (!library.browserSupportsWebAuthn())
    throw new Refusal(
      window.isSecureContext
        ? 'This browser does not support passkeys.'
        : 'Browsers offer passkeys over https only, and this console is opened over http.',
    );
  return library;
}

/** What a person did or a browser could not do, in a sentence; undefined for any other failure. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = error.cause instanceof Error ? error.cause.name : error.name;
  if (name === 'NotAllowedError' || name === 'AbortError')
    return new Refusal('No passkey was used: the request was cancelled, or it timed out.');
  if (name === 'InvalidStateError')
    return new Refusal('This device already has a passkey for your account. Use another device.');
  if (name === 'SecurityError')
    return new Refusal('Passkeys do not work at this address. Open the console at its own host name.');
  if (name === 'ConstraintError' || name === 'NotSupportedError')
    return new Refusal('This device cannot protect a passkey by PIN, fingerprint or face. Use another one.');
  return undefined;
}

/** An assertion by a passkey of the person. Throws Problem, and Refusal where they declined. */
async function signByPasskey(api: ApiClient) {
  const { startAuthentication } = await loadForPasskeys();
  const optionsJSON = await api.passkeySignInOptions({});
  return await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw refusalOf(error) ?? error;
  });
}

/** Signs in with a passkey that the browser asks for. Throws Problem, and Refusal where the person declined. */
export async function signInWithPasskey(api: ApiClient): Promise<User> {
  return await api.passkeySignIn({ body: await signByPasskey(api) });
}

/** Confirms one dangerous act by a passkey. Throws Problem, and Refusal where the person declined. */
export async function confirmActByPasskey(api: ApiClient): Promise<void> {
  await api.confirmAct({ body: await signByPasskey(api) });
}

/**
 * Registers a passkey that the browser makes, and goes on in a session that it opened. Throws Problem, and Refusal where
 * the person declined.
 * @param name as its person calls it
 */
export async function registerPasskey(api: ApiClient, name: string): Promise<User> {
  const { startRegistration } = await loadForPasskeys();
  const optionsJSON = await api.passkeyOptions({});
  const credential = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw refusalOf(error) ?? error;
  });
  return await api.addPasskey({ body: { name, credential } });
}
