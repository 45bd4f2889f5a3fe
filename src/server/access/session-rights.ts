import { sql } from 'drizzle-orm';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Database } from '../store/store.ts';
import { limitsOf } from './api-tokens.ts';
import { type Grant, heldBy, teamGrants, withinToken } from './grants.ts';
import { openBearers } from './live-tokens.ts';
import { excludedBy, ownExcluded, type Sight, sightKey } from './sight.ts';

/** The settings of a cluster that decide what may be done there. */
export type ClusterSettings = Pick<
  ClusterRow,
  | 'id'
  | 'name'
  | 'isProtected'
  | 'isReadOnly'
  | 'isShellAllowed'
  | 'isShellRecorded'
  | 'isImpersonating'
  | 'namespaces'
  | 'credentialVersion'
>;

/** A person's permissions on a cluster, and what they look at. */
export interface Rights extends Sight {
  readonly cluster: ClusterSettings;
}

/** The current rights of an open session. */
export interface SessionRights {
  readonly userId: number;
  readonly companyId: number | null;
  readonly orgRole: number;
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

/** A session or API token, by the SHA-256 of its token (hex), and the clusters that it has something open on. */
export interface SessionQuery {
  readonly sessionHash: string;
  readonly clusterIds: ReadonlySet<number>;
}

/** The rights of each open session, by its hash; sessions that ended are left out. One query, however many. */
export async function readSessionRights(
  db: Pick<Database, 'execute'>,
  asked: readonly SessionQuery[],
): Promise<ReadonlyMap<string, SessionRights>> {
  const pairs = new Map<string, readonly [hash: string, clusterId: number]>();
  for (const { sessionHash, clusterIds } of asked) {
    // No cluster has the id 0: such a pair asks for the session alone.
    for (const id of [0, ...clusterIds]) pairs.set(`${sessionHash} ${id}`, [sessionHash, id]);
  }
  const hashes = [...pairs.values()].map(([hash]) => hash);
  const ids = [...pairs.values()].map(([, id]) => id);
  const { rows } = await db.execute<RightsRow>(sql`
    select asked.hash, s.user_id, s.company_id, s.token_id, s.token_name, s.scopes, s.cluster_ids, m.org_role, c.id, c.name,
      c.is_protected, c.is_read_only, c.is_shell_allowed, c.is_shell_recorded, c.is_impersonating, c.namespaces, c.credential_version,
      c.excluded_namespaces, ${ownExcluded({ clusterId: sql`c.id`, userId: sql`s.user_id` })} as own_excluded,
      ${teamGrants({ clusterId: sql`c.id`, userId: sql`s.user_id`, companyId: sql`s.company_id` })} as grants
    from unnest(${sql.param(hashes)}::text[], ${sql.param(ids)}::int[]) as asked(hash, cluster_id)
    join ${openBearers} s on s.token_hash = decode(asked.hash, 'hex')
    join memberships m on m.user_id = s.user_id and m.company_id = s.company_id and m.state = 'active'
    left join clusters c on c.id = asked.cluster_id and c.company_id = s.company_id`);
  const found = new Map<string, SessionRights & { readonly rights: Map<number, Rights> }>();
  for (const row of rows) {
    const session = found.get(row.hash) ?? {
      userId: row.user_id,
      companyId: row.company_id,
      orgRole: row.org_role,
      rights: new Map<number, Rights>(),
    };
    found.set(row.hash, session);
    const rights = rightsIn(row);
    if (rights !== undefined) session.rights.set(rights.cluster.id, rights);
  }
  return found;
}

interface RightsRow extends Record<string, unknown> {
  readonly hash: string;
  readonly user_id: number;
  readonly company_id: number | null;
  /** Null, like the other three of an API token, for a session. */
  readonly token_id: number | null;
  readonly token_name: string;
  readonly scopes: string[];
  readonly cluster_ids: number[] | null;
  readonly org_role: number;
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
      name: row.name,
      isProtected: row.is_protected,
      isReadOnly: row.is_read_only,
      isShellAllowed: row.is_shell_allowed,
      isShellRecorded: row.is_shell_recorded,
      isImpersonating: row.is_impersonating,
      namespaces: row.namespaces,
      credentialVersion: row.credential_version,
    },
  };
}
