import { and, eq, sql } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { endShutOut } from '../access/live-tokens.ts';
import type { Member } from '../access/person.ts';
import { sessionOf } from '../access/session-of.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store } from '../store/store.ts';

/** The rule as an Owner sees it. */
interface RuleState {
  readonly isOn: boolean;
  readonly ownersWithout: string[];
  readonly cameByPasskey: boolean;
}

/** The rule of a company that its Owners sign in with a passkey. */
export class PasskeyRule {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** Whether it holds, which Owners have no passkey yet, and whether a passkey opened the session that asks. */
  async read({ companyId, sessionHash }: Member): Promise<RuleState> {
    const { db } = this.#store;
    const [company] = await db
      .select({ isOn: companies.ownersUsePasskeys })
      .from(companies)
      .where(eq(companies.id, companyId));
    const owners = await db
      .select({ name: users.name })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          eq(memberships.companyId, companyId),
          eq(memberships.state, 'active'),
          eq(memberships.orgRole, orgRoles.Owner),
          sql`not exists (select 1 from passkeys p where p.user_id = ${users.id})`,
        ),
      )
      .orderBy(users.name, users.id);
    const [session] = await db
      .select({ passkeyId: sessions.passkeyId })
      .from(sessions)
      .where(sessionOf({ sessionHash }));
    return {
      isOn: company?.isOn ?? false,
      ownersWithout: owners.map(({ name }) => name),
      cameByPasskey: session !== undefined && session.passkeyId !== null,
    };
  }

  /**
   * Sets the rule; with it the sessions of Owners end that no passkey opened, but for those of an enforced provider of the
   * company, and the API tokens that were made in such. Throws Problem 409 where no passkey opened the session that asks: one that works comes first.
   */
  async set(person: Member, isOn: boolean): Promise<void> {
    const { db, channel } = this.#store;
    const { companyId } = person;
    if (isOn && !(await this.read(person)).cameByPasskey)
      throw new Problem({
        status: 409,
        title:
          'Sign in with a passkey first, to be sure that it works before every Owner needs one. Register it under Settings, Sign-in and sessions.',
      });
    await db.transaction(async (tx) => {
      await tx.update(companies).set({ ownersUsePasskeys: isOn }).where(eq(companies.id, companyId));
      if (!isOn) return;
      await endShutOut(tx, channel, { companyId });
    });
  }
}
