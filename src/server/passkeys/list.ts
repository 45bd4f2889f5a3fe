import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import type { Passkey } from '../../contract/passkeys.ts';
import { Problem } from '../../contract/problem.ts';
import { endShutOut } from '../access/live-tokens.ts';
import { requireSoleMember } from '../access/reset-links.ts';
import type { Member, Person } from '../access/person.ts';
import { users } from '../store/schema/accounts.ts';
import { identities } from '../store/schema/identities.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Store, Transaction } from '../store/store.ts';
import { rulingCompany } from './proof.ts';

/** The passkeys of accounts: naming them, and taking them away. */
export class PasskeyList {
  readonly #store: Pick<Store, 'db' | 'channel'>;

  constructor(store: Pick<Store, 'db' | 'channel'>) {
    this.#store = store;
  }

  /** A person's passkeys, the oldest first. */
  async of(userId: number): Promise<Passkey[]> {
    return await this.#store.db
      .select({
        id: passkeys.id,
        name: passkeys.name,
        host: passkeys.host,
        createdAt: passkeys.createdAt,
        lastUsedAt: passkeys.lastUsedAt,
      })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  }

  /** Renames one of the person's. Returns its former name. Throws Problem 404. */
  async rename(person: Person, passkeyId: number, name: string): Promise<string> {
    const own = and(eq(passkeys.id, passkeyId), eq(passkeys.userId, person.id));
    return await this.#store.db.transaction(async (tx) => {
      const [row] = await tx.select({ name: passkeys.name }).from(passkeys).where(own).for('update');
      if (row === undefined) throw noSuchPasskey();
      await tx.update(passkeys).set({ name }).where(own);
      return row.name;
    });
  }

  /**
   * Removes one of the person's, ends the sessions that it opened, but for the one that asks, and returns its name.
   * Throws Problem 404, and 409 for the last one where no other way to sign in would be left, or where a company's rule
   * asks for it.
   */
  async remove(person: Person, passkeyId: number): Promise<string> {
    const { db, channel } = this.#store;
    return await db.transaction(async (tx) => {
      const [user] = await tx
        .select({ passwordHash: users.passwordHash })
        .from(users)
        .where(eq(users.id, person.id))
        .for('update');
      const own = await tx.select().from(passkeys).where(eq(passkeys.userId, person.id));
      const gone = own.find(({ id }) => id === passkeyId);
      if (gone === undefined) throw noSuchPasskey();
      if (own.length === 1) await requireOtherWay(tx, person.id, user?.passwordHash != null);
      await tx
        .delete(sessions)
        .where(
          and(
            eq(sessions.passkeyId, passkeyId),
            ne(sessions.tokenHash, Buffer.from(person.sessionHash, 'hex')),
          ),
        );
      await tx.delete(passkeys).where(eq(passkeys.id, passkeyId));
      await endShutOut(tx, channel, { userId: person.id });
      await channel.notify('sessions', { userId: person.id }, tx);
      return gone.name;
    });
  }

  /**
   * Removes every passkey of somebody whom an Owner helps, and ends the sessions that they opened. Returns how many there
   * were. Throws Problem 404 and 409 as a reset link does, for the Owner's own too: those they remove with a proof.
   */
  async removeOfMember({ id, companyId }: Member, userId: number): Promise<number> {
    if (userId === id)
      throw new Problem({
        status: 409,
        title: 'Remove your own passkeys under Settings, Sign-in and sessions.',
      });
    return await this.#store.db.transaction(async (tx) => {
      await requireSoleMember(
        tx,
        { companyId, userId },
        'This account is not your organisation’s alone, so you cannot remove its passkeys. The operator of this console can: npm run admin -- remove-passkeys.',
      );
      return await this.removeAll(tx, userId);
    });
  }

  /** Removes every passkey of an account, and ends the sessions that they opened. Returns how many there were. */
  async removeAll(tx: Transaction, userId: number): Promise<number> {
    const own = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId));
    for (const { id } of own) await tx.delete(sessions).where(eq(sessions.passkeyId, id));
    await tx.delete(passkeys).where(eq(passkeys.userId, userId));
    await endShutOut(tx, this.#store.channel, { userId });
    await this.#store.channel.notify('sessions', { userId }, tx);
    return own.length;
  }
}

/** Throws Problem 409 where the last passkey is needed: as the only way to sign in, or by the rule of a company. */
async function requireOtherWay(tx: Transaction, userId: number, hasPassword: boolean): Promise<void> {
  const ruling = await rulingCompany(tx, userId);
  if (ruling !== null)
    throw new Problem({
      status: 409,
      title: `${ruling} asks you to sign in with a passkey, and this is your last one. Register another one first.`,
    });
  if (hasPassword) return;
  // A company's provider opens that company alone.
  const others = await tx
    .select({ id: identities.id })
    .from(identities)
    .where(and(eq(identities.userId, userId), isNull(identities.providerId)))
    .limit(1);
  if (others.length === 0)
    throw new Problem({
      status: 409,
      title: 'This is your last way to sign in. Register another passkey or connect a provider first.',
    });
}

const noSuchPasskey = () =>
  new Problem({ status: 404, title: 'This passkey was already removed, or it is not yours.' });
