import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** A mailed link that shows an address to be somebody's is good for this many hours. */
export const addressLinkHours = 24;

/** One that connects a login with another address is good for this many minutes, in the session that asked for it. */
export const sessionLinkMinutes = 10;
/** As many of those are mailed to an account within an hour at most. */
export const sessionLinkLimit = 5;

/** The address of the signed-in person. */
export const ownAddressSchema = z.object({
  email: z.string(),
  /** Whether a mailed link or an identity provider showed that it is theirs. */
  isProven: z.boolean(),
  /** Whether the console can mail a link to it. */
  isMailed: z.boolean(),
});

/** Showing that the address of the own account is one's own. */
export const ownAddressEndpoints = {
  ownAddress: endpoint({
    method: 'GET',
    path: '/api/profile/address',
    summary: 'The caller’s email address, and whether it is confirmed',
    access: 'session',
    response: ownAddressSchema,
  }),
  mailAddressLink: endpoint({
    method: 'POST',
    path: '/api/profile/address/link',
    summary: 'Mails a link to the caller’s address, to confirm it',
    audited: 'ask for a link to confirm their address',
    isRoutine: true,
    access: 'account',
    perMinute: 10,
    status: 204,
  }),
  /** The target of that link (`/settings?section=profile#address=TOKEN`). Only a session of the same account may use it. */
  proveAddress: endpoint({
    method: 'POST',
    path: '/api/profile/address/proof',
    summary: 'Confirms the caller’s address by the token of a mailed link',
    audited: 'confirm their address by a mailed link',
    access: 'account',
    perMinute: 30,
    body: z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(256)) }),
    response: ownAddressSchema,
  }),
} as const;
