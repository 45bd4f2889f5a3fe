import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { clusterSchema } from './clusters.ts';
import { namespaceNameSchema } from './namespaces.ts';
import { teamRoles } from './permissions.ts';
import { freeTextSchema, nameOfSchema } from './text.ts';

const teamNameSchema = nameOfSchema('Enter a name for the team.');
/** A team as it is written. */
const teamInputSchema = z.strictObject({
  name: teamNameSchema,
  description: z._default(freeTextSchema(1000), ''),
});

/** Ids are positive 32-bit integers, as in the store. */
const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const teamParams = z.object({ teamId: id });
const memberParams = z.extend(teamParams, { userId: id });
const clusterParams = z.extend(teamParams, { clusterId: id });
/** An id as text: the specification writes these two bodies so. */
const idTextSchema = z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'An id is a whole number, as text.'));

const roleSchema = z.union(
  [z.literal(teamRoles.SecretViewer), z.literal(teamRoles.TeamAdmin), z.literal(teamRoles.Viewer)],
  'A role is 3 (SecretViewer), 4 (TeamAdmin) or 6 (Viewer).',
);

/** A team of the company. */
export const teamSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    memberCount: z.int(),
    clusterCount: z.int(),
    /** The caller's own role in it; null for an Owner who is no member. */
    ownRole: z.nullable(roleSchema),
  })
  .register(z.globalRegistry, { id: 'Team' });
export type Team = z.infer<typeof teamSchema>;

/** A person in a team, or somebody who is invited to it. */
export const teamMemberSchema = z
  .object({
    /** 0 while they are only invited: whether the address has an account is not told. */
    userId: z.int(),
    /** Empty while they are only invited. */
    name: z.string(),
    email: z.string(),
    role: roleSchema,
    /** Whether they are invited and have yet to accept. */
    pending: z.boolean(),
    /** Whether their membership of the company is suspended: they reach nothing meanwhile. */
    isSuspended: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'TeamMember' });
export type TeamMember = z.infer<typeof teamMemberSchema>;

/** Namespaces that one grant may name. */
const grantedLimit = 100;

/** A cluster that a team reaches. */
const teamClusterSchema = z
  .extend(z.pick(clusterSchema, { id: true, name: true, description: true, colour: true }), {
    /** The namespaces that the grant is restricted to, by name; null for the whole cluster. */
    namespaces: z.nullable(z.array(z.string())),
  })
  .register(z.globalRegistry, { id: 'TeamCluster' });
export type TeamCluster = z.infer<typeof teamClusterSchema>;

/** The calls on teams, with the specification's paths and bodies. Their ids are never those of another company. */
export const teamEndpoints = {
  teams: endpoint({
    method: 'GET',
    path: '/api/team',
    summary: 'The teams of the organisation: all for an Owner, their own for others',
    access: 'member',
    response: z.array(teamSchema),
  }),
  createTeam: endpoint({
    method: 'POST',
    path: '/api/team',
    summary: 'Creates a team',
    audited: 'create the team {name}',
    access: 'owner',
    body: teamInputSchema,
    response: teamSchema,
  }),
  team: endpoint({
    method: 'GET',
    path: '/api/team/:teamId',
    summary: 'One team',
    access: { team: 'view' },
    params: teamParams,
    response: teamSchema,
  }),
  updateTeam: endpoint({
    method: 'PUT',
    path: '/api/team/:teamId',
    summary: 'Renames or describes a team',
    audited: 'change the team {team|name}',
    access: 'owner',
    params: teamParams,
    body: teamInputSchema,
    response: teamSchema,
  }),
  deleteTeam: endpoint({
    method: 'DELETE',
    path: '/api/team/:teamId',
    summary: 'Deletes a team; access that its members have only by it ends at once',
    audited: 'delete the team {name|team}[, with {members} in it][, which reached {clusters}]',
    access: 'owner',
    proof: 'recent',
    params: teamParams,
    status: 204,
  }),
  teamMembers: endpoint({
    method: 'GET',
    path: '/api/team/:teamId/members',
    summary: 'The members of a team, and the people invited to it',
    access: { team: 'view' },
    params: teamParams,
    response: z.array(teamMemberSchema),
  }),
  /** People of the company who may join: a TeamAdmin may not read the company's members. */
  teamCandidates: endpoint({
    method: 'GET',
    path: '/api/team/:teamId/candidates',
    summary: 'The people of the organisation who are not in the team',
    access: { team: 'manage' },
    params: teamParams,
    response: z.array(z.object({ userId: z.int(), name: z.string(), email: z.string() })),
  }),
  setTeamMember: endpoint({
    method: 'POST',
    path: '/api/team/:teamId/members',
    summary: 'Adds somebody to a team, or gives a member of it another role',
    audited: 'give {email|userId} the role {role} in the team {team|teamId}',
    access: { team: 'manage' },
    proof: 'recent',
    params: teamParams,
    body: z.strictObject({ UserId: idTextSchema, Role: roleSchema }),
    response: teamMemberSchema,
  }),
  removeTeamMember: endpoint({
    method: 'DELETE',
    path: '/api/team/:teamId/members/:userId',
    summary: 'Removes somebody from a team',
    audited: 'remove {email|userId} from the team {team|teamId}',
    access: { team: 'manage' },
    proof: 'recent',
    params: memberParams,
    status: 204,
  }),
  teamClusters: endpoint({
    method: 'GET',
    path: '/api/team/:teamId/clusters',
    summary: 'The clusters that a team has access to',
    access: { team: 'view' },
    params: teamParams,
    response: z.array(teamClusterSchema),
  }),
  addTeamCluster: endpoint({
    method: 'POST',
    path: '/api/team/:teamId/clusters',
    summary:
      'Gives a team access to a cluster, or to some of its namespaces; calling it again changes the namespaces',
    audited: 'give the team {team|teamId} access to {cluster}',
    access: 'owner',
    proof: 'recent',
    params: teamParams,
    body: z.strictObject({
      clusterId: idTextSchema,
      /**
       * The namespaces that the grant is restricted to; null for the whole cluster. Without it a new grant is for the
       * whole cluster, and one that is there stays as it is.
       */
      namespaces: z.optional(
        z.nullable(
          z
            .array(namespaceNameSchema)
            .check(
              z.minLength(1, 'Name a namespace, or grant the whole cluster.'),
              z.maxLength(grantedLimit),
            ),
        ),
      ),
    }),
    status: 204,
  }),
  removeTeamCluster: endpoint({
    method: 'DELETE',
    path: '/api/team/:teamId/clusters/:clusterId',
    summary: 'Removes a cluster from a team',
    audited: 'take access to {cluster} from the team {team|teamId}',
    access: 'owner',
    proof: 'recent',
    params: clusterParams,
    status: 204,
  }),
} as const;
