import { and, desc, eq, gt, ne } from 'drizzle-orm';
import type { OwnSession } from '../../contract/sessions.ts';
import { Problem } from '../../contract/problem.ts';
import { companies } from '../store/schema/companies.ts';
import { identityProviders } from '../store/schema/identities.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Person } from './person.ts';
import type { Clock } from '../kit/clock.ts';

/** The sessions of a person as they see and end them. */
export class OwnSessions {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #clock: Clock;
  readonly #labels: ReadonlyMap<string, string>;

  /** @param labels of the installation's providers by key */
  constructor(store: Pick<Store, 'db' | 'channel'>, clock: Clock, labels: ReadonlyMap<string, string>) {
    this.#store = store;
    this.#clock = clock;
    this.#labels = labels;
  }

  /** Those that are open, the newest use first. */
  async list(person: Person): Promise<OwnSession[]> {
    const now = new Date(this.#clock.now()).toISOString();
    const rows = await this.#store.db
      .select({ session: sessions, company: companies.name, label: identityProviders.name })
      .from(sessions)
      .leftJoin(companies, eq(companies.id, sessions.companyId))
      .leftJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
      .where(and(this.#own(person), gt(sessions.expiresAt, now), gt(sessions.idleExpiresAt, now)))
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
    return rows.map(({ session, company, label }) => ({
      id: session.id,
      isCurrent: session.tokenHash.toString('hex') === person.sessionHash,
      company,
      way: label ?? this.#labels.get(session.signInWay) ?? session.signInWay,
      userAgent: session.userAgent,
      address: session.address,
      createdAt: session.createdAt,
      lastSeenAt: session.lastSeenAt,
    }));
  }

  /** Ends one, with everything that it has open, on every server. Throws Problem 404. */
  async end(person: Person, sessionId: number): Promise<void> {
    const ended = await this.#end(person, eq(sessions.id, sessionId));
    if (ended === 0)
      throw new Problem({ status: 404, title: 'This session has already ended, or it is not yours.' });
  }

  /** Ends all but the one that asks. */
  async endOthers(person: Person): Promise<void> {
    await this.#end(person, ne(sessions.tokenHash, Buffer.from(person.sessionHash, 'hex')));
  }

  async #end(person: Person, which: ReturnType<typeof eq>): Promise<number> {
    const { db, channel } = this.#store;
    return await db.transaction(async (tx) => {
      const ended = await tx
        .delete(sessions)
        .where(and(this.#own(person), which))
        .returning({ tokenHash: sessions.tokenHash });
      for (const { tokenHash } of ended)
        await channel.notify('sessions', { userId: person.id, tokenHash: tokenHash.toString('hex') }, tx);
      return ended.length;
    });
  }

  /** A session that a company's provider opened knows of that company's sessions alone. */
  #own({ id, providerId, companyId }: Person) {
    return and(
      eq(sessions.userId, id),
      providerId === null ? undefined : eq(sessions.companyId, companyId ?? 0),
    );
  }
}
