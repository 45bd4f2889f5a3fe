import type { Need, Permission } from '../../../src/contract/permissions.ts';
import { permissions, rolePermissions, teamRoles } from '../../../src/contract/permissions.ts';
import { tokenScopes } from '../../../src/contract/token-scopes.ts';
import { kindNeeds, tokenUses, type Who } from '../../permission-table.ts';
import type { WireAnswer } from '../http-client.ts';

/** What was given to somebody for a while; never what a role gives besides. */
export const heldForAWhile: readonly Permission[] = ['pods.manage', 'deployments.manage', 'secrets.view'];

/** What callers hold on the cluster, most by the role of a team. */
const roles = {
  Viewer: rolePermissions[teamRoles.Viewer],
  SecretViewer: rolePermissions[teamRoles.SecretViewer],
  TeamAdmin: rolePermissions[teamRoles.TeamAdmin],
  /** A Viewer who holds more for a while. */
  temporary: [...rolePermissions[teamRoles.Viewer], ...heldForAWhile],
} as const;
/** A caller who holds what a role, or a role and a while, gives. */
export type Role = keyof typeof roles;

/** Everybody who asks. */
export const callers = [
  'signed out',
  'without company',
  'suspended',
  'no grant',
  'Viewer',
  'SecretViewer',
  'TeamAdmin',
  'temporary',
  'TeamAdmin of a namespace',
  'owner',
  'owner of another company',
  'token',
] as const;
/** One of them. */
export type Caller = (typeof callers)[number];

/** An API token for everything, of an Owner: what no token may do, not even this one does. */
export const allScopes = tokenScopes;

const isRole = (caller: Caller): caller is Role => caller in roles;

/** A definition whose kind has a file. */
const crdName = 'scaledobjects.keda.sh';

/** The id of no webhook. */
const noWebhook = { webhookId: '00000000-0000-4000-8000-000000000000' };

/** The ids of no conversation and of no answer. */
const noConversation = { conversationId: noWebhook.webhookId };
const noTurn = { turnId: noWebhook.webhookId };

/** Calls whose path or body needs more than `{}`: well-formed, and refused or answered without a living cluster. */
export const calls: Partial<Record<string, { params?: Record<string, unknown>; body?: unknown }>> = {
  goneObjects: { body: { objects: [{ clusterId: 1, kind: 'pod', namespace: 'shop', name: 'a' }] } },
  clustersOfUser: { params: { userId: 999_999 } },
  permissionsOfUser: { params: { userId: 999_999 } },
  permissionsOfRole: { params: { roleId: teamRoles.Viewer } },
  namespace: { params: { name: 'default' } },
  // Other definitions are looked up on the cluster, before anything can be said of them.
  customObjects: { params: { crdName } },
  customObjectsIn: { params: { crdName, ns: 'shop' } },
  customObject: { params: { crdName } },
  customObjectIn: { params: { crdName, ns: 'shop' } },
  runAction: { params: { actionId: 'pod.evict' } },
  cancelJob: { params: { jobId: 999_999 } },
  removeTeamMember: { params: { userId: 999_999 } },
  member: { params: { userId: 999_999 } },
  changeMember: { params: { userId: 999_999 } },
  removeMember: { params: { userId: 999_999 } },
  endMemberSessions: { params: { userId: 999_999 } },
  resendInvitation: { params: { inviteId: 999_999 } },
  revokeInvitation: { params: { inviteId: 999_999 } },
  dismissInvitationRequest: { params: { userId: 999_999 } },
  changeRole: { params: { roleId: teamRoles.Viewer } },
  signInCallback: { params: { provider: 'nobody' } },
  disconnectIdentity: { params: { identityId: 999_999 } },
  endOwnSession: { params: { sessionId: 999_999 } },
  downloadRecording: { params: { recordingId: '00000000-0000-4000-8000-000000000000' } },
  renamePasskey: { params: { passkeyId: 999_999 } },
  removePasskey: { params: { passkeyId: 999_999 } },
  removeMemberPasskeys: { params: { userId: 999_999 } },
  memberResetLink: { params: { userId: 999_999 } },
  changeProvider: { params: { providerId: 999_999 } },
  removeProvider: { params: { providerId: 999_999 } },
  testProvider: { params: { providerId: 999_999 } },
  mapInstallationGroups: { params: { provider: 'nobody' } },
  revokeToken: { params: { tokenId: 999_999 } },
  revokeMemberToken: { params: { tokenId: 999_999 } },
  approveAccess: { params: { requestId: 999_999 } },
  refuseAccess: { params: { requestId: 999_999 } },
  endAccess: { params: { requestId: 999_999 } },
  deleteWebhook: { params: noWebhook },
  changeWebhook: { params: noWebhook },
  changeWebhookSecret: { params: noWebhook },
  testWebhook: { params: noWebhook },
  webhookDeliveries: { params: noWebhook },
  redeliver: { params: noWebhook },
  conversation: { params: noConversation },
  changeConversation: { params: noConversation },
  deleteConversation: { params: noConversation },
  askChat: { params: noConversation },
  stopChat: { params: noTurn },
  takeProposal: { params: { proposalId: noWebhook.webhookId } },
  changeNotifications: { body: { change: 'read', ids: [] } },
  unfollow: { params: { followId: noWebhook.webhookId } },
  unacknowledge: { params: { acknowledgementId: noWebhook.webhookId } },
};

