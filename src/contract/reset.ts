import * as z from 'zod/mini';
import { emailSchema, passwordSchema } from './account.ts';
import { endpoint } from './endpoint.ts';

/** A reset link is good for this many minutes. */
export const resetMinutes = 60;

/** Password reset by a link that is used once. */
export const resetEndpoints = {
  requestReset: endpoint({
    method: 'POST',
    path: '/api/auth/reset',
    summary:
      'Mails a reset link to an address, if it is the proven one of an account; the answer never says whether',
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
    summary: 'Sets a new password by a reset link, and ends every session of the account',
    access: 'public',
    braked: true,
    entrance: true,
    perMinute: 30,
    body: z.strictObject({
      token: z.string().check(z.minLength(1), z.maxLength(256)),
      password: passwordSchema,
    }),
    status: 204,
  }),
  memberResetLink: endpoint({
    method: 'POST',
    path: '/api/organization/members/:userId/reset-link',
    summary: 'A reset link for somebody who has never belonged to another organisation, to be handed over',
    access: 'owner',
    perMinute: 10,
    params: z.object({ userId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)) }),
    response: z.object({ link: z.string(), expiresAt: z.string() }),
  }),
} as const;
