import type { Cluster } from '../../../contract/clusters.ts';
import type { OwnCompany } from '../../../contract/companies.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { SavedFilter } from '../../../contract/filters.ts';
import type { ListedInvitation } from '../../../contract/invitations.ts';
import type { Member } from '../../../contract/members.ts';
import type { Namespace } from '../../../contract/namespaces.ts';
import type { Ref, Revision } from '../../../contract/objects.ts';
import type { Team } from '../../../contract/teams.ts';
import type { SearchHit } from '../../../contract/search.ts';
import { formatAge } from '../../../kube/age.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { ArgDefinition } from '../../../registry/kinds/kind-action.ts';
import { coreGroup } from '../../../registry/kinds/resource-key.ts';
import type { AtHand } from '../../../registry/commands/services.ts';
import { iconOfKind, type ListedKind } from '../../core/kinds/listed.ts';
import { qualifiedName } from '../actions/acting.ts';
import type { Act, Entry } from './entries.ts';
import { filterEntries } from './filter-entries.ts';
import { matchKinds } from './mode-entries.ts';
import { objectEntry, rankHits, refOfHit } from './object-entries.ts';

/** The act of an entry that answers the step which is asked. */
export const answerWith = (value: unknown, label: string): Act => ({ type: 'answer', value, label });

/** Objects of the index that match what is typed. */
export const objectChoices = (
  hits: readonly SearchHit[],
  text: string,
  clusters: readonly Cluster[],
): readonly Entry[] =>
  rankHits(hits, text).map(({ hit }) =>
    objectEntry(hit, clusters, 'Objects', answerWith(refOfHit(hit), hit.name)),
  );

/** Resources that match what is typed; the answer is the parameters that the routes of any resource take. */
export const resourceChoices = (kinds: readonly ListedKind[], text: string): readonly Entry[] =>
  matchKinds(kinds, text).map(({ id, title, icon, group, plural }) => ({
    id: `resource ${id}`,
    section: 'Resources',
    title,
    icon,
    act: answerWith({ group: group === '' ? coreGroup : group, plural }, title),
  }));

/** @param isText whether the answer is text, as a path takes it, rather than the number that an action takes */
export const clusterChoices = (clusters: readonly Cluster[], isText: boolean): readonly Entry[] =>
  clusters.map((cluster) => ({
    id: `cluster ${cluster.id}`,
    section: 'Clusters',
    title: cluster.name,
    note: cluster.description,
    icon: 'clusters',
    cluster,
    act: answerWith(isText ? String(cluster.id) : cluster.id, cluster.name),
  }));

/** @param hasAll whether all namespaces together are a choice; its answer is the empty text */
export const namespaceChoices = (
  namespaces: readonly Pick<Namespace, 'name'>[],
  hasAll: boolean,
): readonly Entry[] => {
  const all = { name: '', title: 'All namespaces' };
  const single = namespaces.map(({ name }) => ({ name, title: name }));
  return (hasAll ? [all, ...single] : single).map(({ name, title }) => ({
    id: `namespace ${name}`,
    section: 'Namespaces',
    title,
    icon: 'namespace',
    act: answerWith(name, title),
  }));
};

export const filterChoices = (filters: readonly SavedFilter[]): readonly Entry[] =>
  filterEntries(filters, (name) => answerWith(name, name));

/** The companies of the person but the one that they are in. */
export const companyChoices = (companies: readonly OwnCompany[]): readonly Entry[] =>
  companies
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ companyId, name, orgRole }) => ({
      id: `company ${companyId}`,
      section: 'Organisations',
      title: name,
      note: orgRole === 1 ? 'Owner' : 'Member',
      icon: 'teams',
      act: answerWith(companyId, name),
    }));

/** Choices with that of a part of the company first, if it is one of them: the focused view shows it. */
const withFirst = <T>(choices: readonly T[], isAtHand: (one: T) => boolean): readonly T[] => [
  ...choices.filter(isAtHand),
  ...choices.filter((one) => !isAtHand(one)),
];

