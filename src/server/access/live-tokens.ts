import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { sessions } from '../store/schema/sessions.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Store, Transaction } from '../store/store.ts';
import { opensCompany } from './enforced.ts';
import type { TokenLimits } from './person.ts';

/**
 * The condition by which an API token still opens anything: not revoked, not expired, and of a session that the company
 * lets in. The membership of its person is in the query, as `m`.
 */
export function isLiveToken({ id }: { readonly id: TokenLimits['id'] | SQL }): SQL {
  const live = { passkeyId: sql`live.passkey_id`, providerId: sql`live.provider_id` };
  return sql`exists (select 1 from api_tokens live where live.id = ${id} and live.revoked_at is null
    and live.expires_at > now() and ${opensCompany(live, 'm')})`;
}

/** The condition that the company of a session or token `s` lets it in. */
const isLetIn = sql`exists (select 1 from memberships m
  where m.user_id = s.user_id and m.company_id = s.company_id and m.state = 'active'
    and ${opensCompany({ passkeyId: sql`s.passkey_id`, providerId: sql`s.provider_id` }, 'm')})`;

/**
 * What opens a company at this moment, as a table: sessions and API tokens, by the hash of their token. Scopes and
 * clusters are null for a session, clusters also for a token that is limited to none.
 */
export const openBearers = sql`(
  select token_hash, user_id, company_id, null::int as token_id, null::text as token_name,
    null::text[] as scopes, null::int[] as cluster_ids
  from sessions s where expires_at > now() and idle_expires_at > now() and ${isLetIn}
  union all
  select token_hash, user_id, company_id, id, name, scopes, cluster_ids
  from api_tokens s where revoked_at is null and expires_at > now() and ${isLetIn})`;

/**
 * Revokes API tokens within a transaction, and tells every server: what is open by them ends, and so do the jobs that
 * they began. Returns how many there were.
 * @param which of those that are not revoked yet
 */
export async function revokeTokens(
  tx: Transaction,
  channel: Store['channel'],
  which: SQL | undefined,
): Promise<number> {
  const revoked = await tx
    .update(apiTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(isNull(apiTokens.revokedAt), which))
    .returning({
      userId: apiTokens.userId,
      companyId: apiTokens.companyId,
      tokenHash: apiTokens.tokenHash,
    });
  for (const { userId, tokenHash } of revoked)
    await channel.notify('sessions', { userId, tokenHash: tokenHash.toString('hex') }, tx);
  for (const companyId of new Set(revoked.map((one) => one.companyId)))
    await channel.notify('grants', { companyId }, tx);
  return revoked.length;
}

/**
 * Ends, within a transaction that changed who is let in, the sessions and API tokens that their company lets in no more,
 * with what they have open on any server. Tokens end for good.
 * @param whose those of one company, of one person, or of one person in one company
 */
export async function endShutOut(
  tx: Transaction,
  channel: Store['channel'],
  whose: { readonly companyId?: number; readonly userId?: number },
): Promise<void> {
  const { companyId, userId } = whose;
  const areShutOut = (of: typeof sessions | typeof apiTokens) =>
    and(
      companyId === undefined ? undefined : eq(of.companyId, companyId),
      userId === undefined ? undefined : eq(of.userId, userId),
      sql`exists (select 1 from memberships m
        where m.user_id = ${of.userId} and m.company_id = ${of.companyId} and not ${opensCompany(of, 'm')})`,
    );
  const ended = await tx.delete(sessions).where(areShutOut(sessions)).returning({ userId: sessions.userId });
  for (const one of new Set(ended.map((row) => row.userId)))
    await channel.notify('sessions', { userId: one }, tx);
  await revokeTokens(tx, channel, areShutOut(apiTokens));
}

/** Revokes every API token of an account, in whatever company: it is taken into other hands. */
export async function revokeTokensOf(
  tx: Transaction,
  channel: Store['channel'],
  userId: number,
): Promise<void> {
  await revokeTokens(tx, channel, eq(apiTokens.userId, userId));
}
