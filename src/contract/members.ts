import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { teamRoles } from './permissions.ts';
import { reachedClusterSchema } from './roles.ts';

const memberParams = z.object({
  userId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
});
const orgRoleSchema = z.union([z.literal(1), z.literal(2)], 'A role is 1 (Owner) or 2 (Member).');
const teamRoleSchema = z.union([
  z.literal(teamRoles.SecretViewer),
  z.literal(teamRoles.TeamAdmin),
  z.literal(teamRoles.Viewer),
]);

/** A person of the company as its Owners see them. */
export const memberSchema = z
  .object({
    userId: z.int(),
    name: z.string(),
    email: z.string(),
    orgRole: orgRoleSchema,
    /** Suspended people keep their teams and reach nothing. */
    isSuspended: z.boolean(),
    teams: z.array(z.object({ id: z.int(), name: z.string(), role: teamRoleSchema })),
    /** When they joined, ISO. */
    joinedAt: z.string(),
    /** Last use of a session of this company, ISO, to the minute; null before the first. */
    lastSeenAt: z.nullable(z.string()),
    /** How they can sign in: by a password, a passkey, or a provider of the installation or of this company. */
    signInWays: z.array(z.enum(['password', 'passkey', 'provider'])),
  })
  .register(z.globalRegistry, { id: 'Member' });
export type Member = z.infer<typeof memberSchema>;

/** A person of the company with what they reach and by which teams. */
export const memberDetailSchema = z.extend(memberSchema, {
  /** How many sessions of this company they have open. */
  sessions: z.int(),
  clusters: z.array(reachedClusterSchema),
});
export type MemberDetail = z.infer<typeof memberDetailSchema>;

/** The people of a company, for its Owners. What is done to them touches their membership, never their account. */
export const memberEndpoints = {
  members: endpoint({
    method: 'GET',
    path: '/api/organization/members',
    summary: 'The people of the organisation, by name',
    access: 'owner',
    response: z.array(memberSchema),
  }),
  member: endpoint({
    method: 'GET',
    path: '/api/organization/members/:userId',
    summary: 'One person of the organisation, with the clusters that they can access',
    access: 'owner',
    params: memberParams,
    response: memberDetailSchema,
  }),
  changeMember: endpoint({
    method: 'PUT',
    path: '/api/organization/members/:userId',
    summary: 'Makes somebody an Owner or a Member, suspends them, or lets them in again',
    audited: 'change the membership of {email|userId}',
    access: 'owner',
    proof: 'recent',
    params: memberParams,
    body: z.strictObject({
      orgRole: z.optional(orgRoleSchema),
      isSuspended: z.optional(z.boolean()),
    }),
    response: memberDetailSchema,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/organization/members/:userId',
    summary: 'Removes somebody from the organisation; everything that they have open there ends at once',
    audited: 'remove {email|userId} from the organisation[, out of {teams}]',
    access: 'owner',
    proof: 'recent',
    params: memberParams,
    status: 204,
  }),
  endMemberSessions: endpoint({
    method: 'DELETE',
    path: '/api/organization/members/:userId/sessions',
    summary: 'Ends a person’s sessions in this organisation',
    audited: 'end the sessions of {email|userId}',
    access: 'owner',
    proof: 'recent',
    params: memberParams,
    status: 204,
  }),
  leaveCompany: endpoint({
    method: 'POST',
    path: '/api/organization/leave',
    summary: 'Leaves the organisation of the session, and ends the session',
    audited: 'leave the organisation[, out of {teams}]',
    access: 'member',
    status: 204,
  }),
} as const;