/** What the guard lets through ends in the handler: any answer but these, which are the guard's own. */
export const refusals = [401, 403, 404, 421];

/** Whoever is signed in. */
const signedIn = callers.filter((caller) => caller !== 'signed out' && caller !== 'token');
/** Those of them who are in a company. */
const members = signedIn.filter((caller) => caller !== 'without company' && caller !== 'suspended');

/** Those who reach the cluster. */
const ofCluster = [
  'Viewer',
  'SecretViewer',
  'TeamAdmin',
  'temporary',
  'TeamAdmin of a namespace',
  'owner',
] as const;

/** Where a caller who may still gets a status of `refusals`: the handler's answer, not the guard's. */
export const exceptions: Partial<Record<string, Partial<Record<Caller, number>>>> = {
  // There is no such job.
  cancelJob: {
    Viewer: 404,
    SecretViewer: 404,
    TeamAdmin: 404,
    temporary: 404,
    'TeamAdmin of a namespace': 404,
    owner: 404,
    token: 404,
  },
  // Nothing of this id is connected to their account, or one of their sessions.
  disconnectIdentity: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  endOwnSession: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  removePasskey: Object.fromEntries(signedIn.map((caller) => [caller, 404])),
  memberResetLink: { owner: 404, 'owner of another company': 404 },
  // There is no such token.
  revokeToken: Object.fromEntries(members.map((caller) => [caller, 404])),
  revokeMemberToken: { owner: 404, 'owner of another company': 404 },
  // There is no such request.
  approveAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  refuseAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  endAccess: Object.fromEntries(members.map((caller) => [caller, 404])),
  removeMemberPasskeys: { owner: 404, 'owner of another company': 404 },
  // The company has no such recording.
  downloadRecording: { owner: 404, 'owner of another company': 404 },
  // Nobody has this webhook.
  deleteWebhook: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  // A DELETE of what is not there.
  deleteConversation: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  deleteFilter: Object.fromEntries(members.map((caller) => [caller, 404])),
  unfollow: Object.fromEntries(members.map((caller) => [caller, 404])),
  unacknowledge: Object.fromEntries(members.map((caller) => [caller, 404])),
  removeAuditStream: { owner: 404, 'owner of another company': 404 },
  changeWebhookSecret: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  testWebhook: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  webhookDeliveries: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  // Nobody has this conversation, or was given this answer.
  conversation: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  changeConversation: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  takeProposal: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  stopChat: Object.fromEntries(ofCluster.map((caller) => [caller, 404])),
  // The company has no such provider.
  changeProvider: { owner: 404, 'owner of another company': 404 },
  removeProvider: { owner: 404, 'owner of another company': 404 },
  testProvider: { owner: 404, 'owner of another company': 404 },
  // Neither the organisation nor the environment names a model.
  testChatModel: { owner: 409, 'owner of another company': 409 },
  // Nobody has this id.
  clustersOfUser: { owner: 404, 'owner of another company': 404 },
  permissionsOfUser: { owner: 404 },
  // Nobody of this id is in the team, and it reaches no cluster.
  removeTeamMember: { TeamAdmin: 404, owner: 404 },
  removeTeamCluster: { owner: 404 },
  // Nobody of the company has this id.
  member: { owner: 404, 'owner of another company': 404 },
  changeMember: { owner: 404, 'owner of another company': 404 },
  removeMember: { owner: 404, 'owner of another company': 404 },
  endMemberSessions: { owner: 404, 'owner of another company': 404 },
  // The company has none of this id.
  rejectInvitation: { 'owner of another company': 404 },
  resendInvitation: { owner: 404, 'owner of another company': 404 },
  revokeInvitation: { owner: 404, 'owner of another company': 404 },
  dismissInvitationRequest: { owner: 404, 'owner of another company': 404 },
};

