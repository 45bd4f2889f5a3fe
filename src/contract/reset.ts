import * as z from 'zod/mini';
import { emailSchema, passwordSchema } from './account.ts';
import { endpoint } from './endpoint.ts';

/** A reset link is good for this many minutes. */
export const resetMinutes = 60;

/** What a reset leaves: passkeys, and connected providers. */
export interface OtherWays {
  readonly passkeys: number;
  readonly identities: number;
}

/** Says which ways of signing in a reset of the password has left, and what to do about them; undefined without any. */
export function otherWaysText({ passkeys, identities }: OtherWays): string | undefined {
  const ways = [
    ...(passkeys === 0 ? [] : [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`]),
    ...(identities === 0
      ? []
      : [identities === 1 ? '1 connected provider' : `${identities} connected providers`]),
  ];
  if (ways.length === 0) return undefined;
  const opens = passkeys + identities === 1 ? 'opens' : 'open';
  return `${ways.join(' and ')} ${opens} the account as before. Remove what is not yours under Settings, Sign-in and sessions.`;
}

/** Password reset by a link that is used once. */
export const resetEndpoints = {
  requestReset: endpoint({
    method: 'POST',
    path: '/api/auth/reset',
    summary:
      'Mails a reset link to an address if it is the confirmed address of an account; the answer is the same if it is not',
    access: 'public',
    reads: true,
    perMinute: 30,
    body: z.strictObject({ email: emailSchema }),
    status: 204,
  }),
  /** The target of a reset link (`/login#reset=TOKEN`). */
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset/password',
    summary: 'Sets a new password with a reset link, and ends every session and API token of the account',
    audited: 'set a new password[ for {email|userId}]',
    access: 'public',
    braked: true,
    entrance: true,
    perMinute: 30,
    body: z.strictObject({
      token: z.string().check(z.minLength(1), z.maxLength(256)),
      password: passwordSchema,
    }),
    /** The other ways by which the account is signed in to as before, for its person to look through. */
    response: z.object({ passkeys: z.int(), identities: z.int() }),
  }),
  memberResetLink: endpoint({
    method: 'POST',
    path: '/api/organization/members/:userId/reset-link',
    summary: 'A reset link to give to a person who has never belonged to another organisation',
    audited: 'make a reset link for {email|userId}',
    access: 'owner',
    proof: 'recent',
    perMinute: 10,
    params: z.object({ userId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)) }),
    response: z.object({ link: z.string(), expiresAt: z.string() }),
  }),
} as const;
