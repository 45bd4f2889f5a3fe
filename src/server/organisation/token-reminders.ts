import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { storeAccountNotice } from '../access/account-notice.ts';
import type { Duty } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { pause } from '../kit/pause.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Tokens that end soon are looked for this often, ms. */
const interval = 15 * 60_000;
/** Tokens that one transaction reminds of. */
const batch = 100;

/** Inputs of the reminders. */
export interface TokenReminderParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly mailer: Mailer;
  readonly log: Logger;
  readonly clock: Clock;
  /** Where people open the console. */
  readonly origin: () => string;
}

/** The duty that reminds people of API tokens of theirs that end soon. */
export const tokenReminderDuty = (parts: TokenReminderParts): Duty => ({
  key: 'tokens/reminders',
  async run(signal) {
    while (!signal.aborted) {
      try {
        await remindOfTokens(parts);
      } catch (error) {
        // They are reminded of at the next round.
        if (!signal.aborted)
          parts.log.warn(
            { err: describeError(error) },
            'People could not be reminded of API tokens that end',
          );
      }
      await pause(parts.clock, interval, signal).catch(() => undefined);
    }
  },
});

/**
 * Reminds people, once for each, of API tokens that end within a week, or within the last third of a shorter life: by mail
 * to a proven address, otherwise in the bell of the organisation. Throws what the database and the queue of mails throw.
 */
export async function remindOfTokens(parts: Omit<TokenReminderParts, 'log'>): Promise<void> {
  const { store, clock } = parts;
  for (;;) {
    const reminded = await store.db.transaction(async (tx) => {
      const ending = await readEnding(tx, clock.now());
      for (const one of ending) await remind(tx, one, parts);
      const userIds = [...new Set(ending.map(({ userId }) => userId))];
      if (userIds.length > 0) await store.channel.notify('notifications', { userIds }, tx);
      return ending.length;
    });
    if (reminded < batch) return;
  }
}

interface EndingToken {
  readonly id: number;
  readonly name: string;
  readonly expiresAt: string;
  readonly userId: number;
  readonly companyId: number;
  readonly company: string;
  readonly email: string;
  readonly provenAt: string | null;
}

/** Tokens of active members that end soon and that nobody was reminded of. @param now the time in ms */
async function readEnding(tx: Transaction, now: number): Promise<readonly EndingToken[]> {
  const time = sql`${new Date(now).toISOString()}::timestamptz`;
  const { id, name, expiresAt, createdAt, userId, companyId } = apiTokens;
  return await tx
    .select({
      id,
      name,
      expiresAt,
      userId,
      companyId,
      company: companies.name,
      email: users.email,
      provenAt: users.emailProvenAt,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(companies, eq(companies.id, companyId))
    .innerJoin(memberships, and(eq(memberships.userId, userId), eq(memberships.companyId, companyId)))
    .where(
      and(
        isNull(apiTokens.revokedAt),
        isNull(apiTokens.remindedAt),
        eq(memberships.state, 'active'),
        sql`${expiresAt} > ${time}`,
        sql`${expiresAt} - least(interval '7 days', (${expiresAt} - ${createdAt}) / 3) <= ${time}`,
      ),
    )
    .orderBy(expiresAt, id)
    .limit(batch)
    .for('update', { of: apiTokens, skipLocked: true });
}

async function remind(
  tx: Transaction,
  { id, name, expiresAt, userId, companyId, company, email, provenAt }: EndingToken,
  { mailer, clock, origin }: Pick<TokenReminderParts, 'mailer' | 'clock' | 'origin'>,
): Promise<void> {
  const end = new Date(expiresAt);
  const title = `The API token “${name}” ends on ${end.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  if (provenAt !== null && mailer.isConfigured)
    await mailer.send(
      {
        purpose: 'reminder of an API token',
        to: email,
        subject: `Your API token “${name}” ends soon`,
        text: [
          `${title}. It is yours in ${company}; whatever uses it is refused from then on.`,
          'Create another one, put it in the place of this one, and revoke this one:',
          `${origin()}/settings?section=tokens`,
        ].join('\n\n'),
        giveUpAt: end.toISOString(),
      },
      tx,
    );
  else await storeAccountNotice(tx, { userId, companyId, type: 'token.ending', title });
  await tx
    .update(apiTokens)
    .set({ remindedAt: new Date(clock.now()).toISOString() })
    .where(eq(apiTokens.id, id));
}
