import { and, arrayContains, eq, exists, isNull, or, type SQL, sql } from 'drizzle-orm';
import { lacking } from '../../contract/needs.ts';
import {
  clusterPermissions,
  type Need,
  orgRoles,
  permissionsOfRole,
  teamRoles,
} from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { WhyNotAnswer } from '../../contract/roles.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { noSuchTeam, requireTeam } from '../access/teams.ts';
import { users } from '../store/schema/accounts.ts';
import { memberships } from '../store/schema/memberships.ts';
import { teamClusters, teamPlaces, teams } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import { byName } from './by-name.ts';
import { ownerNames } from './owners.ts';
import { readChangedRoles } from './roles.ts';

/** A question of a person: what they lack for something on a cluster, in a namespace of it, in a team, or in the company. */
export interface WhyNotQuestion {
  /** `team`: to manage the members of a team. */
  readonly needs: Need | 'team';
  readonly clusterId?: number | undefined;
  readonly teamId?: number | undefined;
  readonly namespace?: string | undefined;
}

/**
 * The permissions that a person lacks for something, and the people who can grant them. It names the Owners of their own company, and TeamAdmins only
 * of teams that they are in themselves, which they see anyway. Throws Problem 404 for a cluster that they do not reach and
 * a team that they do not see, and 400 for a permission without a cluster.
 */
export async function whyNot(
  { store, grants }: { readonly store: Pick<Store, 'db'>; readonly grants: Grants },
  person: Member,
  { needs, clusterId, teamId, namespace }: WhyNotQuestion,
): Promise<WhyNotAnswer> {
  if (needs === 'team') {
    if (teamId === undefined) throw new Problem({ status: 400, title: 'Name the team.' });
    return await whyNotInTeam(store, person, teamId);
  }
  const isOwner = person.orgRole === orgRoles.Owner;
  const owners = await ownerNames(store, person.companyId);
  if (clusterId === undefined) {
    if (needs !== 'owner') {
      throw new Problem({ status: 400, title: 'Permissions apply to a cluster. Name the cluster.' });
    }
    return { missing: isOwner ? [] : ['owner'], owners, teamAdmins: [] };
  }
  const { cluster, held } = await grants.access(person, clusterId);
  const place = namespace === undefined ? 'cluster' : { namespace };
  const missing = lacking(needs, (one) => held.may(one, place), held.isOwner);
  const changed = await readChangedRoles(store.db, person.companyId);
  const highest = permissionsOfRole(teamRoles.TeamAdmin, changed.get(teamRoles.TeamAdmin));
  const mayTeamAdmin = missing.length > 0 && missing.every((one) => one !== 'owner' && highest.includes(one));
  return {
    cluster: cluster.name,
    ...(namespace === undefined ? {} : { namespace }),
    missing: [...missing],
    owners,
    teamAdmins: mayTeamAdmin
      ? await teamAdminsOf(store, person, {
          clusterId,
          // A grant that is restricted to namespaces gives nothing on the cluster itself.
          namespace: missing.some((one) => one !== 'owner' && clusterPermissions.has(one))
            ? undefined
            : namespace,
        })
      : [],
  };
}

/** What a person lacks to manage the members of a team that they see. */
async function whyNotInTeam(store: Pick<Store, 'db'>, person: Member, teamId: number): Promise<WhyNotAnswer> {
  const position = await requireTeam(store.db, person, teamId, 'view');
  const isMissing = position !== 'owner' && position !== teamRoles.TeamAdmin;
  const [team] = await store.db.select({ name: teams.name }).from(teams).where(eq(teams.id, teamId));
  if (team === undefined) throw noSuchTeam();
  return {
    team: team.name,
    missing: isMissing ? ['team'] : [],
    owners: await ownerNames(store, person.companyId),
    teamAdmins: isMissing ? await adminsIn(store, person, eq(teams.id, teamId)) : [],
  };
}

/** The TeamAdmins of the person's own teams that reach a cluster as a whole, or a namespace of it. */
async function teamAdminsOf(
  store: Pick<Store, 'db'>,
  person: Member,
  { clusterId, namespace }: Pick<WhyNotQuestion, 'namespace'> & { readonly clusterId: number },
): Promise<{ name: string; team: string }[]> {
  const reaching = store.db
    .select({ one: sql`1` })
    .from(teamClusters)
    .where(
      and(
        eq(teamClusters.teamId, teams.id),
        eq(teamClusters.clusterId, clusterId),
        namespace === undefined
          ? isNull(teamClusters.namespaces)
          : or(isNull(teamClusters.namespaces), arrayContains(teamClusters.namespaces, [namespace])),
      ),
    );
  return await adminsIn(store, person, exists(reaching));
}

/** The TeamAdmins of those of the person's own teams that a condition is true for. */
async function adminsIn(
  { db }: Pick<Store, 'db'>,
  { id, companyId }: Member,
  condition: SQL,
): Promise<{ name: string; team: string }[]> {
  const isIn = sql`(select 1 from team_places own where own.team_id = ${teamPlaces.teamId} and own.user_id = ${id})`;
  return await db
    .select({ name: users.name, team: teams.name })
    .from(teamPlaces)
    .innerJoin(teams, eq(teams.id, teamPlaces.teamId))
    .innerJoin(
      memberships,
      and(
        eq(memberships.userId, teamPlaces.userId),
        eq(memberships.companyId, companyId),
        eq(memberships.state, 'active'),
      ),
    )
    .innerJoin(users, eq(users.id, teamPlaces.userId))
    .where(
      and(
        eq(teamPlaces.companyId, companyId),
        eq(teamPlaces.role, teamRoles.TeamAdmin),
        exists(isIn),
        condition,
      ),
    )
    .orderBy(byName(teams.name), byName(users.name), users.id);
}
