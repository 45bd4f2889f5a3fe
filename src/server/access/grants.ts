import { and, eq, sql } from 'drizzle-orm';
import {
  isTeamRole,
  type Need,
  orgRoles,
  type Permission,
  permissions,
  rolePermissions,
} from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { type ClusterRow, clusters } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { Member } from './person.ts';

/** A cluster that a person reaches, and what they may do there. */
export interface Reach {
  readonly cluster: ClusterRow;
  readonly held: ReadonlySet<Permission>;
  readonly isOwner: boolean;
}

/** Answers from the current grants, on every call, whether a person may do something. Nothing else decides this. */
export interface Grants {
  /** The permissions of a person on a cluster of their company; empty when none of their teams reaches it. */
  permissions(
    person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
    clusterId: number,
  ): Promise<ReadonlySet<Permission>>;
  /** The clusters a person may see, by name. */
  clusters(person: Pick<Member, 'id' | 'companyId' | 'orgRole'>): Promise<ClusterRow[]>;
  /** The clusters a person may see, by name, with what they may do on each. */
  reach(person: Pick<Member, 'id' | 'companyId' | 'orgRole'>): Promise<Reach[]>;
  /**
   * The cluster, if the person may see it. Throws Problem 404 "No such cluster." otherwise, so that the existence of
   * other clusters is not revealed.
   */
  cluster(person: Pick<Member, 'id' | 'companyId' | 'orgRole'>, clusterId: number): Promise<ClusterRow>;
  /** Throws Problem 404 as `cluster`, or 403 naming what is missing; returns the cluster. */
  require(
    person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
    clusterId: number,
    need: Need,
  ): Promise<ClusterRow>;
}

type Asker = Pick<Member, 'id' | 'companyId' | 'orgRole'>;

/** Largest id of the store's integer columns: a larger one names nothing and must not reach a query. */
const largestId = 2_147_483_647;
const allPermissions: ReadonlySet<Permission> = new Set(permissions);
const noPermissions: ReadonlySet<Permission> = new Set();

/** The answer for an unknown, foreign or ungranted cluster: all three get the same one. */
export function noSuchCluster(): Problem {
  return new Problem({ status: 404, title: 'No such cluster.' });
}

/**
 * Grants read from the store on every call. The organisation role is read there as well: a caller that holds a person
 * for hours (the live socket) hears of a demotion or removal with its next question.
 */
export function createGrants(store: Pick<Store, 'db'>): Grants {
  const { db } = store;

  // Tables are named in words: drizzle leaves them off columns inside the fields of a select from one table.
  const orgRoleOf = (person: Asker) =>
    sql<number | null>`(select m.org_role from memberships m
      where m.user_id = ${person.id} and m.company_id = ${person.companyId} and m.state = 'active')`;
  const rolesOf = (person: Asker) =>
    sql<number[]>`array(select tm.role from team_members tm
      join team_clusters tc on tc.team_id = tm.team_id
      where tc.cluster_id = clusters.id and tm.user_id = ${person.id}
        and tm.company_id = ${person.companyId} and tc.company_id = ${person.companyId})`;

  const find = async (person: Asker, clusterId: number) => {
    if (!Number.isInteger(clusterId) || clusterId < 1 || clusterId > largestId) return undefined;
    const [row] = await db
      .select({ cluster: clusters, orgRole: orgRoleOf(person), roles: rolesOf(person) })
      .from(clusters)
      .where(and(eq(clusters.id, clusterId), eq(clusters.companyId, person.companyId)));
    if (row === undefined) return undefined;
    const held = heldBy(row.orgRole, row.roles);
    const isOwner = row.orgRole === orgRoles.Owner;
    return held.size === 0 ? undefined : { cluster: row.cluster, held, isOwner };
  };

  const cluster = async (person: Asker, clusterId: number) => {
    const found = await find(person, clusterId);
    if (found === undefined) throw noSuchCluster();
    return found;
  };

  const reach = async (person: Asker): Promise<Reach[]> => {
    const rows = await db
      .select({ cluster: clusters, orgRole: orgRoleOf(person), roles: rolesOf(person) })
      .from(clusters)
      .where(eq(clusters.companyId, person.companyId))
      // In the order they were added: a new one is the last of the list.
      .orderBy(clusters.id);
    return rows.flatMap((row) => {
      const held = heldBy(row.orgRole, row.roles);
      return held.size === 0 ? [] : [{ cluster: row.cluster, held, isOwner: row.orgRole === orgRoles.Owner }];
    });
  };

  return {
    permissions: async (person, clusterId) => (await find(person, clusterId))?.held ?? noPermissions,
    clusters: async (person) => (await reach(person)).map((one) => one.cluster),
    reach,
    cluster: async (person, clusterId) => (await cluster(person, clusterId)).cluster,
    require: async (person, clusterId, need) => {
      const found = await cluster(person, clusterId);
      if (need === 'owner') {
        if (found.isOwner) return found.cluster;
        throw new Problem({
          status: 403,
          title: `Only an Owner of your organisation can do this on ${found.cluster.name}. Ask one of them.`,
        });
      }
      const missing = (typeof need === 'string' ? [need] : need).find((one) => !found.held.has(one));
      if (missing !== undefined) {
        throw new Problem({
          status: 403,
          title: `You lack the permission "${missing}" on ${found.cluster.name}. An Owner of your organisation can grant it.`,
        });
      }
      return found.cluster;
    },
  };
}

/** The permissions of a person's roles on one cluster, combined; an Owner has all of them, a former member none. */
export function heldBy(orgRole: number | null, roles: readonly number[]): ReadonlySet<Permission> {
  if (orgRole === null) return noPermissions;
  if (orgRole === orgRoles.Owner) return allPermissions;
  return new Set(roles.filter(isTeamRole).flatMap((role) => rolePermissions[role]));
}
