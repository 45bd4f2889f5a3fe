import type { Need, Permission } from '../src/contract/permissions.ts';
import { expectedKinds } from './kinds/expected.ts';

/**
 * Who may do what, written down by hand from the specification (section 6) and the rulings on its gaps, and nowhere
 * derived from what the product declares. What the product has and no row here allows fails `tests/server/access/
 * matrix.test.ts` and `tests/registry/permissions.test.ts`.
 *
 * - `public`: anybody
 * - `session`: whoever is signed in
 * - `account`: whoever is signed in, but by the provider of a company
 * - `member`: whoever belongs to a company
 * - `owner`: Owners of the company
 * - `cluster`: whoever reaches the cluster
 * - a permission: who holds it on the cluster
 * - `view`, `change`: who may view or change the kind that is named
 * - `team`: members of the team and Owners; `team manager`: its TeamAdmins and Owners
 */
export type Who =
  | 'public'
  | 'session'
  | 'account'
  | 'member'
  | 'owner'
  | 'cluster'
  | 'view'
  | 'change'
  | 'team'
  | 'team manager'
  | Permission;

/** Every call of the API by its name. */
export const endpoints: Readonly<Record<string, Who>> = {
  isAuthenticated: 'public',
  currentUser: 'session',
  signInPage: 'public',
  signIn: 'public',
  logout: 'public',
  setup: 'public',
  signInOptions: 'public',
  createCompany: 'account',
  changePassword: 'account',
  signInCallback: 'public',
  identities: 'account',
  connectIdentity: 'account',
  disconnectIdentity: 'account',
  ownSessions: 'session',
  endOwnSession: 'session',
  endOtherSessions: 'session',
  passkeySignInOptions: 'public',
  passkeySignIn: 'public',
  passkeys: 'account',
  passkeyOptions: 'account',
  addPasskey: 'account',
  renamePasskey: 'account',
  removePasskey: 'account',
  confirmPassword: 'account',
  removeMemberPasskeys: 'owner',
  passkeyRule: 'owner',
  setPasskeyRule: 'owner',
  requestReset: 'public',
  resetPassword: 'public',
  ownTokens: 'member',
  createToken: 'member',
  revokeToken: 'member',
  memberTokens: 'owner',
  revokeMemberToken: 'owner',
  memberResetLink: 'owner',
  companyProviders: 'owner',
  addProvider: 'owner',
  changeProvider: 'owner',
  removeProvider: 'owner',
  testProvider: 'owner',
  ownAddress: 'session',
  mailAddressLink: 'account',
  proveAddress: 'account',
  installationProviders: 'owner',
  mapInstallationGroups: 'owner',
  keymap: 'member',
  preferences: 'member',
  savePreferences: 'member',
  saveKeymap: 'member',
  clusters: 'member',
  clustersOfUser: 'owner',
  addCluster: 'owner',
  addClusters: 'owner',
  readKubeconfig: 'owner',
  replaceKubeconfig: 'owner',
  deleteCluster: 'owner',
  clusterState: 'cluster',
  warmUp: 'cluster',
  userPermissions: 'cluster',
  permissionsOfUser: 'owner',
  permissionsOfRole: 'cluster',
  allPermissions: 'member',
  globalSettings: 'owner',
  saveGlobalSettings: 'owner',
  userSettings: 'cluster',
  saveUserSettings: 'cluster',
  namespaces: 'namespaces.view',
  namespace: 'namespaces.view',
  createNamespace: 'resources.manage',
  definitions: 'clusters.view',
  addOns: 'cluster',
  counts: 'cluster',
  customObjects: 'view',
  customObjectsIn: 'view',
  customObject: 'view',
  customObjectIn: 'view',
  objects: 'view',
  object: 'view',
  createObject: 'change',
  patchObject: 'change',
  revisions: 'view',
  availableActions: 'cluster',
  runAction: 'cluster',
  createResource: 'resources.manage',
  applyResource: 'resources.manage',
  checkResource: 'resources.manage',
  editSource: 'view',
  editObject: 'change',
  compareLists: 'view',
  compareSecrets: 'secrets.view',
  draft: 'member',
  saveDraft: 'member',
  deleteDraft: 'member',
  filters: 'member',
  saveFilter: 'member',
  deleteFilter: 'member',
  jobs: 'cluster',
  cancelJob: 'cluster',
  secretContents: 'secrets.view',
  revealSecret: 'secrets.view',
  releaseHistory: 'namespaces.view',
  releaseResources: 'namespaces.view',
  releaseContents: 'secrets.view',
  revealRelease: 'secrets.view',
  kindSchema: 'view',
  search: 'member',
  goneObjects: 'member',
  searchKinds: 'cluster',
  usageOf: 'view',
  clusterUsage: 'clusters.view',
  consoleConfig: 'session',
  teams: 'member',
  createTeam: 'owner',
  team: 'team',
  updateTeam: 'owner',
  deleteTeam: 'owner',
  teamMembers: 'team',
  teamCandidates: 'team manager',
  setTeamMember: 'team manager',
  removeTeamMember: 'team manager',
  teamClusters: 'team',
  addTeamCluster: 'owner',
  removeTeamCluster: 'owner',
  members: 'owner',
  member: 'owner',
  changeMember: 'owner',
  removeMember: 'owner',
  endMemberSessions: 'owner',
  leaveCompany: 'member',
  roles: 'member',
  changeRole: 'owner',
  ownReach: 'member',
  whyNot: 'member',
  accessRequests: 'member',
  askAccess: 'member',
  approveAccess: 'member',
  refuseAccess: 'member',
  endAccess: 'member',
  invitations: 'owner',
  invite: 'owner',
  resendInvitation: 'owner',
  revokeInvitation: 'owner',
  dismissInvitationRequest: 'owner',
  readInvitation: 'public',
  claimInvitation: 'public',
  pendingInvitations: 'account',
  acceptInvitation: 'account',
  rejectInvitation: 'account',
  requestInvite: 'account',
  company: 'owner',
  changeCompany: 'owner',
  deleteCompany: 'owner',
  audit: 'owner',
  exportAudit: 'owner',
  auditSettings: 'owner',
  changeAuditSettings: 'owner',
  ownCompanies: 'account',
  switchCompany: 'account',
};

