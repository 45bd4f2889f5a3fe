import { type SQL, sql } from 'drizzle-orm';
import type { AccessRequest } from '../../contract/access-requests.ts';
import { isPermission, orgRoles, teamRoles } from '../../contract/permissions.ts';
import { type Grant, heldBy, isLasting, teamGrants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { Transaction } from '../store/store.ts';
import { type Authority, authorityOver, type SharedTeam, type StoredState, stateAt } from './access-rules.ts';
import { systemClock } from '../kit/clock.ts';

/** A request as one person sees it, and by what they may decide on it. */
export interface SeenRequest {
  readonly request: AccessRequest;
  /** Undefined where they may not; also for an own one. */
  readonly authority: Authority | undefined;
  /** Whether whoever asked is an active member. */
  readonly isActive: boolean;
}

interface RequestRow extends Record<string, unknown> {
  readonly now: number;
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly is_active: boolean;
  readonly cluster_id: number;
  readonly cluster_name: string;
  readonly permissions: string[];
  readonly namespaces: string[] | null;
  readonly reason: string;
  readonly minutes: number;
  readonly state: StoredState['state'];
  readonly has_grant: boolean;
  readonly asked_at: number;
  readonly decide_by: number;
  readonly ends_at: number | null;
  /** Ids and names of the people who approved it, the first one first. */
  readonly approvers: { readonly id: number; readonly name: string }[];
  readonly approvers_needed: number;
  readonly decided_by: number | null;
  readonly decider: string | null;
  /** Of whoever looks; null for a former member. */
  readonly own_role: number | null;
  readonly own_grants: Grant[];
  readonly shared_teams: SharedTeam[];
}

const milliseconds = (column: SQL) => sql`(extract(epoch from ${column}) * 1000)::float8`;

/**
 * The requests that are some business of a person: their own, all for an Owner, and for a TeamAdmin those of members of
 * their teams on clusters that these reach; besides those that they decided on. Of other people's those of two days,
 * which are all that may wait or be active.
 * @param ids these alone, however old
 */
export async function readRequests(
  db: Pick<Transaction, 'execute'>,
  person: Pick<Member, 'id' | 'companyId'>,
  ids?: readonly [number, ...number[]],
): Promise<{ readonly now: string; readonly requests: SeenRequest[] }> {
  const { companyId } = person;
  const which =
    ids === undefined
      ? sql`(r.created_at > now() - interval '2 days'
          or (r.user_id = ${person.id} and r.created_at > now() - interval '30 days'))`
      : sql`r.id in ${ids}`;
  const { rows } = await db.execute<RequestRow>(sql`
    select ${milliseconds(sql`clock_timestamp()`)} as now, r.id, r.user_id, u.name, u.email,
      m.state = 'active' as is_active, r.cluster_id, c.name as cluster_name, r.permissions, r.namespaces, r.reason,
      r.minutes, r.state, exists (select 1 from temporary_grants g where g.request_id = r.id) as has_grant,
      ${milliseconds(sql`r.created_at`)} as asked_at, ${milliseconds(sql`r.decide_by`)} as decide_by,
      ${milliseconds(sql`r.ends_at`)} as ends_at, r.decided_by, d.name as decider,
      (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by array_position(r.approved_by, a.id)), '[]')
        from users a where a.id = any(r.approved_by)) as approvers,
      (select access_approvers from companies where id = r.company_id) as approvers_needed,
      (select own.org_role from memberships own
        where own.user_id = ${person.id} and own.company_id = ${companyId} and own.state = 'active') as own_role,
      ${teamGrants({ clusterId: sql`c.id`, userId: sql`${person.id}`, companyId: sql`${companyId}` })} as own_grants,
      (select coalesce(json_agg(json_build_object('teamId', tm.team_id, 'namespaces', tc.namespaces)
          order by tc.namespaces is not null, tm.team_id), '[]')
        from team_places tm
        join team_places asking on asking.team_id = tm.team_id and asking.user_id = r.user_id
        join team_clusters tc on tc.team_id = tm.team_id and tc.cluster_id = r.cluster_id
        where tm.user_id = ${person.id} and tm.role = ${teamRoles.TeamAdmin} and tm.company_id = ${companyId})
        as shared_teams
    from access_requests r
    join users u on u.id = r.user_id
    join memberships m on m.user_id = r.user_id and m.company_id = r.company_id
    join clusters c on c.id = r.cluster_id
    left join users d on d.id = r.decided_by
    where r.company_id = ${companyId} and ${which}
    order by r.id desc`);
  const now = new Date(rows[0]?.now ?? systemClock.now()).toISOString();
  return { now, requests: rows.flatMap((row) => seenBy(row, person.id) ?? []) };
}

function seenBy(row: RequestRow, viewerId: number): SeenRequest | undefined {
  const isOwn = row.user_id === viewerId;
  const asked = { permissions: row.permissions.filter(isPermission), namespaces: row.namespaces };
  const lasting = heldBy(row.own_role, row.own_grants.filter(isLasting));
  const isOwner = row.own_role === orgRoles.Owner;
  const authority = isOwn
    ? undefined
    : authorityOver(asked, { isOwner, lasting, sharedTeams: row.shared_teams });
  const hasApproved = row.approvers.some(({ id }) => id === viewerId);
  const isDecider = row.decided_by === viewerId || hasApproved;
  if (!isOwn && authority === undefined && !isDecider && row.shared_teams.length === 0) return undefined;
  const stored = { ...row, decideBy: row.decide_by, endsAt: row.ends_at, hasGrant: row.has_grant };
  const state = stateAt(stored, row.now);
  const mayDecide = state === 'pending' && authority !== undefined && row.is_active;
  const mayEnd =
    state === 'active' ? isOwn || isDecider || authority !== undefined : state === 'pending' && isOwn;
  return {
    authority,
    isActive: row.is_active,
    request: {
      ...asked,
      id: row.id,
      person: { name: row.name, email: row.email },
      cluster: { id: row.cluster_id, name: row.cluster_name },
      reason: row.reason,
      minutes: row.minutes,
      state,
      askedAt: new Date(row.asked_at).toISOString(),
      decideBy: new Date(row.decide_by).toISOString(),
      approvedBy: row.approvers.map(({ name }) => name),
      approversNeeded: row.approvers_needed,
      decidedBy: row.decider,
      endsAt: row.ends_at === null ? null : new Date(row.ends_at).toISOString(),
      isOwn,
      mayDecide,
      mayApprove: mayDecide && (!hasApproved || row.approvers.length >= row.approvers_needed),
      mayEnd,
    },
  };
}
