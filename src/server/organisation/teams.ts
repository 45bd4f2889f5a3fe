import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { TeamRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Team } from '../../contract/teams.ts';
import type { Member } from '../access/person.ts';
import { noSuchTeam } from '../access/teams.ts';
import { isUniqueViolation } from '../store/problem.ts';
import { teamPlaces, teams } from '../store/schema/teams.ts';
import type { Store } from '../store/store.ts';
import { byName } from './by-name.ts';
import { changeGrants } from './change-grants.ts';
import { requireStillOwner } from './still-owner.ts';

/**
 * The teams of a company. The guard decided who may ask; every query names the company, and every change is told to all
 * servers with its commit: it may take a right away, and other people's open pages list teams.
 */
export class Teams {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** All teams for an Owner, their own for others, by name. */
  async list(person: Member, isOwner: boolean): Promise<Team[]> {
    return await this.#read(person, isOwner ? undefined : sql`own.role is not null`);
  }

  /** One team. Throws Problem 404. */
  async one(person: Member, teamId: number): Promise<Team> {
    const [team] = await this.#read(person, eq(teams.id, teamId));
    if (team === undefined) throw noSuchTeam();
    return team;
  }

  /** Creates a team. Throws Problem 409 for a name that another team has. */
  async create(person: Member, input: { name: string; description: string }): Promise<Team> {
    const teamId = await this.#unlessTaken(input.name, async () =>
      changeGrants(this.#store, person, async (tx) => {
        await requireStillOwner(tx, person);
        const [row] = await tx
          .insert(teams)
          .values({ companyId: person.companyId, ...input })
          .returning({ id: teams.id });
        if (row === undefined) throw new Error('The team could not be stored.');
        return row.id;
      }),
    );
    return await this.one(person, teamId);
  }

  /** Renames or describes a team. Throws Problem 404, or 409 for a name that another team has. */
  async update(person: Member, teamId: number, input: { name: string; description: string }): Promise<Team> {
    await this.#unlessTaken(input.name, async () =>
      changeGrants(this.#store, person, async (tx) => {
        await requireStillOwner(tx, person);
        await tx
          .update(teams)
          .set(input)
          .where(and(eq(teams.id, teamId), eq(teams.companyId, person.companyId)));
      }),
    );
    return await this.one(person, teamId);
  }

  /** Deletes a team. Throws Problem 404. */
  async delete(person: Member, teamId: number): Promise<void> {
    await changeGrants(this.#store, person, async (tx) => {
      await requireStillOwner(tx, person);
      const gone = await tx
        .delete(teams)
        .where(and(eq(teams.id, teamId), eq(teams.companyId, person.companyId)))
        .returning({ id: teams.id });
      if (gone.length === 0) throw noSuchTeam();
    });
  }

  async #read(person: Member, condition: SQL | undefined): Promise<Team[]> {
    const own = this.#store.db
      .select({ teamId: teamPlaces.teamId, role: teamPlaces.role })
      .from(teamPlaces)
      .where(eq(teamPlaces.userId, person.id))
      .as('own');
    const rows = await this.#store.db
      .select({
        id: teams.id,
        name: teams.name,
        description: teams.description,
        memberCount: sql<number>`(select count(*)::int from team_places tm where tm.team_id = ${teams}.id)`,
        clusterCount: sql<number>`(select count(*)::int from team_clusters tc where tc.team_id = ${teams}.id)`,
        ownRole: own.role,
      })
      .from(teams)
      .leftJoin(own, eq(own.teamId, teams.id))
      .where(and(eq(teams.companyId, person.companyId), condition))
      .orderBy(byName(teams.name), teams.id);
    return rows.map((row) => ({ ...row, ownRole: row.ownRole as TeamRole | null }));
  }

  async #unlessTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new Problem({
        status: 409,
        title: `A team named "${name}" exists already. Choose another name.`,
      });
    }
  }
}
