import { and, eq, gt, lte } from 'drizzle-orm';
import { addressLinkHours, sessionLinkLimit, sessionLinkMinutes } from '../../contract/own-address.ts';
import { Problem } from '../../contract/problem.ts';
import { links, users } from '../store/schema/accounts.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Person } from './person.ts';
import { proveAddress } from './proven-address.ts';
import { hashToken, newToken } from './sessions.ts';
import { sessionOf } from './session-of.ts';
import type { Clock } from '../kit/clock.ts';

const minute = 60_000;
/** Sorts of links. At most `limit` are mailed to one account in the minutes for which they are counted. */
const sorts = {
  /** Shows the address to be the account's. */
  account: {
    purpose: 'address',
    minutes: addressLinkHours * 60,
    counted: addressLinkHours * 60,
    limit: 3,
    per: 'today',
  },
  /** Shows besides that whoever has the session that asked for it reads the mail of the address. */
  session: {
    purpose: 'session address',
    minutes: sessionLinkMinutes,
    counted: 60,
    limit: sessionLinkLimit,
    per: 'within an hour',
  },
} as const;
/** A sort of address link, by the proof that it gives. */
export type AddressLinkSort = keyof typeof sorts;

/** A link of a session is stored by a digest of both, so no other session finds it. */
const hashOf = (token: string, sort: AddressLinkSort, { sessionHash }: Pick<Person, 'sessionHash'>): Buffer =>
  hashToken(sort === 'account' ? token : `${token} ${sessionHash}`);

/**
 * Links that show an address to be the account's. Each is used by a session of that account alone: whoever made an
 * account with somebody else's address gains nothing when its owner opens the link.
 */
export class AddressLinks {
  readonly #store: Pick<Store, 'db'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether a person's address was shown to be theirs. */
  async isProven({ id }: Pick<Person, 'id'>): Promise<boolean> {
    const [own] = await this.#store.db
      .select({ provenAt: users.emailProvenAt })
      .from(users)
      .where(eq(users.id, id));
    return own !== undefined && own.provenAt !== null;
  }

  /**
   * Makes a link and returns its token. Throws Problem 409 where enough were mailed, and where the address is proven
   * already and the link is not for the session.
   */
  async make(
    person: Pick<Person, 'id' | 'email' | 'sessionHash'>,
    sort: AddressLinkSort = 'account',
  ): Promise<string> {
    if (sort === 'account' && (await this.isProven(person)))
      throw new Problem({ status: 409, title: `${person.email} is already confirmed as your address.` });
    const token = newToken();
    const { purpose, minutes, counted, limit, per } = sorts[sort];
    await this.#store.db.transaction(async (tx) => {
      // One after the other for each account, so that several at once are counted.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, person.id)).for('update');
      const forgotten = this.#iso((minutes - counted) * minute);
      await tx.delete(links).where(and(eq(links.purpose, purpose), lte(links.expiresAt, forgotten)));
      const mailed = await tx
        .select({ userId: links.userId })
        .from(links)
        .where(and(eq(links.purpose, purpose), eq(links.userId, person.id)));
      if (mailed.length >= limit)
        throw new Problem({
          status: 409,
          title: `${limit} links were mailed to ${person.email} ${per}. Look for them in your mailbox and its spam folder.`,
        });
      await tx.insert(links).values({
        tokenHash: hashOf(token, sort, person),
        purpose,
        userId: person.id,
        expiresAt: this.#iso(minutes * minute),
      });
    });
    return token;
  }

  /**
   * Uses a link. Throws Problem 410 for one that is unknown, used, expired, another account's or asked for in another
   * session; the five are alike.
   */
  async use(person: Pick<Person, 'id' | 'email' | 'sessionHash'>, token: string): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const isOfSession = await this.#take(tx, person, token, 'session');
      if (!isOfSession && !(await this.#take(tx, person, token, 'account')))
        throw new Problem({
          status: 410,
          title: `This link is unknown, was already used, has expired, was not mailed to ${person.email}, or was asked for in another session. Ask for a new one.`,
        });
      await proveAddress(tx, person.id, person.email);
      if (isOfSession)
        await tx.update(sessions).set({ addressProvedAt: this.#iso() }).where(sessionOf(person));
    });
  }

  /** Uses up a link of one sort, and the others of that sort with it; false where there is none. */
  async #take(
    tx: Transaction,
    person: Pick<Person, 'id' | 'sessionHash'>,
    token: string,
    sort: AddressLinkSort,
  ): Promise<boolean> {
    const own = and(eq(links.purpose, sorts[sort].purpose), eq(links.userId, person.id));
    const used = await tx
      .delete(links)
      .where(and(own, eq(links.tokenHash, hashOf(token, sort, person)), gt(links.expiresAt, this.#iso())))
      .returning({ userId: links.userId });
    if (used.length === 0) return false;
    await tx.delete(links).where(own);
    return true;
  }

  /** A moment as the store has it. @param later ms from now */
  #iso(later = 0): string {
    return new Date(this.#clock.now() + later).toISOString();
  }
}
