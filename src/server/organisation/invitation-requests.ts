import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { Problem } from '../../contract/problem.ts';
import type { Person } from '../access/person.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { invitationRequests, memberships, requestsPutAway } from '../store/schema/memberships.ts';
import type { Store, Transaction } from '../store/store.ts';
import { isActiveOwner } from './owners.ts';
import type { Clock } from '../kit/clock.ts';

/** Owners are mailed about one person's request at most once in this time, ms. */
const mailInterval = 24 * 3_600_000;

/** Mails of one request: to as many Owners at most, those that were here last. Each request queues as many. */
const mailedOwners = 3;

/** Owners whose pages one request is told to, at most: a notice has room for that many. */
const toldOwners = 100;

/** The part of an address behind the @, lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Asking to be invited. The answer is the same whether a company has the domain or not, and so is its work. */
export class InvitationRequests {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #mailer: Mailer;
  readonly #clock: Clock;
  readonly #origin: () => string;

  constructor(parts: {
    readonly store: Pick<Store, 'db' | 'channel'>;
    readonly mailer: Mailer;
    readonly clock: Clock;
    readonly origin: () => string;
  }) {
    this.#store = parts.store;
    this.#mailer = parts.mailer;
    this.#clock = parts.clock;
    this.#origin = parts.origin;
  }

  /**
   * Stores the request, tells the open pages of the Owners of the companies with the person's domain, and queues mails to
   * some of them: all or nothing. Asking again within a day changes nothing, also where the request was put away meanwhile. Throws Problem 409
   * for somebody who belongs to a company, and for an address that nobody has shown to be the person's.
   */
  async ask(person: Person): Promise<void> {
    if (person.companyId !== null) {
      throw new Problem({
        status: 409,
        title: `You belong to ${person.companyName}. Ask an Owner of the other organisation to invite you.`,
      });
    }
    const [own] = await this.#store.db
      .select({ provenAt: users.emailProvenAt })
      .from(users)
      .where(eq(users.id, person.id));
    if (own === undefined || own.provenAt === null) {
      throw new Problem({
        status: 409,
        title: `${person.email} is not confirmed as your address, so no request was sent. Confirm it under Settings, Profile, or ask an Owner of the organisation to invite you.`,
      });
    }
    const askedAt = new Date(this.#clock.now()).toISOString();
    const domain = domainOf(person.email);
    await this.#store.db.transaction(async (tx) => {
      const noted = await tx
        .insert(invitationRequests)
        .values({ userId: person.id, domain, askedAt })
        .onConflictDoUpdate({
          target: invitationRequests.userId,
          set: { domain, askedAt },
          setWhere: lt(invitationRequests.askedAt, new Date(this.#clock.now() - mailInterval).toISOString()),
        })
        .returning({ userId: invitationRequests.userId });
      if (noted.length === 0) return;
      await tx.delete(requestsPutAway).where(eq(requestsPutAway.userId, person.id));
      await this.#tell(domain, tx);
      await this.#mail(person, domain, tx);
    });
  }

  /** Tells the pages of the Owners, on every server; of nobody the same way. */
  async #tell(domain: string, tx: Transaction): Promise<void> {
    const owners = await tx
      .selectDistinct({ id: memberships.userId })
      .from(companies)
      .innerJoin(memberships, eq(memberships.companyId, companies.id))
      .where(and(eq(companies.domain, domain), isActiveOwner))
      .limit(toldOwners);
    await this.#store.channel.notify('account', { userIds: owners.map(({ id }) => id) }, tx);
  }

  /** Queues the mails to the Owners, and mails for nobody in place of those that are missing. */
  async #mail(person: Person, domain: string, tx: Transaction): Promise<void> {
    if (!this.#mailer.isConfigured) return;
    const owners = await tx
      .select({ email: users.email, companyName: companies.name })
      .from(companies)
      .innerJoin(memberships, eq(memberships.companyId, companies.id))
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(companies.domain, domain), isActiveOwner, isNotNull(users.emailProvenAt)))
      .orderBy(sql`${memberships.lastSeenAt} desc nulls last`, users.id)
      .limit(mailedOwners);
    for (let index = 0; index < mailedOwners; index += 1) {
      const owner = owners[index];
      const { email, companyName } = owner ?? { email: person.email, companyName: domain };
      await this.#mailer.send(
        {
          purpose: 'invitation request',
          to: email,
          subject: `${person.name} asks for an invitation to ${companyName}`,
          text: [
            `${person.name} (${person.email}) asks for an invitation to ${companyName} on Wheelhouse.`,
            'Invite them, or dismiss the request, on the members page of the organisation:',
            `${this.#origin()}/settings/organization/members`,
          ].join('\n\n'),
          isForNobody: owner === undefined,
        },
        tx,
      );
    }
  }
}
