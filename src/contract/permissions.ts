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

/** What Owners of a company changed about a role: the permissions that it holds there beside its default, or lacks. */
export type RoleChanges = Readonly<Partial<Record<Permission, boolean>>>;

/** What a role may do in a company, sorted by name. */
export function permissionsOfRole(role: TeamRole, changes: RoleChanges = {}): readonly Permission[] {
  const defaults = rolePermissions[role];
  return permissions.filter((name) => changes[name] ?? defaults.includes(name));
}

/** What differs between the permissions that a role shall hold and its default. */
export function roleChangesOf(role: TeamRole, held: readonly Permission[]): RoleChanges {
  const defaults = rolePermissions[role];
  const changed = permissions.filter((name) => held.includes(name) !== defaults.includes(name));
  return Object.fromEntries(changed.map((name) => [name, held.includes(name)]));
}

/** The permission to see what another permission changes; undefined for one that only sees. */
export function viewOf(permission: Permission): Permission | undefined {
  if (permission.endsWith('.view')) return undefined;
  const own = permission.replace(/\.manage$/, '.view');
  return isPermission(own) ? own : 'namespaces.view';
}

/**
 * The permission that a name means at the boundary, where resources are also spelt with hyphens:
 * `persistent-volumes.manage`. Undefined for a name that is none of the permissions: there are never more than these.
 */
export function permissionNamed(text: string): Permission | undefined {
  const [resource = '', ...action] = text.split('.');
  const name = [resource.replaceAll('-', ''), ...action].join('.');
  return isPermission(name) ? name : undefined;
}

/**
 * The permission that a name asks for. A resource alone, such as `scaled-objects`, asks to see it. Undefined for what is
 * neither.
 */
export function permissionAskedFor(text: string): Permission | undefined {
  if (text.includes('.')) return permissionNamed(text);
  const manage = permissionNamed(`${text}.manage`);
  return permissionNamed(`${text}.view`) ?? (manage === undefined ? undefined : viewOf(manage));
}
