import { randomUUID } from 'node:crypto';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Member } from '../access/person.ts';
import { chatReservations, chatUsage } from '../store/schema/chat.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { TokenLimits } from './chat-models.ts';
import { today, type UsedTokens, usedTokens, usedUp } from './usage.ts';

/** How long after its day a reservation is still there, s: longer than a request takes that began on it. */
const longestRequest = 3_600;

/** What a model took, tokens. */
export interface ModelUsage {
  readonly read: number;
  readonly written: number;
}

/** Tokens that one request may take. */
export interface Reservation {
  readonly id: string;
  readonly person: Pick<Member, 'id' | 'companyId'>;
  /** The day on which they count. */
  readonly day: string;
}

/** A request to a model was not made: no tokens are left for it. Its message is a sentence for people. */
export class TokensUsedUp extends Error {}

const tooLittle = (whose: string): string =>
  `Too few of today’s model tokens are left for ${whose} to answer this as well as the questions in progress, so only the rules answer. Ask about less, or after midnight (UTC).`;

/**
 * The tokens of a day. Each request to a model reserves first what it may take at most, so that answers at the same time,
 * at whatever servers, never take more than a person and their company may; it settles afterwards what it took. A
 * reservation that is never settled, as of a server that died, counts until its day is over: its tokens may be paid for.
 */
export class TokenLedger {
  readonly #db: Store['db'];

  constructor(db: Store['db']) {
    this.#db = db;
  }

  /** Reserves tokens of today. Throws TokensUsedUp. */
  async reserve(person: Member, limits: TokenLimits, tokens: number): Promise<Reservation> {
    const { id: userId, companyId } = person;
    const day = today();
    const reservation = { id: randomUUID(), person, day };
    const refusal = await this.#db.transaction(async (tx) => {
      // One after the other for each company: the sums below are read when the lock is held.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('chat tokens'), ${companyId})`);
      await tx
        .delete(chatReservations)
        .where(
          and(
            eq(chatReservations.companyId, companyId),
            lte(chatReservations.expiresAt, sql`clock_timestamp()`),
          ),
        );
      const taken = await takenTokens(tx, person, day);
      if (taken.person + tokens > limits.person || taken.company + tokens > limits.company)
        return (
          usedUp(await usedTokens(tx, person), limits) ??
          tooLittle(taken.person + tokens > limits.person ? 'you' : 'your organisation')
        );
      await tx.insert(chatReservations).values({
        id: reservation.id,
        companyId,
        userId,
        day,
        tokens,
        expiresAt: sql`(${day}::date + 1)::timestamp at time zone 'UTC' + make_interval(secs => ${longestRequest})`,
      });
      return undefined;
    });
    if (refusal !== undefined) throw new TokensUsedUp(refusal);
    return reservation;
  }

  /**
   * Counts what a request took instead of what was reserved for it: nothing where it failed. Counts once: whoever does
   * not know whether it did may settle again. Throws errors of the database.
   */
  async settle({ id, person, day }: Reservation, { read, written }: ModelUsage): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const settled = await tx
        .delete(chatReservations)
        .where(eq(chatReservations.id, id))
        .returning({ id: chatReservations.id });
      if (settled.length === 0 || read + written === 0) return;
      await tx
        .insert(chatUsage)
        .values({
          companyId: person.companyId,
          userId: person.id,
          day,
          inputTokens: read,
          outputTokens: written,
        })
        .onConflictDoUpdate({
          target: [chatUsage.companyId, chatUsage.userId, chatUsage.day],
          set: {
            inputTokens: sql`${chatUsage.inputTokens} + ${read}`,
            outputTokens: sql`${chatUsage.outputTokens} + ${written}`,
          },
        });
    });
  }
}

/** What was used of a day and what is reserved of it, in one statement: a request is in one of the two. */
async function takenTokens(tx: Transaction, person: Member, day: string): Promise<UsedTokens> {
  const { companyId } = person;
  const taken = tx
    .select({
      userId: chatUsage.userId,
      tokens: sql<number>`${chatUsage.inputTokens} + ${chatUsage.outputTokens}`.as('tokens'),
    })
    .from(chatUsage)
    .where(and(eq(chatUsage.companyId, companyId), eq(chatUsage.day, day)))
    .unionAll(
      tx
        .select({
          userId: chatReservations.userId,
          tokens: sql<number>`${chatReservations.tokens}`.as('tokens'),
        })
        .from(chatReservations)
        .where(and(eq(chatReservations.companyId, companyId), eq(chatReservations.day, day))),
    )
    .as('taken');
  const [row] = await tx
    .select({
      company: sql<number>`coalesce(sum(${taken.tokens}), 0)::float8`,
      person: sql<number>`coalesce(sum(${taken.tokens}) filter (where ${taken.userId} = ${person.id}), 0)::float8`,
    })
    .from(taken);
  return { person: row?.person ?? 0, company: row?.company ?? 0 };
}
