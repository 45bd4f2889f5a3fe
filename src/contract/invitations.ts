import * as z from 'zod/mini';
import { emailSchema, passwordSchema, personNameSchema, userSchema } from './account.ts';
import { endpoint } from './endpoint.ts';
import { linkRefusal, messageLength } from './invited-message.ts';
import { teamRoles } from './permissions.ts';
import { freeTextSchema } from './text.ts';

/** Days that an invitation is good for. */
export const invitationDays = 7;
/** Invitations that a company makes within a day at most, and addresses of one call. */
export const invitationsPerDay = 200;

const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const inviteParams = z.object({ inviteId: id });
const inviteIdSchema = z.int().check(z.positive(), z.maximum(2_147_483_647));
const orgRoleSchema = z.union([z.literal(1), z.literal(2)], 'A role is 1 (Owner) or 2 (Member).');
const teamRoleSchema = z.union(
  [z.literal(teamRoles.SecretViewer), z.literal(teamRoles.TeamAdmin), z.literal(teamRoles.Viewer)],
  'A role is 3 (SecretViewer), 4 (TeamAdmin) or 6 (Viewer).',
);
/** The teams that an invitation offers. */
const offeredSchema = z
  .array(z.strictObject({ teamId: inviteIdSchema, role: teamRoleSchema }))
  .check(z.maxLength(100));
/** The Owner's own words in the mail of an invitation: plain text without links. */
const messageSchema = freeTextSchema(messageLength).check(
  // The search takes time by the square of the length.
  z.refine((text) => text.length > messageLength || linkRefusal(text) === undefined, {
    error: ({ input }) => linkRefusal(String(input)),
  }),
);
const tokenSchema = z.string().check(z.minLength(1), z.maxLength(256));

/** An invitation as its company's Owners see it. */
export const listedInvitationSchema = z
  .object({
    inviteId: z.int(),
    email: z.string(),
    orgRole: orgRoleSchema,
    teams: z.array(z.object({ id: z.int(), name: z.string(), role: teamRoleSchema })),
    /** Name of the Owner who sent it; null once their account is gone. */
    invitedBy: z.nullable(z.string()),
    createdAt: z.string(),
    expiresAt: z.string(),
    state: z.enum(['pending', 'expired', 'rejected']),
    /** The state of its mail; `off` where the console has no mail server. */
    mail: z.enum(['off', 'sending', 'sent', 'failed']),
    /** Why the mail failed, as a sentence; empty otherwise. */
    mailProblem: z.string(),
  })
  .register(z.globalRegistry, { id: 'ListedInvitation' });
export type ListedInvitation = z.infer<typeof listedInvitationSchema>;

/** An invitation with the link to pass on, which is in this answer alone. */
export const sentInvitationSchema = z.object({ invitation: listedInvitationSchema, link: z.string() });
export type SentInvitation = z.infer<typeof sentInvitationSchema>;

/** The states that the invitation of one of several addresses may end in, in the order in which they are listed. */
const inviteResults = [
  'invited',
  'member',
  'open',
  'bad-address',
  'repeated',
  'no-team',
  'no-seat',
  'day-over',
  'failed',
] as const;
export type InviteResult = (typeof inviteResults)[number];

/** The outcome for one of several addresses. */
export const inviteOutcomeSchema = z
  .object({
    /** As it was sent. */
    email: z.string(),
    result: z.enum(inviteResults),
    /** Why it was not invited, as a sentence; empty for one that was. */
    problem: z.string(),
    /** The invitation with its link, of one that was made. */
    sent: z.optional(sentInvitationSchema),
  })
  .register(z.globalRegistry, { id: 'InviteOutcome' });
export type InviteOutcome = z.infer<typeof inviteOutcomeSchema>;

/** Somebody without a company who asks for an invitation from an address of the company's domain. */
export const invitationRequestSchema = z.object({
  userId: z.int(),
  name: z.string(),
  email: z.string(),
  askedAt: z.string(),
});
export type InvitationRequest = z.infer<typeof invitationRequestSchema>;

/** What an Owner sees of the company's invitations. */
export const invitationListSchema = z.object({
  invitations: z.array(listedInvitationSchema),
  requests: z.array(invitationRequestSchema),
  /** Whether the console mails invitations. */
  isMailed: z.boolean(),
});
export type InvitationList = z.infer<typeof invitationListSchema>;

/** An invitation as the invited person sees it. */
export const pendingInvitationSchema = z
  .object({
    inviteId: z.int(),
    companyName: z.string(),
    /** Name of who sent it; null once their account is gone. */
    invitedBy: z.nullable(z.string()),
    orgRole: orgRoleSchema,
    teams: z.array(z.object({ name: z.string(), role: teamRoleSchema })),
    expiresAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'PendingInvitation' });
export type PendingInvitation = z.infer<typeof pendingInvitationSchema>;

/** The content of an invitation's link. */
export const invitationLinkSchema = z.extend(z.omit(pendingInvitationSchema, { inviteId: true }), {
  email: z.string(),
  /**
   * Whether the address has an account, for the bearer of the mailed link alone; `unknown` for a link that was passed on
   * by hand, whose bearer may be anybody. `open`: it has one, but nobody has shown yet that the address is theirs, and it
   * belongs nowhere; `unproven`: the same, and it belongs to an organisation.
   */
  account: z.enum(['unknown', 'none', 'exists', 'open', 'unproven']),
});
export type InvitationLink = z.infer<typeof invitationLinkSchema>;

