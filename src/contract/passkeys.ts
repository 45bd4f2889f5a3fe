import * as z from 'zod/mini';
import { userSchema } from './account.ts';
import { endpoint } from './endpoint.ts';
import { nameOfSchema } from './text.ts';

/** A challenge that was not answered after this many minutes is forgotten. */
export const challengeMinutes = 5;
/** Number of minutes for which a confirmed identity counts for calls that ask for it: `proof` of an endpoint. */
export const proofMinutes = 10;
/** Number of seconds within which a dangerous act follows the passkey that was used for it. */
export const actSeconds = 60;
/** An account has at most this many passkeys. */
export const maxPasskeys = 20;

/** The name of a passkey. */
export const passkeyNameSchema = nameOfSchema('Enter a name for the passkey.');

/** Bytes in base64url, of which no honest authenticator sends more. */
const bytesSchema = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(16_384));
const credentialIdSchema = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(1_400));

/** What every answer of an authenticator has beside its response. */
const credentialShape = {
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'])),
  // Results of extensions: none of them is read.
  clientExtensionResults: z.pipe(
    z.optional(z.unknown()),
    z.transform(() => ({})),
  ),
};

/** What an authenticator signed, as `startAuthentication` gives it. */
const assertionSchema = z.strictObject({
  ...credentialShape,
  response: z.strictObject({
    clientDataJSON: bytesSchema,
    authenticatorData: bytesSchema,
    signature: bytesSchema,
    userHandle: z.optional(bytesSchema),
  }),
});
export type PasskeyAssertion = z.infer<typeof assertionSchema>;

/** A new credential, as `startRegistration` gives it. */
const attestationSchema = z.strictObject({
  ...credentialShape,
  response: z.strictObject({
    clientDataJSON: bytesSchema,
    attestationObject: bytesSchema,
    authenticatorData: z.optional(bytesSchema),
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
    publicKeyAlgorithm: z.optional(z.int()),
    publicKey: z.optional(bytesSchema),
  }),
});
export type PasskeyAttestation = z.infer<typeof attestationSchema>;

/** How a browser reaches an authenticator. */
export const transportSchema = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** What the browser is to ask an authenticator for, to register a passkey. */
export const registrationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(transportSchema) }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});

/** One of the own passkeys. */
const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** The host name at which it signs in. */
  host: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof passkeySchema>;

const passkeyId = z.object({
  passkeyId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
});
const memberId = z.object({
  userId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
});

/** The people of a company who need a passkey to open it, the weakest rule first. */
export const passkeyHolders = ['nobody', 'owners', 'everybody'] as const;
const passkeyHoldersSchema = z.enum(passkeyHolders);
export type PasskeyHolders = z.infer<typeof passkeyHoldersSchema>;

/** Whether a rule can be set: the people whom it would bind and who have no passkey for this address, and what else prevents it. */
const passkeyReadinessSchema = z.object({
  without: z.array(z.string()),
  /** The address, or a provider of the organisation, in a sentence. */
  unavailable: z.nullable(z.string()),
});

/** The rule of a company that people sign in with a passkey. */
const passkeyRuleSchema = z.object({
  requiredOf: passkeyHoldersSchema,
  readiness: z.object({ owners: passkeyReadinessSchema, everybody: passkeyReadinessSchema }),
  /** Whether a passkey opened the session that asks: only such a one sets the rule. */
  cameByPasskey: z.boolean(),
});
export type PasskeyRuleState = z.infer<typeof passkeyRuleSchema>;

