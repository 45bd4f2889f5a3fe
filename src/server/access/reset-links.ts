import { and, eq, gt, inArray, isNotNull, lte, ne, or, sql } from 'drizzle-orm';
import { resetMinutes } from '../../contract/reset.ts';
import { Problem } from '../../contract/problem.ts';
import { links, users } from '../store/schema/accounts.ts';
import { identities } from '../store/schema/identities.ts';
import { memberships } from '../store/schema/memberships.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Member } from './person.ts';
import { revokeTokensOf } from './live-tokens.ts';
import type { Database, Store, Transaction } from '../store/store.ts';
import { hashNewPassword, ownWordsOf } from './new-password.ts';
import { forgetProofs } from './proven-address.ts';
import { hashToken, newToken } from './sessions.ts';
import type { Clock } from '../kit/clock.ts';

/** Links that are mailed or made by the operator, and those that an Owner hands over. */
const purposes = ['reset', 'member-reset'] as const;
type ResetPurpose = (typeof purposes)[number];
/** Lifetime of a reset link, ms. */
const lifetime = resetMinutes * 60_000;
/** More links than this are not mailed to one account within a link's lifetime. */
const mailLimit = 3;

/** A reset link. Only its hash is stored. */
export interface ResetLink {
  readonly token: string;
  readonly expiresAt: string;
}

/** The account whose password was reset, and the ways by which it is signed in to besides. */
export interface ResetAccount {
  readonly userId: number;
  /** Null where nobody has shown that the address is the account's. */
  readonly provenEmail: string | null;
  readonly passkeys: number;
  readonly identities: number;
}

/** Links by which somebody sets a new password. The token lies in the store as a hash, and is used once. */
export class ResetLinks {
  readonly #store: Pick<Store, 'db' | 'channel'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db' | 'channel'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Makes a link for an account. For nobody the same row is stored, which opens nothing: what a request costs tells no
   * one whether an address is known.
   */
  async make(userId: number | null, purpose: ResetPurpose = 'reset'): Promise<ResetLink> {
    const { db } = this.#store;
    const token = newToken();
    const now = this.#clock.now();
    const expiresAt = iso(now + lifetime);
    await db.delete(links).where(and(inArray(links.purpose, purposes), lte(links.expiresAt, iso(now))));
    await db.insert(links).values({ tokenHash: hashToken(token), purpose, userId, expiresAt });
    return { token, expiresAt };
  }

