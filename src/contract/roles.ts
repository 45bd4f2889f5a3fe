import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { permissionNameSchema } from './permission-names.ts';
import { permissionAskedFor, permissions, teamRoles } from './permissions.ts';

const id = z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647));
const teamRoleSchema = z.union([
  z.literal(teamRoles.SecretViewer),
  z.literal(teamRoles.TeamAdmin),
  z.literal(teamRoles.Viewer),
]);
const permissionSchema = z.enum(permissions);

/** What a team role may do in the company. */
export const roleSchema = z
  .object({
    role: teamRoleSchema,
    /** Sorted by name. */
    permissions: z.array(permissionSchema),
    /** What it may do where no Owner changed it, sorted by name. */
    defaults: z.array(permissionSchema),
  })
  .register(z.globalRegistry, { id: 'Role' });
export type Role = z.infer<typeof roleSchema>;

/** A cluster that somebody reaches, and by what. */
export const reachedClusterSchema = z.object({
  id: z.int(),
  name: z.string(),
  colour: z.int(),
  /** The teams by which they reach it, with their role in each; none for an Owner, who reaches everything. */
  teams: z.array(z.object({ id: z.int(), name: z.string(), role: teamRoleSchema })),
  /** Permissions that they hold there, sorted by name. */
  permissions: z.array(
    z.object({
      name: permissionSchema,
      /** The namespaces in which it is held; null for the whole cluster. */
      namespaces: z.nullable(z.array(z.string())),
    }),
  ),
});
export type ReachedCluster = z.infer<typeof reachedClusterSchema>;

/** The permissions that a person lacks for something, and the people who can grant them. */
export const whyNotSchema = z.object({
  /** The cluster that it is about; absent for what is for Owners of the organisation. */
  cluster: z.optional(z.string()),
  namespace: z.optional(z.string()),
  /** The team that it is about. */
  team: z.optional(z.string()),
  /**
   * The permissions that the caller lacks there; `owner` where only an Owner may, `team` where only who manages the
   * members of the team may. None where nothing is missing.
   */
  missing: z.array(z.union([permissionSchema, z.literal('owner'), z.literal('team')])),
  /** Names of the company's Owners. */
  owners: z.array(z.string()),
  /** TeamAdmins who may give the caller another role with what is missing, in teams that the caller is in or sees. */
  teamAdmins: z.array(z.object({ name: z.string(), team: z.string() })),
});
export type WhyNotAnswer = z.infer<typeof whyNotSchema>;

/** A need besides permissions. */
type OtherNeed = 'owner' | 'team';
const isOtherNeed = (text: string): text is OtherNeed => text === 'owner' || text === 'team';

/** `deployments.manage,pods.view`, each by any of its spellings, `owner`, or `team`. */
const askedNeeds = z.pipe(
  z.string().check(
    z.maxLength(1000),
    z.refine(
      (text) => isOtherNeed(text) || text.split(',').every((one) => permissionAskedFor(one) !== undefined),
      'Name permissions such as "pods.manage", separated by commas, "owner" or "team".',
    ),
  ),
  z.transform((text) =>
    isOtherNeed(text) ? text : text.split(',').flatMap((one) => permissionAskedFor(one) ?? []),
  ),
);

/** The roles of a company, and what people may learn about their own permissions. */
export const roleEndpoints = {
  roles: endpoint({
    method: 'GET',
    path: '/api/organization/roles',
    summary: 'The permissions of each team role in the organisation',
    access: 'member',
    response: z.array(roleSchema),
  }),
  changeRole: endpoint({
    method: 'PUT',
    path: '/api/organization/roles/:roleId',
    summary: 'Changes the permissions of a team role in the organisation, for everybody who has it',
    audited: 'change the permissions of the team role {role}',
    access: 'owner',
    proof: 'recent',
    params: z.object({ roleId: z.coerce.number().check(z.int()) }),
    body: z.strictObject({ permissions: z.array(permissionNameSchema).check(z.maxLength(100)) }),
    response: roleSchema,
  }),
  ownReach: endpoint({
    method: 'GET',
    path: '/api/organization/my-permissions',
    summary: 'The clusters that the caller can access, by which teams, and with which permissions',
    access: 'member',
    tokens: 'scopes',
    response: z.array(reachedClusterSchema),
  }),
  whyNot: endpoint({
    method: 'GET',
    path: '/api/organization/why-not',
    summary: 'The permissions that the caller lacks for something, and who can grant them',
    access: 'member',
    query: z.object({
      needs: askedNeeds,
      clusterId: z.optional(id),
      /** The team whose members are to be managed. */
      teamId: z.optional(id),
      /** The namespace that it is about; the cluster as a whole without. */
      namespace: z.optional(z.string().check(z.maxLength(253))),
    }),
    response: whyNotSchema,
  }),
} as const;