/** The people of the company. @param atHand whom the focused view shows: they come first */
export const personChoices = (members: readonly Member[], atHand: AtHand | undefined): readonly Entry[] =>
  withFirst(members, ({ userId }) => userId === atHand?.id).map(
    ({ userId, name, email, orgRole, isSuspended }) => ({
      id: `person ${userId}`,
      section: 'People',
      title: name,
      note: [email, orgRole === 1 ? 'Owner' : 'Member', ...(isSuspended ? ['suspended'] : [])].join(' · '),
      icon: 'account',
      act: answerWith(userId, name),
    }),
  );

/** Invitations that nobody accepted yet. @param atHand the one whose line has the focus: it comes first */
export const invitationChoices = (
  invitations: readonly ListedInvitation[],
  atHand: AtHand | undefined,
): readonly Entry[] =>
  withFirst(invitations, ({ inviteId }) => inviteId === atHand?.id).map(({ inviteId, email, state }) => ({
    id: `invitation ${inviteId}`,
    section: 'Invitations',
    title: email,
    note: state,
    icon: 'account',
    act: answerWith(inviteId, email),
  }));

/**
 * Objects with a line under “Needs attention”.
 * @param atHand the one whose line has the focus: it comes first
 */
export const troubleChoices = (
  lines: readonly AttentionLine[],
  clusterId: number | undefined,
  atHand: ObjectRef | undefined,
): readonly Entry[] =>
  withFirst(
    lines.filter(({ endedAt }) => endedAt === undefined),
    ({ on }) =>
      atHand !== undefined && placeKey(on) === placeKey(atHand) && atHand.cluster === String(clusterId),
  ).map(({ on, title, key }) => ({
    id: `trouble ${key}`,
    section: 'Needs attention',
    title: qualifiedName(on),
    note: title,
    icon: iconOfKind(on.kind),
    act: answerWith({ ...on, cluster: String(clusterId) }, qualifiedName(on)),
  }));

const placeKey = ({ kind, namespace = '', name }: Ref) => `${kind} ${namespace} ${name}`;

/** The teams of the company. */
export const teamChoices = (teams: readonly Team[]): readonly Entry[] =>
  teams.map(({ id, name, description }) => ({
    id: `team ${id}`,
    section: 'Teams',
    title: name,
    note: description,
    icon: 'teams',
    act: answerWith(id, name),
  }));

/** The options of an argument; the default one is marked. */
export const optionChoices = (
  definition: Extract<ArgDefinition, { readonly type: 'choice' }>,
): readonly Entry[] =>
  definition.options.map(({ value, label, help }) => ({
    id: `choice ${value}`,
    section: definition.label,
    title: label,
    note: help,
    icon: value === definition.default ? 'check' : 'chevron-right',
    act: answerWith(value, label),
  }));

export const memberChoices = (label: string, members: readonly string[]): readonly Entry[] =>
  members.map((member) => ({
    id: `member ${member}`,
    section: label,
    title: member,
    icon: 'chevron-right',
    act: answerWith(member, member),
  }));

/**
 * Revisions of one object, in the order given.
 * @param name of the object; undefined where several are acted on
 * @param now epoch milliseconds
 */
export const revisionChoices = (
  revisions: readonly Revision[],
  name: string | undefined,
  now: number,
): readonly Entry[] =>
  revisions.map(({ revision, images, cause, createdAt, isCurrent }) => ({
    id: `revision ${revision}`,
    section: name === undefined ? 'Revisions' : `Revisions of ${name}, newest first`,
    title: String(revision),
    note: [images.join(' · '), cause ?? '', ageOf(createdAt, now)].filter((part) => part !== '').join(' · '),
    icon: 'history',
    reason: isCurrent ? 'This is the current revision' : undefined,
    act: answerWith(revision, `revision ${revision}`),
  }));

function ageOf(createdAt: string | null, now: number): string {
  const created = Date.parse(createdAt ?? '');
  return Number.isNaN(created) ? '' : `${formatAge((now - created) / 1000)} ago`;
}
