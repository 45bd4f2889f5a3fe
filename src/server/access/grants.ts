import { and, eq, type SQL, sql } from 'drizzle-orm';
import { lacking, type Requirement } from '../../contract/needs.ts';
import {
  clusterPermissions,
  isPermission,
  isTeamRole,
  orgRoles,
  type Permission,
  permissions,
  permissionsOfRole,
  type RoleChanges,
} from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { type ClusterRow, clusters } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { isLiveToken } from './live-tokens.ts';
import {
  createHeld,
  type HeldPermissions,
  limitedTo,
  type Namespaces,
  overlap,
  type Place,
  type PlacedNeed,
  union,
} from './held.ts';
import type { Member, TokenLimits } from './person.ts';
import { excludedBy, ownExcluded, type Sight } from './sight.ts';

/** The settings of a cluster that decide what may be done there. */
export type ClusterSettings = Pick<
  ClusterRow,
  | 'id'
  | 'companyId'
  | 'name'
  | 'isProtected'
  | 'isReadOnly'
  | 'isShellAllowed'
  | 'isShellRecorded'
  | 'isImpersonating'
  | 'namespaces'
  | 'credentialVersion'
>;

/** A person's permissions on a cluster that they reach, and their view of it. */
export interface Rights extends Sight {
  readonly cluster: ClusterSettings;
  /** Name of the API token that leaves no more than this of what the person may do; absent for a session. */
  readonly token?: string;
}

/** The same with the whole row of the cluster. */
export interface Reach extends Rights {
  readonly cluster: ClusterRow;
}

/** Answers from the current grants, on every call, whether a person may do something. Nothing else decides this. */
export interface Grants {
  /** What a person may do on a cluster of their company; nothing where none of their teams reaches it. */
  held(person: Asker, clusterId: number): Promise<HeldPermissions>;
  /** The clusters a person may see, by name. */
  clusters(person: Asker): Promise<ClusterRow[]>;
  /** The clusters a person may see, by name, with what they may do on each. */
  reach(person: Asker): Promise<Reach[]>;
  /**
   * The cluster, if the person may see it. Throws Problem 404 "There is no such cluster." otherwise, so that the existence of
   * other clusters is not revealed.
   */
  cluster(person: Asker, clusterId: number): Promise<ClusterRow>;
  /** The cluster as `cluster` gives it, with what the person may do there. Throws Problem 404. */
  access(person: Asker, clusterId: number): Promise<Reach>;
  /**
   * Throws Problem 404 as `cluster`, or 403 naming what is missing where; returns the cluster.
   * @param place where it is needed: whoever asks says so, nothing stands for all namespaces by itself
   */
  require(person: Asker, clusterId: number, need: Requirement, place: Place): Promise<ClusterRow>;
}

/** Who is asked about. */
export type Asker = Pick<Member, 'id' | 'companyId' | 'orgRole' | 'token'>;

/** Largest id of the store's integer columns: a larger one names nothing and must not reach a query. */
const largestId = 2_147_483_647;
const everyPermission = createHeld(new Map(permissions.map((name) => [name, 'all'])), true);
const noPermission = createHeld(new Map(), false);

/** The answer for an unknown, foreign or ungranted cluster: all three get the same one. */
export function noSuchCluster(): Problem {
  return new Problem({ status: 404, title: 'There is no such cluster.' });
}

/**
 * Grants read from the store on every call. The organisation role is read there as well: a caller that holds a person
 * for hours (the live socket) hears of a demotion or removal with its next question.
 */