/** Invitations: by Owners for addresses, by links for their bearers, and by id for people who are signed in. */
export const invitationEndpoints = {
  invitations: endpoint({
    method: 'GET',
    path: '/api/organization/invitations',
    summary: 'Open, expired and rejected invitations, and requests for one',
    access: 'owner',
    response: invitationListSchema,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/organization/invitations',
    summary:
      'Invites an address; returns the link, only this once, and mails it if the console has a mail server',
    audited: 'invite {email} as {orgRole}[ into {teams}]',
    access: 'owner',
    proof: 'recent',
    perMinute: 60,
    body: z.strictObject({
      email: emailSchema,
      orgRole: orgRoleSchema,
      teams: z._default(offeredSchema, []),
      message: z._default(messageSchema, ''),
    }),
    response: sentInvitationSchema,
  }),
  inviteMany: endpoint({
    method: 'POST',
    path: '/api/organization/invitations/batch',
    summary:
      'Invites several addresses, each judged by itself; returns the outcome of each, with the link of those that were invited',
    audited: 'invite {addresses} as {orgRole}[ into {teams}][; {invited} invited][; not invited: {refused}]',
    access: 'owner',
    proof: 'recent',
    perMinute: 20,
    bodyLimit: 256 * 1024,
    body: z.strictObject({
      invitations: z
        .array(
          z.strictObject({
            /** Any text: one that is no address is an outcome, not a failure of the others. */
            email: z.string().check(z.maxLength(320)),
            /** Teams of this address, beside those of all. */
            teams: z._default(offeredSchema, []),
          }),
        )
        .check(z.minLength(1, 'Enter an email address.'), z.maxLength(invitationsPerDay)),
      orgRole: orgRoleSchema,
      teams: z._default(offeredSchema, []),
      message: z._default(messageSchema, ''),
    }),
    response: z.array(inviteOutcomeSchema),
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/organization/invitations/:inviteId/resend',
    summary: 'Sends an invitation again with a new link and a new expiry; earlier links stop working',
    audited: 'send the invitation of {email|inviteId} again',
    access: 'owner',
    proof: 'recent',
    perMinute: 60,
    params: inviteParams,
    response: sentInvitationSchema,
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/api/organization/invitations/:inviteId',
    summary: 'Revokes an invitation; its links stop working at once',
    audited: 'revoke the invitation of {email|inviteId}',
    access: 'owner',
    params: inviteParams,
    status: 204,
  }),
  dismissInvitationRequest: endpoint({
    method: 'DELETE',
    path: '/api/organization/invitation-requests/:userId',
    summary: 'Dismisses a request for an invitation',
    audited: 'dismiss the request of {email|userId} for an invitation',
    access: 'owner',
    params: z.object({ userId: id }),
    status: 204,
  }),
  /** The token comes in a body: it stands behind `#` in the link, so that it reaches no log. */
  readInvitation: endpoint({
    method: 'POST',
    path: '/api/v1/invitations/link',
    summary: 'What an invitation link offers',
    access: 'public',
    reads: true,
    perMinute: 120,
    body: z.strictObject({ token: tokenSchema }),
    response: invitationLinkSchema,
  }),
  claimInvitation: endpoint({
    method: 'POST',
    path: '/api/v1/invitations/claim',
    summary:
      'Uses an invitation link in the session of its address, or to sign up or in; does not accept the invitation',
    audited: 'use the invitation link of {email|inviteId}',
    access: 'public',
    moves: true,
    braked: true,
    perMinute: 60,
    body: z.strictObject({
      token: tokenSchema,
      /** For somebody who is signed out: the name of the new account, and its password or that of the known one. */
      name: z.optional(personNameSchema),
      password: z.optional(passwordSchema),
      /** For the bearer of the mailed link: somebody else made the account that has the address, which loses it. */
      takesAddress: z.optional(z.boolean()),
    }),
    response: userSchema,
  }),
  pendingInvitations: endpoint({
    method: 'GET',
    path: '/api/v1/invitations/pending',
    summary: 'Pending invitations of the signed-in person',
    access: 'account',
    response: z.array(pendingInvitationSchema),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/v1/invitations/accept',
    summary: 'Accepts an invitation; a session without an organisation continues in the new one',
    audited: 'accept the invitation[ of {invitedBy}][ as {orgRole}][ into {teams}]',
    access: 'account',
    proof: 'recent',
    moves: true,
    body: z.strictObject({ inviteId: inviteIdSchema }),
    response: userSchema,
  }),
  rejectInvitation: endpoint({
    method: 'POST',
    path: '/api/team/invites/:inviteId/reject',
    summary: 'Rejects an invitation; the Owners of the organisation see that',
    audited: 'reject the invitation[ of {invitedBy}]',
    access: 'account',
    moves: true,
    params: inviteParams,
    response: userSchema,
  }),
  requestInvite: endpoint({
    method: 'GET',
    path: '/api/auth/request-invite',
    summary:
      'Asks the Owners of the organisation that has the domain of the caller’s address for an invitation',
    access: 'account',
    changes: true,
    perMinute: 10,
    status: 204,
  }),
} as const;
