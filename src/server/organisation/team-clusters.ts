import { and, eq } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { TeamCluster } from '../../contract/teams.ts';
import type { Member } from '../access/person.ts';
import { noSuchTeam } from '../access/teams.ts';
import { clusters } from '../store/schema/clusters.ts';
import { teamClusters, teams } from '../store/schema/teams.ts';
import type { Store, Transaction } from '../store/store.ts';
import { byName } from './by-name.ts';
import { changeGrants } from './change-grants.ts';
import { requireStillOwner } from './still-owner.ts';

/** Which clusters a team reaches. The guard decided who may ask; every query names the company. */
export class TeamClusters {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** The clusters that a team reaches, by name. */
  async list(person: Member, teamId: number): Promise<TeamCluster[]> {
    return await this.#store.db
      .select({
        id: clusters.id,
        name: clusters.name,
        description: clusters.description,
        colour: clusters.colour,
        namespaces: teamClusters.namespaces,
      })
      .from(teamClusters)
      .innerJoin(clusters, eq(clusters.id, teamClusters.clusterId))
      .where(and(eq(teamClusters.teamId, teamId), eq(teamClusters.companyId, person.companyId)))
      .orderBy(byName(clusters.name), clusters.id);
  }

  /**
   * Lets a team reach a cluster of the company. Throws Problem 404 for an unknown one.
   * @param namespaces only these of it, or null for all; without it a grant that is there stays as it is
   */
  async add(
    person: Member,
    teamId: number,
    clusterId: number,
    namespaces: readonly string[] | null | undefined,
  ): Promise<void> {
    await changeGrants(this.#store, person, async (tx) => {
      await requireStillOwner(tx, person);
      await requireOwn(tx, person, teamId, clusterId);
      const named = namespaces === undefined || namespaces === null ? null : [...new Set(namespaces)].sort();
      const grant = tx
        .insert(teamClusters)
        .values({ companyId: person.companyId, teamId, clusterId, namespaces: named });
      const target = [teamClusters.teamId, teamClusters.clusterId];
      await (namespaces === undefined
        ? grant.onConflictDoNothing()
        : grant.onConflictDoUpdate({ target, set: { namespaces: named } }));
    });
  }

  /** Takes a cluster away from a team. Throws Problem 404 where it does not reach it. */
  async remove(person: Member, teamId: number, clusterId: number): Promise<void> {
    await changeGrants(this.#store, person, async (tx) => {
      await requireStillOwner(tx, person);
      const gone = await tx
        .delete(teamClusters)
        .where(
          and(
            eq(teamClusters.teamId, teamId),
            eq(teamClusters.clusterId, clusterId),
            eq(teamClusters.companyId, person.companyId),
          ),
        )
        .returning({ clusterId: teamClusters.clusterId });
      if (gone.length === 0)
        throw new Problem({ status: 404, title: 'The team has no access to this cluster.' });
    });
  }
}

/** Throws Problem 404 unless team and cluster are of the person's company. */
async function requireOwn(tx: Transaction, person: Member, teamId: number, clusterId: number): Promise<void> {
  const [team] = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), eq(teams.companyId, person.companyId)));
  if (team === undefined) throw noSuchTeam();
  const [cluster] = await tx
    .select({ id: clusters.id })
    .from(clusters)
    .where(and(eq(clusters.id, clusterId), eq(clusters.companyId, person.companyId)));
  if (cluster === undefined) throw new Problem({ status: 404, title: 'There is no such cluster.' });
}
