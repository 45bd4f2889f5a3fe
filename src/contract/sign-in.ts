import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Why a sign-in at a provider came to nothing; the page has a sentence for each. */
export const signInFailures = [
  /** The state is unknown, expired, used, or another browser's. */
  'expired',
  'unknown-provider',
  /** The provider does not answer, or not with what may be believed. */
  'unusable',
  /** Its ID token is dated in the future. */
  'ahead-of-time',
  /** Its claims contain what cannot be stored. */
  'not-storable',
  /** The person declined there. */
  'refused',
  /** It gives no verified address for somebody unknown. */
  'no-address',
  /** Another account has the address. */
  'taken',
  /** A company's provider knows somebody whom the company does not. */
  'not-member',
  /** A company invited the address that its provider verified, and an account here has it already. */
  'invited',
  'suspended',
  /** The company that invited has no seat left. */
  'no-seat',
  /** Who connects is connected to another account there, or that one to somebody else. */
  'connected-elsewhere',
  /** Who connects the provider of a company has connected another login there. */
  'connected-otherwise',
  /** The installation waits for its first Owner. */
  'needs-setup',
  /** The person signed in at the provider as somebody else, or was not asked to sign in again, so confirmed nothing. */
  'not-confirmed',
  /** The provider does not say when the person signed in there, which it says to be able to. */
  'undated',
  /** A company lets in by this provider alone, which verified another address than the account's; a link was mailed. */
  'other-address',
  /** The same, where the console mails nothing. */
  'other-address-unmailed',
  /** The rule of the company asks the person for a passkey, which its provider is none. */
  'passkey-needed',
  /** The identity was confirmed too long ago to connect a provider now. */
  'confirmed-earlier',
  /** The session that began to connect, to test or to confirm is over. */
  'signed-out',
  /** Something failed in the console. */
  'failed',
] as const;
export type SignInFailure = (typeof signInFailures)[number];

/** The search parameter of a page of this console that carries a failure back from a provider. */
export const failureParam = 'failure';
/** The search parameter that carries which provider it was. */
export const providerParam = 'provider';

/** Anything that is no text of a sensible length counts as absent: a provider sends it, no form of ours. */
const foreignText = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => (typeof value === 'string' && value.length <= 8192 ? value : undefined)),
  ),
);
const providerKeySchema = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, 'There is no such provider.'));
const returnUrlSchema = z.optional(z.string().check(z.maxLength(4096)));

/** A provider as a person may choose it. */
export const signInProviderSchema = z.object({
  key: z.string(),
  label: z.string(),
});
export type SignInProvider = z.infer<typeof signInProviderSchema>;

/** Starting and ending a sign-in, OpenID Connect's too, and the ways by which a person signs in to their own account. */
export const signInEndpoints = {
  signInPage: endpoint({
    method: 'GET',
    path: '/api/auth/login',
    summary:
      'Starts a sign-in, at the named provider or on the sign-in page, and returns to returnUrl (a path of this console). People who come from another site start on that page',
    access: 'public',
    navigation: true,
    // Each start at a provider stores a row for ten minutes; a whole office may share one address.
    perMinute: 600,
    query: z.object({
      returnUrl: returnUrlSchema,
      provider: foreignText,
      /** The address that the person chose before they go to the provider. */
      loginHint: foreignText,
    }),
  }),
  /** The sign-in methods of this installation. */
  signInOptions: endpoint({
    method: 'GET',
    path: '/api/auth/options',
    summary: 'The available ways to sign in, and whether the installation still needs its first Owner',
    access: 'public',
    /** A company's provider is listed for who names its key: nobody finds out which companies there are. */
    query: z.strictObject({ provider: z.optional(z.string().check(z.maxLength(64))) }),
    response: z.object({
      password: z.boolean(),
      needsSetup: z.boolean(),
      /** Whether a forgotten password is reset by mail. */
      mailsResets: z.boolean(),
      providers: z.array(signInProviderSchema),
    }),
  }),
  /** Where providers send the browser back to; each has an address of its own. */
  signInCallback: endpoint({
    method: 'GET',
    path: '/api/auth/callback/:provider',
    summary: 'Completes a sign-in at an identity provider and returns to where it started',
    audited: 'come back from the sign-in at a provider',
    isRoutine: true,
    access: 'public',
    navigation: true,
    perMinute: 600,
    params: z.object({ provider: z.string().check(z.maxLength(64)) }),
    query: z.object({
      code: foreignText,
      state: foreignText,
      iss: foreignText,
      error: foreignText,
      error_description: foreignText,
    }),
  }),
  identities: endpoint({
    method: 'GET',
    path: '/api/profile/identities',
    summary: 'The caller’s ways to sign in, and the providers that can be connected',
    access: 'account',
    response: z.object({
      hasPassword: z.boolean(),
      identities: z.array(
        z.object({
          id: z.int(),
          /** The provider's label; its issuer where it is not configured any more. */
          label: z.string(),
          /** The company whose provider it is; null for one of the installation. */
          company: z.nullable(z.string()),
          /** The verified address there. */
          email: z.nullable(z.string()),
          createdAt: z.string(),
          lastUsedAt: z.nullable(z.string()),
        }),
      ),
      connectable: z.array(signInProviderSchema),
    }),
  }),
  connectIdentity: endpoint({
    method: 'POST',
    path: '/api/profile/identities',
    summary:
      'Starts to connect a provider to the caller’s account; the browser continues at the returned url',
    audited: 'connect their account to a provider[, {provider}]',
    access: 'account',
    proof: 'recent',
    perMinute: 60,
    body: z.strictObject({ provider: providerKeySchema, returnUrl: returnUrlSchema }),
    response: z.object({ url: z.string() }),
  }),
  confirmAtProvider: endpoint({
    method: 'POST',
    path: '/api/profile/confirm/provider',
    summary:
      'Starts to confirm the caller’s identity at the provider that opened their session; a window of the browser continues at the returned url, and ends at /confirmed',
    audited: 'confirm their identity at a provider[, {provider}]',
    isRoutine: true,
    access: 'session',
    perMinute: 60,
    response: z.object({ url: z.string() }),
  }),
  disconnectIdentity: endpoint({
    method: 'DELETE',
    path: '/api/profile/identities/:identityId',
    summary: 'Disconnects a provider from the caller’s account, and ends the other sessions that it opened',
    audited: 'disconnect a provider from their account',
    access: 'account',
    proof: 'recent',
    params: z.object({ identityId: z.coerce.number().check(z.int(), z.positive()) }),
    status: 204,
  }),
} as const;