/** What the server answers besides: sockets, files, probes. */
export const otherRoutes: Readonly<Record<string, Who>> = {
  '/api/live': 'member',
  '/api/clusters/:clusterId/log': 'pods.view',
  '/api/clusters/:clusterId/log/file': 'pods.view',
  '/api/clusters/:clusterId/pods/:namespace/:name/shell': 'pods.manage',
  '/api/docs': 'session',
  '/api/docs/json': 'session',
  '/api/docs/style.css': 'session',
  '/healthz': 'public',
  '/readyz': 'public',
  '/metrics': 'public',
};

/**
 * The calls and other routes that an API token may make, within its scopes; those with a scope only if it was ticked by
 * its name. No other call takes one: no token makes tokens, changes sign-in, members, grants, billing or settings,
 * decides on access, reveals a Secret or opens a shell.
 */
export const tokenUses: Readonly<Record<string, 'scopes' | 'secrets.reveal' | 'shells.open'>> = {
  clusters: 'scopes',
  clusterState: 'scopes',
  userPermissions: 'scopes',
  permissionsOfRole: 'scopes',
  ownReach: 'scopes',
  namespaces: 'scopes',
  namespace: 'scopes',
  createNamespace: 'scopes',
  definitions: 'scopes',
  addOns: 'scopes',
  counts: 'scopes',
  customObjects: 'scopes',
  customObjectsIn: 'scopes',
  customObject: 'scopes',
  customObjectIn: 'scopes',
  objects: 'scopes',
  object: 'scopes',
  createObject: 'scopes',
  patchObject: 'scopes',
  revisions: 'scopes',
  availableActions: 'scopes',
  runAction: 'scopes',
  createResource: 'scopes',
  applyResource: 'scopes',
  checkResource: 'scopes',
  editSource: 'scopes',
  editObject: 'scopes',
  compareLists: 'scopes',
  compareSecrets: 'scopes',
  jobs: 'scopes',
  cancelJob: 'scopes',
  secretContents: 'scopes',
  revealSecret: 'secrets.reveal',
  releaseHistory: 'scopes',
  releaseResources: 'scopes',
  releaseContents: 'scopes',
  revealRelease: 'secrets.reveal',
  kindSchema: 'scopes',
  search: 'scopes',
  searchKinds: 'scopes',
  usageOf: 'scopes',
  clusterUsage: 'scopes',
  '/api/clusters/:clusterId/log': 'scopes',
  '/api/clusters/:clusterId/log/file': 'scopes',
  '/api/clusters/:clusterId/pods/:namespace/:name/shell': 'shells.open',
};

/** Every sort of subscription of the live socket, by what tells its message from others. */
export const subscriptions: Readonly<Record<string, Who>> = {
  list: 'view',
  object: 'view',
  dashboard: 'cluster',
  tallies: 'cluster',
  'graph of a namespace': 'cluster',
  'graph of an object': 'view',
};