export function createGrants(store: Pick<Store, 'db'>): Grants {
  const { db } = store;

  const userId = sql`${sql.placeholder('userId')}`;
  const companyId = sql`${sql.placeholder('companyId')}`;
  const tokenId = sql`${sql.placeholder('tokenId')}::integer`;
  // Tables are named in words: drizzle leaves them off columns inside the fields of a select from one table.
  const clusterId = sql`clusters.id`;
  const reading = {
    cluster: clusters,
    orgRole: sql<number | null>`(select m.org_role from memberships m
      where m.user_id = ${userId} and m.company_id = ${companyId} and m.state = 'active'
        and (${tokenId} is null or ${isLiveToken({ id: tokenId })}))`,
    grants: teamGrants({ clusterId, userId, companyId }),
    ownExcluded: ownExcluded({ clusterId, userId }),
  };
  const ofCompany = sql`${clusters.companyId} = ${companyId}`;
  // Every call asks this: PostgreSQL keeps the plans, which take longer to make than to follow.
  const readOne = db
    .select(reading)
    .from(clusters)
    .where(and(ofCompany, eq(clusters.id, sql.placeholder('clusterId'))))
    .prepare('grants_on_cluster');
  const readAll = db
    .select(reading)
    .from(clusters)
    .where(ofCompany)
    // In the order they were added: a new one is the last of the list.
    .orderBy(clusters.id)
    .prepare('grants_on_clusters');
  const asking = (person: Asker) => ({
    userId: person.id,
    companyId: person.companyId,
    tokenId: person.token?.id ?? null,
  });

  const reachIn = (
    person: Asker,
    row: {
      cluster: ClusterRow;
      orgRole: number | null;
      grants: readonly Grant[];
      ownExcluded: readonly string[] | null;
    },
  ): Reach | undefined => {
    const held = withinToken(heldBy(row.orgRole, row.grants), person.token, row.cluster.id);
    if (held.names.length === 0) return undefined;
    const excluded = excludedBy(row.cluster.excludedNamespaces, row.ownExcluded, person.token !== null);
    return {
      cluster: row.cluster,
      held,
      excluded,
      ...(person.token === null ? {} : { token: person.token.name }),
    };
  };

  const find = async (person: Asker, clusterId: number) => {
    if (!Number.isInteger(clusterId) || clusterId < 1 || clusterId > largestId) return undefined;
    const [row] = await readOne.execute({ ...asking(person), clusterId });
    return row === undefined ? undefined : reachIn(person, row);
  };

  const cluster = async (person: Asker, clusterId: number) => {
    const found = await find(person, clusterId);
    if (found === undefined) throw noSuchCluster();
    return found;
  };

  const reach = async (person: Asker): Promise<Reach[]> => {
    const rows = await readAll.execute(asking(person));
    return rows.flatMap((row) => reachIn(person, row) ?? []);
  };

  return {
    held: async (person, clusterId) => (await find(person, clusterId))?.held ?? noPermission,
    clusters: async (person) => (await reach(person)).map((one) => one.cluster),
    reach,
    cluster: async (person, clusterId) => (await cluster(person, clusterId)).cluster,
    access: cluster,
    require: async (person, clusterId, need, place) => {
      const found = await cluster(person, clusterId);
      requireHeld(found, need, place);
      return found.cluster;
    },
  };
}

/** Throws Problem 403 naming what somebody who sees a cluster lacks there. For many places at once: one reading of grants. */
export function requireHeld({ cluster, held, token }: Rights, need: Requirement, place: Place): void {
  if (held.may(need, place)) return;
  const lacked = lacking(need, (one) => held.may(one, place), held.isOwner);
  if (token !== undefined && lacked[0] === 'owner')
    throw new Problem({
      status: 403,
      title: 'API tokens cannot do what only Owners may do. Sign in to the console instead.',
    });
  if (lacked[0] === 'owner') {
    throw new Problem({
      status: 403,
      title: `Only an Owner of your organisation can do this on ${cluster.name}. Ask one of them.`,
      lacking: { needs: ['owner'], clusterId: cluster.id },
    });
  }
  // What is held somewhere each, and nowhere together, lacks as a whole.
  const missing = lacked[0] ?? lacking(need, () => false, false)[0] ?? '';
  const within = held.namespacesFor(need);
  const where =
    typeof place === 'string' ? cluster.name : `${cluster.name} in the namespace ${place.namespace}`;
  if (token !== undefined)
    throw new Problem({
      status: 403,
      title: `The API token “${token}” does not reach as far as "${missing}" on ${where}: it does not have the scope, or you do not have the permission there.`,
    });
  const lack =
    place === 'cluster' && within !== 'all' && within.size > 0
      ? `You have the permission "${missing}" on ${cluster.name} in some namespaces only (${someOf(within)}), but this needs it on the whole cluster.`
      : `You lack the permission "${missing}" on ${where}.`;
  throw new Problem({
    status: 403,
    title: `${lack} An Owner of your organisation can grant it.`,
    lacking: {
      needs: [...lacked],
      clusterId: cluster.id,
      ...(typeof place === 'string' ? {} : { namespace: place.namespace }),
    },
  });
}

/**
 * Throws Problem 404 for a cluster that somebody does not reach, or 403 naming the first need that they lack; returns
 * their rights there.
 */
export function requireNeeds(rights: Rights | undefined, needs: readonly PlacedNeed[]): Rights {
  if (rights === undefined) throw noSuchCluster();
  for (const { need, place } of needs) requireHeld(rights, need, place);
  return rights;
}

