import { and, eq, gt, lte } from 'drizzle-orm';
import { addressLinkHours } from '../../contract/own-address.ts';
import { Problem } from '../../contract/problem.ts';
import { links, users } from '../store/schema/accounts.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Person } from './person.ts';
import { proveAddress } from './proven-address.ts';
import { hashToken, newToken } from './sessions.ts';
import { sessionOf } from './session-of.ts';

const purpose = 'address';
/** Lifetime of such a link, ms. */
const lifetime = addressLinkHours * 3_600_000;
/** More links than this are not mailed to one account within a link's lifetime. */
const mailLimit = 3;

/**
 * Links that show an address to be the account's. Each is used by a session of that account alone: whoever made an
 * account with somebody else's address gains nothing when its owner opens the link.
 */
export class AddressLinks {
  readonly #store: Pick<Store, 'db'>;
  readonly #now: () => number;

  constructor(store: Pick<Store, 'db'>, now: () => number) {
    this.#store = store;
    this.#now = now;
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
   * Makes a link and returns its token. Throws Problem 409 where enough are under way, and where the address is proven
   * already, unless it is to be `anew`: in the session that uses the link.
   */
  async make(person: Pick<Person, 'id' | 'email'>, { anew = false } = {}): Promise<string> {
    if (!anew && (await this.isProven(person)))
      throw new Problem({ status: 409, title: `${person.email} is already confirmed as your address.` });
    const token = newToken();
    await this.#store.db.transaction(async (tx) => {
      // One after the other for each account, so that several at once are counted.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, person.id)).for('update');
      await tx.delete(links).where(and(eq(links.purpose, purpose), lte(links.expiresAt, this.#iso())));
      const open = await tx
        .select({ userId: links.userId })
        .from(links)
        .where(and(eq(links.purpose, purpose), eq(links.userId, person.id)));
      if (open.length >= mailLimit)
        throw new Problem({
          status: 409,
          title: `${mailLimit} links were mailed to ${person.email} today. Look for them in your mailbox and its spam folder.`,
        });
      const expiresAt = this.#iso(lifetime);
      await tx.insert(links).values({ tokenHash: hashToken(token), purpose, userId: person.id, expiresAt });
    });
    return token;
  }

  /** Uses a link. Throws Problem 410 for one that is unknown, used, expired or another account's; the four are alike. */
  async use(person: Pick<Person, 'id' | 'email' | 'sessionHash'>, token: string): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const used = await tx
        .delete(links)
        .where(
          and(
            eq(links.tokenHash, hashToken(token)),
            eq(links.purpose, purpose),
            eq(links.userId, person.id),
            gt(links.expiresAt, this.#iso()),
          ),
        )
        .returning({ userId: links.userId });
      if (used.length === 0)
        throw new Problem({
          status: 410,
          title: `This link is unknown, was already used, has expired, or was not mailed to ${person.email}. Ask for a new one.`,
        });
      await tx.delete(links).where(and(eq(links.purpose, purpose), eq(links.userId, person.id)));
      await proveAddress(tx, person.id, person.email);
      await tx.update(sessions).set({ addressProvedAt: this.#iso() }).where(sessionOf(person));
    });
  }

  /** A moment as the store has it. @param later ms from now */
  #iso(later = 0): string {
    return new Date(this.#now() + later).toISOString();
  }
}