interface Pair {
  readonly view: Need;
  readonly change: Need;
}

/** Every kind: those with a file as `tests/kinds/expected.yaml` says, those without one by their names. */
export const kindNeeds: Readonly<Record<string, Pair>> = {
  ...Object.fromEntries(
    Object.entries(expectedKinds).map(([id, { view, manage }]) => [id, { view, change: manage }]),
  ),
  'apps~v1~controllerrevisions': { view: 'deployments.view', change: 'deployments.manage' },
};

/** Actions that need something else than the change permission of their kind. */
export const actionNeeds: Readonly<Record<string, readonly Permission[]>> = {
  'node.drain': ['resources.manage', 'pods.manage'],
};

/**
 * Commands that not everybody who is signed in may run, besides those of the kinds: without what is needed a page does
 * not offer them. A list means all.
 */
export const commandNeeds: Readonly<Record<string, Who | readonly Permission[]>> = {
  'account.login': 'public',
  'account.inviteNotFound': 'public',
  'account.inviteRejected': 'public',
  'tests.toast': 'public',
  'tests.actionButton': 'public',
  'tests.tokens': 'public',
  'cluster.globalSettings': 'owner',
  members: 'owner',
  'members.one': 'owner',
  'settings.audit': 'owner',
  'settings.company': 'owner',
  'settings.companySignIn': 'owner',
  'members.invite': 'owner',
  'members.role': 'owner',
  'members.addToTeam': 'owner',
  'members.endSessions': 'owner',
  'members.suspend': 'owner',
  'members.letIn': 'owner',
  'members.remove': 'owner',
  'invitations.resend': 'owner',
  'invitations.revoke': 'owner',
  'teams.create': 'owner',
  'teams.addMember': 'team manager',
  'teams.grantCluster': 'owner',
  'cluster.chooseNamespace': 'namespaces.view',
  'cluster.allNamespaces': 'namespaces.view',
  'cluster.namespaceOne': 'namespaces.view',
  'cluster.namespaceTwo': 'namespaces.view',
  'cluster.namespaceThree': 'namespaces.view',
  'cluster.namespaceFour': 'namespaces.view',
  'cluster.namespaceFive': 'namespaces.view',
  'cluster.namespaceSix': 'namespaces.view',
  'cluster.namespaceSeven': 'namespaces.view',
  'cluster.namespaceEight': 'namespaces.view',
  'cluster.namespaceNine': 'namespaces.view',
  'release.history': 'namespaces.view',
  'object.logs': 'pods.view',
  'object.previousLogs': 'pods.view',
  'pod.shell': 'pods.manage',
  'pod.attach': 'pods.manage',
  'resource.create': 'resources.manage',
  'custom.scale': 'resources.manage',
  'template.deployment.basic': 'resources.manage',
  'template.deployment.withResources': 'resources.manage',
  'template.deployment.withProbes': 'resources.manage',
  'template.service.basic': 'resources.manage',
  'template.service.nodeport': 'resources.manage',
  'template.service.loadbalancer': 'resources.manage',
  'template.ingress.basic': 'resources.manage',
  'template.ingress.withTls': 'resources.manage',
};

/** Routes that whoever is signed in may open; what they show is judged by the server. */
export const openRoutes: readonly string[] = [
  'home',
  'subscription.cancel',
  'clusters.list',
  'cluster.details',
  'cluster.userSettings',
  'cluster.graph',
  'custom.list',
  'custom.open',
  'custom.openNamespaced',
  'objects.list',
  'objects.open',
  'objects.openNamespaced',
  'settings',
  'settings.profile',
  'settings.signIn',
  'settings.appearance',
  'settings.keys',
  'settings.companies',
  'settings.accessRequests',
  'settings.tokens',
  'teams',
  'teams.one',
  'permissions',
  'permissions.own',
  'account.setupCompany',
];

/** Commands for whoever may change anything: which object, the server judges. */
export const changeCommands: readonly string[] = ['object.edit'];

/** What other commands are about: none of them asks the server for anything but what the rows above allow. */
export const openCommands: readonly string[] = [
  'palette',
  'cluster',
  'object',
  'resource',
  'table',
  'filter',
  'page',
  'log',
  'graph',
  'changes',
  'dialog',
  'diff',
  'editor',
  'yaml',
  'workspace',
  'help',
  'access',
  'keys',
  'appearance',
  'editor',
  'session',
  'teams',
  'members',
  'tokens',
  'audit',
  'company',
];
