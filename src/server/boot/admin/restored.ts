import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { revokeTokens } from '../../access/live-tokens.ts';
import { StartError } from '../../kit/start-error.ts';
import { type OpenStore, openStore } from '../../store/open.ts';
import { links, users } from '../../store/schema/accounts.ts';
import { auditRows } from '../../store/schema/audit.ts';
import { companies } from '../../store/schema/companies.ts';
import { sessions } from '../../store/schema/sessions.ts';
import { apiTokens } from '../../store/schema/tokens.ts';
import type { Transaction } from '../../store/store.ts';
import type { AdminContext } from './context.ts';

/** The argument by which API tokens stay. */
const keepTokens = '--keep-tokens';

/**
 * `restored`: after a restore it ends all sessions and links and revokes all API tokens, since what was revoked after the
 * backup cannot be known. With `--keep-tokens` tokens stay, and are listed by name. Throws StartError for another argument.
 */
export async function restoredCommand(
  { config, say }: AdminContext,
  argument: string | undefined,
): Promise<void> {
  requireRestoredArgument(argument);
  const isKeeping = argument === keepTokens;
  const store = await openStore(config);
  try {
    const open = await openTokens(store);
    const ended = await store.db.transaction((tx) => endAll(tx, store, isKeeping));
    say(`Sessions ended: ${ended.sessions}. Everybody has to sign in again.`);
    if (!isKeeping) say(`API tokens revoked: ${ended.tokens}. People who need one have to create another.`);
    else if (open.length > 0)
      say('These API tokens work. Revoke again those that were revoked after the backup:');
    else say('There are no API tokens.');
    if (isKeeping) for (const { company, email, name } of open) say(`  ${company}: ${name}, of ${email}`);
    say(
      'Members, roles, passkeys and invitations are as they were at the backup. Remove again what was removed after it.',
    );
  } finally {
    await store.close();
  }
}

/** Throws StartError for what is not an argument of `restored`. */
export function requireRestoredArgument(argument: string | undefined): void {
  if (argument !== undefined && argument !== keepTokens)
    throw new StartError(`"${argument}" is not an argument of this command. The only one is ${keepTokens}.`);
}

const isOpen = and(isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, sql`now()`));

async function openTokens({ db }: Pick<OpenStore, 'db'>) {
  return await db
    .select({ company: companies.name, email: users.email, name: apiTokens.name })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .innerJoin(companies, eq(companies.id, apiTokens.companyId))
    .where(isOpen)
    .orderBy(asc(companies.name), asc(users.email), asc(apiTokens.name));
}

/** Ends all of them, tells servers that run already, and records it with every organisation. */
async function endAll(
  tx: Transaction,
  { channel }: Pick<OpenStore, 'channel'>,
  isKeeping: boolean,
): Promise<{ readonly sessions: number; readonly tokens: number }> {
  const ended = await tx.delete(sessions).returning({ userId: sessions.userId });
  await tx
    .update(links)
    .set({ expiresAt: sql`now()` })
    .where(and(isNull(links.usedAt), gt(links.expiresAt, sql`now()`)));
  const tokens = isKeeping ? 0 : await revokeTokens(tx, channel, isOpen);
  const all = await tx.select({ id: companies.id }).from(companies);
  for (const companyId of [null, ...all.map(({ id }) => id)])
    await tx.insert(auditRows).values({
      companyId,
      actor: 'operator',
      action: 'restored',
      subject: companyId === null ? { sessions: ended.length, tokens } : { areTokensKept: isKeeping },
      address: 'console',
      requestId: 'operator',
      finishedAt: sql`now()`,
      status: 200,
    });
  for (const userId of new Set(ended.map((one) => one.userId)))
    await channel.notify('sessions', { userId }, tx);
  return { sessions: ended.length, tokens };
}