/** The same of the calls that end something. */
export const endingExceptions: typeof exceptions = {
  deleteTeam: { 'owner of another company': 404 },
};

/** The permissions of a need. */
export const listed = (need: Need): readonly Permission[] => {
  if (need === 'owner') throw new Error('What is for Owners has no permission.');
  return typeof need === 'string' ? [need] : need;
};
/** The row of a kind. */
export const pairOf = (kind: string) => kindNeeds[kind] ?? never(`There is no row for the kind ${kind}.`);

/** Throws: what the table has to have is not there. */
export function never(sentence: string): never {
  throw new Error(sentence);
}

/** The permissions that somebody needs on the cluster; undefined where it is no matter of permissions. */
export function neededFor(who: Who, kind: string): readonly Permission[] | undefined {
  if (who === 'view' || who === 'change') return listed(pairOf(kind)[who]);
  return permissions.find((one) => one === who) === undefined ? undefined : [who as Permission];
}

/** The status that the table gives a caller. */
export function expectedOf(who: Who, path: string, caller: Caller, kind: string): number | 'allowed' {
  if (who === 'public') return 'allowed';
  if (caller === 'signed out') return 401;
  if (who === 'session' || who === 'account') return 'allowed';
  if (caller === 'without company' || caller === 'suspended') return 403;
  if (who === 'owner' && !caller.startsWith('owner')) return 403;
  if (who === 'team' || who === 'team manager') {
    if (['no grant', 'TeamAdmin of a namespace', 'owner of another company'].includes(caller)) return 404;
    return who === 'team' || caller === 'owner' || caller === 'TeamAdmin' ? 'allowed' : 403;
  }
  if (!path.includes('/:clusterId')) return 'allowed';
  if (caller === 'owner of another company' || caller === 'no grant') return 404;
  const needed = neededFor(who, kind);
  if (needed === undefined || !isRole(caller)) return 'allowed';
  return needed.every((one) => roles[caller].includes(one)) ? 'allowed' : 403;
}

/** The status that the table gives a token for everything. @param what a call's name, or a path */
export const expectedOfToken = (what: string): number | 'allowed' =>
  what in tokenUses || probes.includes(what) ? 'allowed' : 403;

/** What asks nobody who they are. */
const probes = ['/healthz', '/readyz', '/metrics'];

/** Whether the guard answered. */
export const isRefused = ({ status }: Pick<WireAnswer, 'status'>) => refusals.includes(status);
