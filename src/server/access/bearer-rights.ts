import { sql } from 'drizzle-orm';
import { type OrgRole, orgRoles } from '../../contract/permissions.ts';
import type { Database } from '../store/store.ts';
import { limitsOf } from './api-tokens.ts';
import { type Asker, type Grant, heldBy, type Rights, teamGrants, withinToken } from './grants.ts';
import { isLiveToken, openBearers } from './live-tokens.ts';
import type { Member } from './person.ts';
import { excludedBy, ownExcluded, sightKey } from './sight.ts';

/** The rights of a session, an API token or a person at one moment. */
export interface BearerRights {
  readonly companyId: number;
  /** By an API token nobody is an Owner. */
  readonly orgRole: OrgRole;
  /** By cluster, of those that were asked about: without an entry they do not reach it. */
  readonly rights: ReadonlyMap<number, Rights>;
}

/** A text that is equal for equal rights and what is left out of views; empty for none. */
export function markOf(rights: Rights | undefined): string {
  if (rights === undefined) return '';
  const { cluster } = rights;
  const { id, name, isProtected, isReadOnly, isShellAllowed, isShellRecorded } = cluster;
  const { isImpersonating, namespaces, credentialVersion } = cluster;
  const rules = [isProtected, isReadOnly, isShellAllowed, isShellRecorded, isImpersonating];
  return JSON.stringify([sightKey(rights), id, name, ...rules, namespaces, credentialVersion]);
}

/** Names a bearer: `session` by the session or API token of somebody, `person` by themselves and the token that they use. */
export const bearerKey = (
  by: 'session' | 'person',
  { id, companyId, token, sessionHash }: BearerNames,
): string => (by === 'session' ? sessionHash : `${id} ${companyId} ${token?.id ?? 0}`);

/** The parts of a member that name a bearer. */
export type BearerNames = Pick<Asker, 'id' | 'companyId' | 'token'> & Pick<Member, 'sessionHash'>;

/** A bearer, and a cluster; without one only the bearer is asked about. */
export interface RightsQuery {
  readonly by: 'session' | 'person';
  readonly person: BearerNames;
  readonly clusterId: number | null;
}

/**
 * The rights of each bearer, by its key; left out are sessions and API tokens that open nothing any more, and people who
 * are no active members of their company. One statement, however many.
 */
