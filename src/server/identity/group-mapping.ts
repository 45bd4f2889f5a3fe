import { and, eq, sql } from 'drizzle-orm';
import type { TeamRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { CompanyProvider, InstallationProviderGroups } from '../../contract/providers.ts';
import type { Member } from '../access/person.ts';
import { groupTeams, teams } from '../store/schema/teams.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { lockGroupPlaces, reviewGroupPlaces } from '../organisation/group-places.ts';
import type { Provider } from './provider.ts';

/** A group of a provider, and the place in a team that it gives. */
export type GroupTeam = CompanyProvider['groupTeams'][number];

/** The mapping of a company by the key of the provider. */
export async function readGroupTeams(db: Database, companyId: number): Promise<(key: string) => GroupTeam[]> {
  const rows = await db
    .select()
    .from(groupTeams)
    .where(eq(groupTeams.companyId, companyId))
    .orderBy(groupTeams.group, groupTeams.teamId);
  return (key) =>
    rows
      .filter(({ provider }) => provider === key)
      .map(({ group, teamId, role }) => ({ group, teamId, role: role as TeamRole }));
}

/**
 * Replaces what the groups of one provider give in one company. Who had a place, or a role there, by what is no longer
 * mapped loses it at once; what is added follows at each person's next sign-in. Throws Problem 404 for a team of another company.
 */
export async function mapGroups(
  tx: Transaction,
  { companyId, key }: { readonly companyId: number; readonly key: string },
  mapped: readonly GroupTeam[],
): Promise<void> {
  const own = await tx.select({ id: teams.id }).from(teams).where(eq(teams.companyId, companyId));
  if (!mapped.every(({ teamId }) => own.some(({ id }) => id === teamId)))
    throw new Problem({ status: 404, title: 'Your organisation has no such team.' });
  await lockGroupPlaces(tx, companyId);
  await tx.delete(groupTeams).where(and(eq(groupTeams.companyId, companyId), eq(groupTeams.provider, key)));
  if (mapped.length > 0)
    await tx
      .insert(groupTeams)
      .values(mapped.map(({ group, teamId, role }) => ({ companyId, provider: key, group, teamId, role })))
      .onConflictDoNothing();
  await reviewGroupPlaces(tx, sql`tm.company_id = ${companyId}`);
}

/** What the groups of the installation's providers give in a company. The guard decided who may ask. */
export class InstallationGroups {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #providers: readonly Provider[];

  /** @param providers those of the installation */
  constructor(store: Pick<Store, 'db' | 'channel'>, providers: readonly Provider[]) {
    this.#store = store;
    this.#providers = providers.filter(({ groupsClaim }) => groupsClaim !== null);
  }

  /** The providers that list groups, each with what they give here. */
  async list({ companyId }: Member): Promise<InstallationProviderGroups[]> {
    const of = await readGroupTeams(this.#store.db, companyId);
    return this.#providers.map(({ key, label }) => ({ key, label, groupTeams: of(key) }));
  }

  /** Replaces what the groups of one give. Throws Problem 404 for an unknown provider or team. */
  async map(person: Member, key: string, mapped: readonly GroupTeam[]): Promise<InstallationProviderGroups> {
    const { companyId } = person;
    if (!this.#providers.some((one) => one.key === key))
      throw new Problem({
        status: 404,
        title: 'No provider of this installation lists groups by this name.',
      });
    await this.#store.db.transaction(async (tx) => {
      await mapGroups(tx, { companyId, key }, mapped);
      await this.#store.channel.notify('grants', { companyId }, tx);
    });
    const changed = (await this.list(person)).find((one) => one.key === key);
    if (changed === undefined) throw new Error('The provider is gone.');
    return changed;
  }
}