/** Passkeys: signing in with one, the own ones, and what Owners may ask of one another. */
export const passkeyEndpoints = {
  passkeySignInOptions: endpoint({
    method: 'POST',
    path: '/api/auth/passkey/options',
    summary: 'A challenge for signing in with a passkey; it does not reveal who has one',
    access: 'public',
    reads: true,
    // Each stores a row for five minutes; a whole office may share one address.
    perMinute: 600,
    response: z.object({
      challenge: z.string(),
      rpId: z.string(),
      timeout: z.int(),
      userVerification: z.literal('required'),
    }),
  }),
  passkeySignIn: endpoint({
    method: 'POST',
    path: '/api/auth/passkey',
    summary: 'Signs in with a passkey, which answers a challenge once',
    audited: 'sign in with a passkey',
    isRoutine: true,
    access: 'public',
    braked: true,
    entrance: true,
    perMinute: 600,
    body: assertionSchema,
    response: userSchema,
  }),
  passkeys: endpoint({
    method: 'GET',
    path: '/api/profile/passkeys',
    summary: 'The caller’s passkeys',
    access: 'account',
    response: z.object({
      passkeys: z.array(passkeySchema),
      /** The company whose rule asks the person for a passkey. */
      requiredBy: z.nullable(z.string()),
    }),
  }),
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/profile/passkeys/options',
    summary: 'A challenge for registering a passkey',
    access: 'account',
    proof: 'recent',
    reads: true,
    perMinute: 60,
    response: registrationOptionsSchema,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/profile/passkeys',
    summary: 'Registers a passkey, and continues in a session opened by it',
    audited: 'add the passkey {name}',
    access: 'account',
    proof: 'recent',
    perMinute: 60,
    body: z.strictObject({ name: passkeyNameSchema, credential: attestationSchema }),
    response: userSchema,
  }),
  renamePasskey: endpoint({
    method: 'PUT',
    path: '/api/profile/passkeys/:passkeyId',
    summary: 'Renames one of the caller’s passkeys',
    audited: 'rename a passkey[ to {name}]',
    access: 'account',
    params: passkeyId,
    body: z.strictObject({ name: passkeyNameSchema }),
    status: 204,
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/profile/passkeys/:passkeyId',
    summary: 'Removes one of the caller’s passkeys, and ends the other sessions that it opened',
    audited: 'remove the passkey {name|passkeyId}',
    access: 'account',
    proof: 'recent',
    params: passkeyId,
    status: 204,
  }),
  checkIdentity: endpoint({
    method: 'GET',
    path: '/api/profile/confirm',
    summary: 'Succeeds if the caller has confirmed their identity recently, which exporting a file needs',
    access: 'session',
    proof: 'recent',
    perMinute: 60,
    status: 204,
  }),
  confirmPassword: endpoint({
    method: 'POST',
    path: '/api/profile/confirm',
    summary: 'Confirms the caller’s identity by password, for calls that need a recently confirmed identity',
    audited: 'confirm their identity by password',
    isRoutine: true,
    access: 'account',
    braked: true,
    perMinute: 10,
    body: z.strictObject({ password: z.string().check(z.minLength(1), z.maxLength(256)) }),
    status: 204,
  }),
  confirmAct: endpoint({
    method: 'POST',
    path: '/api/profile/confirm/passkey',
    summary: 'Confirms one dangerous action in this session with a passkey, for clusters that ask for one',
    audited: 'confirm a dangerous action with a passkey[ on {cluster}]',
    isRoutine: true,
    access: 'session',
    braked: true,
    perMinute: 60,
    body: assertionSchema,
    status: 204,
  }),
  removeMemberPasskeys: endpoint({
    method: 'DELETE',
    path: '/api/organization/members/:userId/passkeys',
    summary: 'Removes every passkey of a person who has never belonged to another organisation',
    audited: 'remove the passkeys of {email|userId}',
    access: 'owner',
    proof: 'recent',
    perMinute: 10,
    params: memberId,
    response: z.object({ removed: z.int() }),
  }),
  passkeyRule: endpoint({
    method: 'GET',
    path: '/api/organization/passkey-rule',
    summary: 'Which people of the organisation need a passkey to sign in, and who has none',
    access: 'owner',
    response: passkeyRuleSchema,
  }),
  setPasskeyRule: endpoint({
    method: 'PUT',
    path: '/api/organization/passkey-rule',
    summary: 'Requires passkeys of the Owners of the organisation, of everybody, or of nobody',
    audited: 'set who must use passkeys',
    access: 'owner',
    proof: 'recent',
    body: z.strictObject({ requiredOf: passkeyHoldersSchema }),
    response: passkeyRuleSchema,
  }),
} as const;