export async function readBearerRights(
  db: Pick<Database, 'execute'>,
  asked: readonly RightsQuery[],
): Promise<ReadonlyMap<string, BearerRights>> {
  const sessions = new Map<string, readonly [key: string, clusterId: number]>();
  const people = new Map<string, readonly [key: string, clusterId: number, person: BearerNames]>();
  for (const { by, person, clusterId } of asked) {
    const key = bearerKey(by, person);
    // No cluster has the id 0: such a row asks for the bearer alone.
    const id = clusterId ?? 0;
    if (by === 'session') sessions.set(`${key} ${id}`, [key, id]);
    else people.set(`${key} ${id}`, [key, id, person]);
  }
  const ofSessions = [...sessions.values()];
  const ofPeople = [...people.values()];
  const texts = (values: readonly string[]) => sql`${sql.param(values)}::text[]`;
  const numbers = (values: readonly (number | null)[]) => sql`${sql.param(values)}::int[]`;
  const { rows } = await db.execute<RightsRow>(sql`
    select s.key, s.user_id, s.company_id, s.token_id, s.token_name, s.scopes, s.cluster_ids, m.org_role, c.id, c.name,
      c.is_protected, c.is_read_only, c.is_shell_allowed, c.is_shell_recorded, c.is_impersonating, c.namespaces, c.credential_version,
      c.excluded_namespaces, ${ownExcluded({ clusterId: sql`c.id`, userId: sql`s.user_id` })} as own_excluded,
      ${teamGrants({ clusterId: sql`c.id`, userId: sql`s.user_id`, companyId: sql`s.company_id` })} as grants
    from (
      select asked.key, asked.cluster_id, b.user_id, b.company_id, b.token_id, b.token_name, b.scopes, b.cluster_ids
      from unnest(${texts(ofSessions.map(([key]) => key))}, ${numbers(ofSessions.map(([, id]) => id))})
        as asked(key, cluster_id)
      join ${openBearers} b on b.token_hash = decode(asked.key, 'hex')
      union all
      select asked.key, asked.cluster_id, m.user_id, m.company_id, t.id, t.name, t.scopes, t.cluster_ids
      from unnest(${texts(ofPeople.map(([key]) => key))}, ${numbers(ofPeople.map(([, id]) => id))},
        ${numbers(ofPeople.map(([, , { id }]) => id))}, ${numbers(ofPeople.map(([, , one]) => one.companyId))},
        ${numbers(ofPeople.map(([, , { token }]) => token?.id ?? null))})
        as asked(key, cluster_id, user_id, company_id, token_id)
      join memberships m on m.user_id = asked.user_id and m.company_id = asked.company_id
      left join api_tokens t on t.id = asked.token_id
      where asked.token_id is null or ${isLiveToken({ id: sql`asked.token_id` })}) s(key, asked_id, user_id, company_id,
        token_id, token_name, scopes, cluster_ids)
    join memberships m on m.user_id = s.user_id and m.company_id = s.company_id and m.state = 'active'
    left join clusters c on c.id = s.asked_id and c.company_id = s.company_id`);
  const found = new Map<string, BearerRights & { readonly rights: Map<number, Rights> }>();
  for (const row of rows) {
    const bearer = found.get(row.key) ?? {
      companyId: row.company_id,
      orgRole: row.token_id === null ? row.org_role : orgRoles.Member,
      rights: new Map<number, Rights>(),
    };
    found.set(row.key, bearer);
    const rights = rightsIn(row);
    if (rights !== undefined) bearer.rights.set(rights.cluster.id, rights);
  }
  return found;
}

interface RightsRow extends Record<string, unknown> {
  readonly key: string;
  readonly user_id: number;
  readonly company_id: number;
  /** Null, like the other three of an API token, where there is none. */
  readonly token_id: number | null;
  readonly token_name: string;
  readonly scopes: string[];
  readonly cluster_ids: number[] | null;
  readonly org_role: OrgRole;
  /** Null, like all that follows but the grants, for a cluster that their company does not have. */
  readonly id: number | null;
  readonly name: string;
  readonly is_protected: boolean;
  readonly is_read_only: boolean;
  readonly is_shell_allowed: boolean;
  readonly is_shell_recorded: boolean;
  readonly is_impersonating: boolean;
  readonly namespaces: string[];
  readonly credential_version: number;
  readonly excluded_namespaces: string[];
  readonly own_excluded: string[] | null;
  readonly grants: Grant[];
}

function rightsIn(row: RightsRow): Rights | undefined {
  if (row.id === null) return undefined;
  const { token_id: id, token_name: name, scopes, cluster_ids: clusterIds } = row;
  const token = id === null ? null : limitsOf({ id, name, scopes, clusterIds });
  const held = withinToken(heldBy(row.org_role, row.grants), token, row.id);
  if (held.names.length === 0) return undefined;
  return {
    held,
    excluded: excludedBy(row.excluded_namespaces, row.own_excluded, token !== null),
    cluster: {
      id: row.id,
      companyId: row.company_id,
      name: row.name,
      isProtected: row.is_protected,
      isReadOnly: row.is_read_only,
      isShellAllowed: row.is_shell_allowed,
      isShellRecorded: row.is_shell_recorded,
      isImpersonating: row.is_impersonating,
      namespaces: row.namespaces,
      credentialVersion: row.credential_version,
    },
    ...(token === null ? {} : { token: token.name }),
  };
}