/** Namespaces of a sentence, at most. */
const maxNamed = 5;

function someOf(namespaces: ReadonlySet<string>): string {
  const names = [...namespaces].sort();
  const rest = names.length - maxNamed;
  return rest > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(', ');
}

/** What an API token leaves of what its person may do on a cluster. */
export function withinToken(
  held: HeldPermissions,
  token: Pick<TokenLimits, 'scopes' | 'clusterIds'> | null,
  clusterId: number,
): HeldPermissions {
  if (token === null) return held;
  if (token.clusterIds !== null && !token.clusterIds.has(clusterId)) return noPermission;
  return limitedTo(held, token.scopes);
}

/** The grant of a team on a cluster, by the role of one of its members. */
export interface TeamGrant {
  readonly role: number;
  /** The namespaces that it is restricted to; null for the whole cluster. */
  readonly namespaces: readonly string[] | null;
  /** What the company changed about the role; null where it holds its default. */
  readonly changes?: RoleChanges | null;
}

/** Permissions on a cluster for a while. They are held as they are, never as those of a role. */
export interface TemporaryGrant {
  readonly permissions: readonly string[];
  /** The namespaces that it is restricted to; null for the whole cluster. */
  readonly namespaces: readonly string[] | null;
  /** The namespaces that the team reaches by which it was approved; null for all of them, and for an Owner's approval. */
  readonly within: readonly string[] | null;
}

/** A grant of either sort. */
export type Grant = TeamGrant | TemporaryGrant;

/** Whether a grant lasts: what is held for a while approves nothing. */
export const isLasting = (grant: Grant): grant is TeamGrant => 'role' in grant;

/** Every grant of a person on a cluster, for a query that names both; what `heldBy` takes. */
export function teamGrants(of: { readonly clusterId: SQL; readonly userId: SQL; readonly companyId: SQL }) {
  return sql<Grant[]>`(
    select coalesce(json_agg(one.held), '[]') from (
    select json_build_object('role', tm.role, 'namespaces', tc.namespaces,
      'changes', (select json_object_agg(ra.permission, ra.is_held) from role_adjustments ra
        where ra.company_id = ${of.companyId} and ra.role = tm.role)) as held
    from team_places tm join team_clusters tc on tc.team_id = tm.team_id
    where tc.cluster_id = ${of.clusterId} and tm.user_id = ${of.userId}
      and tm.company_id = ${of.companyId} and tc.company_id = ${of.companyId}
    union all
    select json_build_object('permissions', tg.permissions, 'namespaces', tg.namespaces, 'within', tc.namespaces)
    from temporary_grants tg left join team_clusters tc on tc.team_id = tg.team_id and tc.cluster_id = tg.cluster_id
    where tg.cluster_id = ${of.clusterId} and tg.user_id = ${of.userId} and tg.company_id = ${of.companyId}
      and tg.ends_at > clock_timestamp()) one)`;
}

/**
 * What a person's grants on one cluster add up to, pair by pair: a permission of one team in the namespaces of another
 * is held by nobody. An Owner has everything, a former member nothing. What was given for a while adds to what lasting
 * grants give on the cluster; without any it gives nothing.
 */
export function heldBy(orgRole: number | null, grants: readonly Grant[]): HeldPermissions {
  if (orgRole === null) return noPermission;
  if (orgRole === orgRoles.Owner) return everyPermission;
  const pairs = new Map<Permission, Namespaces>();
  const add = (names: readonly Permission[], namespaces: Namespaces) => {
    for (const name of names) {
      // What is about objects of the cluster itself is held in no namespace.
      if (namespaces !== 'all' && clusterPermissions.has(name)) continue;
      pairs.set(name, union(pairs.get(name) ?? new Set(), namespaces));
    }
  };
  for (const { role, namespaces, changes } of grants.filter(isLasting)) {
    if (isTeamRole(role)) add(permissionsOfRole(role, changes ?? {}), namespacesOf(namespaces));
  }
  if (pairs.size === 0) return noPermission;
  for (const grant of grants) {
    if (isLasting(grant)) continue;
    const places = overlap(namespacesOf(grant.namespaces), namespacesOf(grant.within));
    add(grant.permissions.filter(isPermission), places);
  }
  return createHeld(pairs, false);
}

const namespacesOf = (names: readonly string[] | null): Namespaces =>
  names === null ? 'all' : new Set(names);
