import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Company, OwnCompany } from '../../contract/companies.ts';
import type { OrgRole } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { tellAllInvited } from '../access/invited.ts';
import type { Member, Person } from '../access/person.ts';
import { endResetLinks } from '../access/reset-links.ts';
import type { PlanLimits } from '../plans/limits.ts';
import { users } from '../store/schema/accounts.ts';
import { auditRows } from '../store/schema/audit.ts';
import { clusters } from '../store/schema/clusters.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { shellRecordings } from '../store/schema/recordings.ts';
import type { Store } from '../store/store.ts';
import { lockChains } from '../audit/chain.ts';
import { chainEnd, dropCompany } from '../audit/dropping.ts';
import { byName } from './by-name.ts';
import { domainOf } from './invitation-requests.ts';
import { isPublicDomain } from './public-domains.ts';
import { requireStillOwner } from './still-owner.ts';

/** Who asks for the deletion of a company, from where, for its record. */
export interface Deletion {
  readonly typedName: string;
  readonly address: string;
  readonly requestId: string;
}

/** The company of a session, and the companies of a person. The guard decided who may ask. */
export class Companies {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #limits: PlanLimits;

  constructor(store: Pick<Store, 'db' | 'channel'>, limits: PlanLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /** The company of the session. */
  async one(person: Member): Promise<Company> {
    const [row] = await this.#store.db
      .select({
        companyId: companies.id,
        name: companies.name,
        domain: companies.domain,
        keepsRows: companies.keepsRows,
        members: sql<number>`(select count(*)::int from memberships m where m.company_id = companies.id and m.state <> 'left')`,
        clusters: sql<number>`(select count(*)::int from clusters c where c.company_id = companies.id)`,
      })
      .from(companies)
      .where(eq(companies.id, person.companyId));
    if (row === undefined) throw new Problem({ status: 404, title: 'This organisation no longer exists.' });
    return row;
  }

  /**
   * Renames it or sets its domain. Throws Problem 409 for a domain of a mail provider, one that is not that of the Owner's
   * own address, or whose address nobody has shown to be theirs: the Owners of a domain learn who asks from there.
   */
  async change(person: Member, input: { name: string; domain: string | null }): Promise<Company> {
    const before = await this.one(person);
    if (input.domain !== null && input.domain !== before.domain) {
      if (isPublicDomain(input.domain)) {
        throw new Problem({
          status: 409,
          title: `Anybody can have an address at ${input.domain}, so it cannot be the domain of an organisation. Invite people by their addresses.`,
        });
      }
      const [proven] = await this.#store.db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, person.id), isNotNull(users.emailProvenAt)));
      if (input.domain !== domainOf(person.email) || proven === undefined) {
        throw new Problem({
          status: 409,
          title:
            input.domain !== domainOf(person.email)
              ? `${input.domain} is not the domain of your own address. An Owner with an address in that domain can set it.`
              : `${person.email} is not confirmed as your address, so its domain cannot be set. Confirm it under Settings, Profile.`,
        });
      }
    }
    const { companyId } = person;
    await this.#store.db.transaction(async (tx) => {
      // The company's row first, as in its deletion, which takes the memberships after it.
      await tx.update(companies).set(input).where(eq(companies.id, companyId));
      await requireStillOwner(tx, person);
      await this.#store.channel.notify('account', { companyId }, tx);
    });
    return await this.one(person);
  }

  /** Sets whether browsers keep the last known rows of lists. Pages have another key, or none, from their next visit on. */
  async setKeptRows(person: Member, keepsRows: boolean): Promise<Company> {
    const { companyId } = person;
    await this.#store.db.transaction(async (tx) => {
      await tx.update(companies).set({ keepsRows }).where(eq(companies.id, companyId));
      await requireStillOwner(tx, person);
      await this.#store.channel.notify('account', { companyId }, tx);
    });
    return await this.one(person);
  }

  /**
   * Deletes the company with all that it has here; the accounts of its people stay theirs. All its sessions end with the
   * commit. Throws Problem 409 unless its name was typed, and while it goes on paying for a plan.
   */
  async delete(person: Member, { typedName, address, requestId }: Deletion): Promise<void> {
    const { companyId } = person;
    await this.#store.db.transaction(async (tx) => {
      await tx.execute(lockChains);
      const [row] = await tx
        .select({ name: companies.name })
        .from(companies)
        .where(eq(companies.id, companyId))
        .for('update');
      if (row === undefined || row.name !== typedName.trim()) {
        throw new Problem({
          status: 409,
          title: `Type the name of the organisation to delete it: ${row?.name ?? person.companyName}.`,
        });
      }
      await requireStillOwner(tx, person);
      await this.#limits.requireNoPayment(tx, companyId);
      const people = await tx
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(eq(memberships.companyId, companyId));
      // Those of its Owners would open the account to them in whatever company it joins next.
      for (const { userId } of people) await endResetLinks(tx, userId);
      const gone = await tx
        .select({ clusterId: clusters.id })
        .from(clusters)
        .where(eq(clusters.companyId, companyId));
      const recordings = await tx.$count(shellRecordings, eq(shellRecordings.companyId, companyId));
      await tellAllInvited(tx, this.#store, companyId);
      // The company's own record goes with it: this row is the installation's.
      const [told] = await tx
        .insert(auditRows)
        .values({
          companyId: null,
          userId: person.id,
          actor: person.email,
          action: 'deleteCompany',
          subject: { companyId, name: row.name, recordings, ...(await chainEnd(tx, companyId)) },
          address,
          requestId,
          finishedAt: sql`now()`,
          status: 204,
        })
        .returning({ id: auditRows.id });
      if (told === undefined) throw new Error('The audit row was not stored.');
      await dropCompany(tx, companyId, told.id);
      await tx.delete(companies).where(eq(companies.id, companyId));
      const { channel } = this.#store;
      for (const { clusterId } of gone) await channel.notify('clusters', { companyId, clusterId }, tx);
      for (const { userId } of people) await channel.notify('sessions', { userId }, tx);
      await channel.notify('grants', { companyId }, tx);
    });
  }

  /** The companies of a person, by name. */
  async ofPerson(person: Person): Promise<OwnCompany[]> {
    const rows = await this.#store.db
      .select({ companyId: companies.id, name: companies.name, orgRole: memberships.orgRole })
      .from(memberships)
      .innerJoin(companies, eq(companies.id, memberships.companyId))
      .where(and(eq(memberships.userId, person.id), eq(memberships.state, 'active')))
      .orderBy(byName(companies.name), companies.id);
    return rows.map(({ orgRole, ...row }) => ({
      ...row,
      orgRole: orgRole as OrgRole,
      isCurrent: row.companyId === person.companyId,
    }));
  }

  /** Throws Problem 404 unless a person belongs to a company. */
  async requireOwn(person: Person, companyId: number): Promise<void> {
    const own = await this.ofPerson(person);
    if (!own.some((one) => one.companyId === companyId))
      throw new Problem({ status: 404, title: 'You do not belong to this organisation.' });
  }
}
