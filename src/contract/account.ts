import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { nameOfSchema } from './text.ts';

/** Minimum length of a password; the maximum is 256 characters. */
export const passwordMinimum = 12;
/** The rules of a password, as the page says them where one is chosen. */
export const passwordRules = `At least ${passwordMinimum} characters. A few unrelated words are fine; common passwords, your name, address or organisation, and keys in a row are not.`;
/** A password as somebody chooses it. */
export const passwordSchema = z
  .string()
  .check(
    z.minLength(passwordMinimum, `A password needs at least ${passwordMinimum} characters.`),
    z.maxLength(256, 'A password has at most 256 characters.'),
  );
/** Whether an address has characters that may look like those of another address: everything beyond ASCII. */
const hasForeignLetters = (text: unknown) => typeof text === 'string' && /\P{ASCII}/u.test(text);
/**
 * An email address, in lower case. Of ASCII alone: one that differs from the address of somebody else by a letter of another
 * script, its width or its dot is none. Domains of other scripts are written with `xn--`, as mail servers do.
 */
export const emailSchema = z.pipe(
  z
    .email({
      error: ({ input }) =>
        hasForeignLetters(input)
          ? 'Use only the letters a to z in an email address: letters of other scripts can look the same. Write a domain in another script in its xn-- form.'
          : 'That is not an email address.',
    })
    .check(z.maxLength(254)),
  z.transform((text) => text.toLowerCase()),
);
/** The name of a person. */
export const personNameSchema = nameOfSchema('Enter a name.');
/** The name of an organisation. */
export const companyNameSchema = nameOfSchema('Enter a name for the organisation.');

/** The signed-in person (specification section 3). Ids are 0 if not assigned yet. */
export const userSchema = z
  .object({
    id: z.int(),
    companyId: z.int(),
    companyName: z.string(),
    orgRole: z.union([z.literal(1), z.literal(2)]),
    name: z.string(),
    email: z.string(),
    isInviteNotFound: z.boolean(),
    isInvitePending: z.boolean(),
    isInviteRejected: z.boolean(),
    shouldSetupCompany: z.boolean(),
    /** The company that somebody without one belonged to, and why they do no more; only for them. */
    formerCompany: z.optional(
      z.object({ name: z.string(), reason: z.enum(['suspended', 'left', 'removed']) }),
    ),
    /** A company of somebody who is in none here, which opens by this provider of its own alone. */
    closedCompany: z.optional(
      z.object({ name: z.string(), provider: z.object({ key: z.string(), label: z.string() }) }),
    ),
    /** A company that asks somebody without one to sign in with a passkey; and whether they have one. */
    passkeyCompany: z.optional(z.object({ name: z.string(), hasPasskey: z.boolean() })),
  })
  .register(z.globalRegistry, { id: 'User' });
export type User = z.infer<typeof userSchema>;

/** Sign-in by password, sign-up of the first Owner, and the person's own account. */
export const accountEndpoints = {
  isAuthenticated: endpoint({
    method: 'GET',
    path: '/api/auth/is-authenticated',
    summary: 'Whether the caller is signed in, and as whom',
    access: 'public',
    /** Includes the person, so that an opening page needs no second call. */
    response: z.object({
      isAuthenticated: z.boolean(),
      user: z.optional(userSchema),
      /**
       * Key of 32 bytes (base64url) under which the page keeps the last known rows of lists: of the session and of what it
       * may view, so another one once either changed. Absent where the organisation has them kept nowhere.
       */
      keptRowsKey: z.optional(z.string()),
    }),
  }),
  currentUser: endpoint({
    method: 'GET',
    path: '/api/auth/user',
    summary: 'The signed-in person',
    access: 'session',
    response: userSchema,
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Signs in with email and password',
    audited: 'sign in[ by {provider}]',
    isRoutine: true,
    access: 'public',
    braked: true,
    entrance: true,
    // A whole office may share one address; failed attempts brake guessing.
    perMinute: 600,
    body: z.strictObject({
      email: emailSchema,
      password: z.string().check(z.minLength(1), z.maxLength(256)),
    }),
    response: userSchema,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/auth/logout',
    summary: 'Signs out (same-origin requests only)',
    access: 'public',
    changes: true,
    status: 204,
  }),
  /** The target of a set-up link (`/login#setup=TOKEN`). */
  setup: endpoint({
    method: 'POST',
    path: '/api/auth/setup',
    summary: 'Creates the Owner that a set-up link invites, and signs in',
    audited: 'become Owner by a set-up link',
    access: 'public',
    braked: true,
    entrance: true,
    perMinute: 30,
    body: z.strictObject({
      token: z.string().check(z.minLength(1), z.maxLength(256)),
      name: personNameSchema,
      email: emailSchema,
      password: passwordSchema,
    }),
    response: userSchema,
  }),
  createCompany: endpoint({
    method: 'POST',
    path: '/api/auth/company',
    summary: 'Creates the organisation of a person who has none; its creator is Owner',
    audited: 'found the organisation[ {name}]',
    access: 'account',
    moves: true,
    body: z.strictObject({ name: companyNameSchema }),
    response: userSchema,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/profile/password',
    summary: 'Changes the caller’s password and signs out every other session',
    audited: 'change their password',
    access: 'account',
    braked: true,
    perMinute: 10,
    body: z.strictObject({
      current: z.string().check(z.minLength(1), z.maxLength(256)),
      next: passwordSchema,
    }),
    status: 204,
  }),
} as const;
