import type { Member } from '../../../contract/members.ts';
import { orgRoles } from '../../../contract/permissions.ts';
import { csvLine } from '../../../registry/csv.ts';
import type { Search } from '../../workspace/search.ts';
import { orgRoleName, signInText } from '../org-role.ts';
import { roleName } from '../team-role.ts';

/** Values of the address that filter and sort the list of members. */
export const filterNames = ['q', 'role', 'team', 'seen', 'state', 'signin'] as const;
export type FilterName = (typeof filterNames)[number];

const day = 24 * 3_600_000;
/** Choices of “Last seen”: the age of the last use of a session, ms. */
const seenWithin: Readonly<Record<string, number>> = { day, week: 7 * day, month: 30 * day };
const notSeenFor: Readonly<Record<string, number>> = { 'not-month': 30 * day, 'not-quarter': 90 * day };

/** The columns by which members are sorted; `-` before one for the other order. */
export const sortNames = ['name', 'role', 'teams', 'seen'] as const;
export type SortName = (typeof sortNames)[number];

/** Order of the list. */
export interface MemberSort {
  readonly by: SortName;
  readonly isDescending: boolean;
}

/** Reads the order from an address; by name where it has none that is known. */
export function sortOf({ sort = '' }: Search): MemberSort {
  const isDescending = sort.startsWith('-');
  const by = sortNames.find((name) => name === sort.replace('-', ''));
  return by === undefined ? { by: 'name', isDescending: false } : { by, isDescending };
}

/** The value of an address for an order; undefined for the order by name. */
export const sortText = ({ by, isDescending }: MemberSort): string | undefined =>
  by === 'name' && !isDescending ? undefined : `${isDescending ? '-' : ''}${by}`;

function isSeen({ lastSeenAt }: Member, seen: string, now: number): boolean {
  if (seen === 'never') return lastSeenAt === null;
  const age = lastSeenAt === null ? Number.POSITIVE_INFINITY : now - Date.parse(lastSeenAt);
  const [within, longer] = [seenWithin[seen], notSeenFor[seen]];
  if (within !== undefined) return age < within;
  return longer === undefined || age >= longer;
}

const isInState = ({ isSuspended }: Member, state: string): boolean =>
  state === 'suspended' ? isSuspended : state !== 'active' || !isSuspended;

function hasRole({ orgRole }: Member, role: string): boolean {
  if (role === 'owner') return orgRole === orgRoles.Owner;
  return role !== 'member' || orgRole === orgRoles.Member;
}

const isOfTeam = ({ teams }: Member, team: string): boolean =>
  team === 'none' ? teams.length === 0 : teams.some(({ id }) => String(id) === team);

/** Whether a member fits what an address asks for. Every word of `q` is in the name, the address or a team. */
function fits(member: Member, search: Search, now: number): boolean {
  const { q, role, team, seen, state, signin } = search;
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const text = [member.name, member.email, ...member.teams.map(({ name }) => name)].join(' ').toLowerCase();
  return (
    words.every((word) => text.includes(word)) &&
    (role === undefined || hasRole(member, role)) &&
    (team === undefined || isOfTeam(member, team)) &&
    (seen === undefined || isSeen(member, seen, now)) &&
    (state === undefined || isInState(member, state)) &&
    (signin === undefined || member.signInWays.some((way) => way === signin))
  );
}

const inWords = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const orders: Readonly<Record<SortName, (a: Member, b: Member) => number>> = {
  name: () => 0,
  role: (a, b) => a.orgRole - b.orgRole,
  teams: (a, b) => a.teams.length - b.teams.length,
  // The latest first; those who were never seen last.
  seen: (a, b) => Date.parse(b.lastSeenAt ?? '1970-01-01') - Date.parse(a.lastSeenAt ?? '1970-01-01'),
};

/**
 * The members that fit an address, in its order; equal ones by name.
 * @param now epoch ms
 */
export function shownMembers(members: readonly Member[], search: Search, now: number): readonly Member[] {
  const { by, isDescending } = sortOf(search);
  const turn = isDescending ? -1 : 1;
  const byName = (a: Member, b: Member) => inWords.compare(a.name, b.name) || a.userId - b.userId;
  return members
    .filter((member) => fits(member, search, now))
    .sort((a, b) => turn * (orders[by](a, b) || (by === 'name' ? byName(a, b) : 0)) || byName(a, b));
}

/** Members as CSV with a line of headings; times are ISO. */
export function membersCsv(members: readonly Member[]): string {
  const lines = members.map((member) => [
    member.name,
    member.email,
    orgRoleName(member.orgRole),
    member.isSuspended ? 'suspended' : 'active',
    member.teams.map(({ name, role }) => `${name} (${roleName(role)})`).join('; '),
    member.joinedAt,
    member.lastSeenAt ?? '',
    signInText(member.signInWays),
  ]);
  return [['Name', 'Email', 'Role', 'State', 'Teams', 'Joined', 'Last seen', 'Sign-in'], ...lines]
    .map(csvLine)
    .join('');
}