  /**
   * Makes a link for whoever has an address, and says whether it is to be mailed: not to an address that nobody has shown
   * to be the account's, nor too often.
   * @param email lower case
   */
  async request(email: string): Promise<ResetLink & { readonly isMailed: boolean }> {
    const { db } = this.#store;
    const [user] = await db
      .select({ id: users.id, provenAt: users.emailProvenAt })
      .from(users)
      .where(eq(users.email, email));
    const userId = user !== undefined && user.provenAt !== null ? user.id : null;
    const open = await db
      .select({ hash: links.tokenHash })
      .from(links)
      .where(
        and(
          eq(links.purpose, 'reset'),
          eq(links.userId, userId ?? 0),
          gt(links.expiresAt, iso(this.#clock.now())),
        ),
      );
    return { ...(await this.make(userId)), isMailed: userId !== null && open.length < mailLimit };
  }

  /**
   * Makes a link that an Owner hands over. Throws Problem 404 for nobody of the company, and 409 for somebody who belongs
   * or belonged to another one, since whoever holds the link holds the account, and for the Owner themself: a copied session
   * must not get around the present password.
   */
  async makeForMember({ id, companyId }: Member, userId: number): Promise<ResetLink> {
    if (userId === id)
      throw new Problem({
        status: 409,
        title:
          'A reset link is for other people. Change your own password under Settings, Profile; if you have forgotten it, ask another Owner.',
      });
    await requireSoleMember(
      this.#store.db,
      { companyId, userId },
      'This account is not your organisation’s alone, so you cannot reset its password. The person can reset it by mail, or the operator of this console can: npm run admin -- reset-link.',
    );
    return await this.make(userId, 'member-reset');
  }

  /** Makes a link for the operator to hand over. Throws Problem 404 when nobody has this address. */
  async makeForAddress(email: string): Promise<ResetLink & { readonly userId: number }> {
    const [user] = await this.#store.db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, email.trim().toLowerCase()));
    if (user === undefined)
      throw new Problem({ status: 404, title: `No account has the email address ${email} here.` });
    return { ...(await this.make(user.id)), userId: user.id };
  }

  /** Whether a link would be taken now. */
  async isOpen(token: string): Promise<boolean> {
    const rows = await this.#store.db.select({ userId: links.userId }).from(links).where(this.#open(token));
    return rows.length > 0;
  }

  /**
   * Sets a new password by a link: the link, the account's other reset links, all its sessions and API tokens end. By the
   * link of an Owner, who can read it, what showed the address to be the account's ends as well: no other company's
   * invitation of that address is the Owner's to accept. Passkeys and connected providers stay, as people lose a password
   * more often than an account: the answer counts them, so that the person looks. Throws Problem 410 for a link that is
   * unknown, used or expired; the three are alike. Throws 400 for a password that is easy to guess; the link stays good.
   * @param notify queues what tells the account's owner of it, with the change itself. The password is set even where that
   *   throws.
   */
  async use(
    token: string,
    password: string,
    notify: (account: ResetAccount, within: Transaction) => Promise<void> = () => Promise.resolve(),
    onUnnotified: (error: unknown) => void = () => undefined,
  ): Promise<ResetAccount> {
    const { db, channel } = this.#store;
    const [open] = await db.select({ userId: links.userId }).from(links).where(this.#open(token));
    if (open?.userId == null) throw goneLink();
    const passwordHash = await hashNewPassword(password, await ownWordsOf(db, open.userId));
    return await db.transaction(async (tx) => {
      const [link] = await tx
        .delete(links)
        .where(this.#open(token))
        .returning({ userId: links.userId, purpose: links.purpose });
      const userId = link?.userId;
      if (userId == null) throw goneLink();
      await endResetLinks(tx, userId);
      if (link?.purpose === 'member-reset') await forgetProofs(tx, userId);
      const [user] = await tx
        .update(users)
        .set({ passwordHash })
        .where(eq(users.id, userId))
        .returning({ email: users.email, provenAt: users.emailProvenAt });
      await tx.delete(sessions).where(eq(sessions.userId, userId));
      await revokeTokensOf(tx, channel, userId);
      await channel.notify('sessions', { userId }, tx);
      const account: ResetAccount = {
        userId,
        provenEmail: user?.provenAt == null ? null : user.email,
        passkeys: await tx.$count(passkeys, eq(passkeys.userId, userId)),
        identities: await tx.$count(identities, eq(identities.userId, userId)),
      };
      try {
        // A savepoint: what failed in it leaves the reset as it is.
        await tx.transaction((within) => notify(account, within));
      } catch (error) {
        onUnnotified(error);
      }
      return account;
    });
  }

  #open(token: string) {
    return and(
      eq(links.tokenHash, hashToken(token)),
      inArray(links.purpose, purposes),
      gt(links.expiresAt, iso(this.#clock.now())),
      isNotNull(links.userId),
      // What an Owner was handed for one of their own people opens nothing that became another company's meanwhile.
      or(
        ne(links.purpose, 'member-reset'),
        sql`(select count(*) = 1 and bool_and(m.state <> 'left') from memberships m
          where m.user_id = links.user_id)`,
      ),
    );
  }
}

/**
 * Throws Problem 404 for nobody of the company, and 409 for somebody who belongs or belonged to another one: their account
 * is not its Owners' to help with.
 * @param title of the 409: what the Owner cannot do, and who can
 */
export async function requireSoleMember(
  db: Database | Transaction,
  { companyId, userId }: { readonly companyId: number; readonly userId: number },
  title: string,
): Promise<void> {
  const all = await db
    .select({ companyId: memberships.companyId, state: memberships.state })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  if (!all.some((one) => one.companyId === companyId && one.state !== 'left'))
    throw new Problem({ status: 404, title: 'Your organisation has no such person.' });
  if (all.some((one) => one.companyId !== companyId)) throw new Problem({ status: 409, title });
}

/** Ends the open reset links of an account, within the transaction that gives it another password. */
export async function endResetLinks(tx: Transaction, userId: number): Promise<void> {
  await tx.delete(links).where(and(inArray(links.purpose, purposes), eq(links.userId, userId)));
}

/** The refusal of a link that is unknown, used or expired: the three are alike. */
export function goneLink(): Problem {
  return new Problem({
    status: 410,
    title: 'This reset link is unknown, was used already, or has expired. Ask for a new one.',
  });
}

/** Where a reset link leads. The token stands behind `#`, so that it reaches no server log. */
export function resetUrl(origin: string, token: string): string {
  return `${origin}/login#reset=${token}`;
}

const iso = (time: number) => new Date(time).toISOString();
