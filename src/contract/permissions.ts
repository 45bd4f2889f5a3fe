/**
 * Every permission of the console, sorted by name (specification section 6). A name maps to exact API groups through
 * the kinds; a custom resource that calls itself "deployments" never matches.
 */
export const permissions = [
  'clusters.view',
  'cronjobs.manage',
  'deployments.manage',
  'deployments.view',
  'hpas.manage',
  'ingresses.manage',
  'namespaces.view',
  'persistentvolumeclaims.manage',
  'persistentvolumeclaims.view',
  'persistentvolumes.manage',
  'persistentvolumes.view',
  'pods.manage',
  'pods.view',
  'resources.manage',
  'scaledobjects.manage',
  'secrets.view',
  'statefulsets.manage',
  'statefulsets.view',
] as const;

/** A permission's name, in the form resource.action. */
export type Permission = (typeof permissions)[number];

/** Permissions about objects of the cluster itself: a grant that is restricted to namespaces does not give them. */
export const clusterPermissions: ReadonlySet<Permission> = new Set([
  'clusters.view',
  'persistentvolumes.manage',
  'persistentvolumes.view',
]);

/** A requirement: a permission, all of a list, or to be an Owner. */
export type Need = Permission | readonly Permission[] | 'owner';

/** Organisation roles; only an Owner is an admin. */
export const orgRoles = { Owner: 1, Member: 2 } as const;
export type OrgRole = (typeof orgRoles)[keyof typeof orgRoles];

/** Team roles, with the specification's numbers. */
export const teamRoles = { SecretViewer: 3, TeamAdmin: 4, Viewer: 6 } as const;
export type TeamRole = (typeof teamRoles)[keyof typeof teamRoles];

const views = permissions.filter((name) => name.endsWith('.view'));

/** What each team role may do on the clusters its team reaches. */
export const rolePermissions: Readonly<Record<TeamRole, readonly Permission[]>> = {
  [teamRoles.Viewer]: views.filter((name) => name !== 'secrets.view'),
  [teamRoles.SecretViewer]: views,
  [teamRoles.TeamAdmin]: permissions,
};

const permissionSet: ReadonlySet<string> = new Set(permissions);

/** Whether a text is a permission's name. */
export function isPermission(text: string): text is Permission {
  return permissionSet.has(text);
}

/** Whether a number is a team role. */
export function isTeamRole(value: number): value is TeamRole {
  return Object.values<number>(teamRoles).includes(value);
}
