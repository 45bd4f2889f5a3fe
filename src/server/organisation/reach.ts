import { and, eq } from 'drizzle-orm';
import type { TeamRole } from '../../contract/permissions.ts';
import type { ReachedCluster } from '../../contract/roles.ts';
import type { Asker, Grants } from '../access/grants.ts';
import { teamClusters, teamPlaces, teams } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import { byName } from './by-name.ts';

/** The clusters that somebody of a company reaches, by which teams, and what they may do on each. */
export async function reachOf(
  store: Pick<Store, 'db'>,
  grants: Pick<Grants, 'reach'>,
  person: Asker,
): Promise<ReachedCluster[]> {
  const by = await store.db
    .select({ clusterId: teamClusters.clusterId, id: teams.id, name: teams.name, role: teamPlaces.role })
    .from(teamPlaces)
    .innerJoin(teams, eq(teams.id, teamPlaces.teamId))
    .innerJoin(teamClusters, eq(teamClusters.teamId, teams.id))
    .where(and(eq(teamPlaces.userId, person.id), eq(teamPlaces.companyId, person.companyId)))
    .orderBy(byName(teams.name), teams.id);
  return (await grants.reach(person)).map(({ cluster, held }) => ({
    id: cluster.id,
    name: cluster.name,
    colour: cluster.colour,
    teams: held.isOwner
      ? []
      : by
          .filter(({ clusterId }) => clusterId === cluster.id)
          .map(({ id, name, role }) => ({ id, name, role: role as TeamRole })),
    permissions: held.names.map((name) => {
      const namespaces = held.namespacesFor(name);
      return { name, namespaces: namespaces === 'all' ? null : [...namespaces].sort() };
    }),
  }));
}
