import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Store, Transaction } from '../store/store.ts';
import { isRuleKept } from './enforced.ts';
import type { TokenLimits } from './person.ts';

/** The condition by which an API token still opens anything: not revoked, not expired. For a query of any tables. */
export function isLiveToken({ id }: Pick<TokenLimits, 'id'>): SQL {
  return sql`exists (select 1 from api_tokens live
    where live.id = ${id} and live.revoked_at is null and live.expires_at > now())`;
}

/**
 * What opens a company at this moment, as a table: sessions and API tokens, by the hash of their token. Scopes and
 * clusters are null for a session, clusters also for a token that is limited to none.
 */
export const openBearers = sql`(
  select token_hash, user_id, company_id, null::int as token_id, null::text as token_name,
    null::text[] as scopes, null::int[] as cluster_ids
  from sessions s where expires_at > now() and idle_expires_at > now()
    and (not exists (select 1 from memberships m where m.user_id = s.user_id and m.company_id = s.company_id
        and not ${isRuleKept(sql`s.passkey_id`, 'm')})
      or exists (select 1 from identity_providers p where p.id = s.provider_id and p.is_enforced))
  union all
  select token_hash, user_id, company_id, id, name, scopes, cluster_ids
  from api_tokens where revoked_at is null and expires_at > now())`;

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

/** Revokes every API token of an account, in whatever company: it is taken into other hands. */
export async function revokeTokensOf(
  tx: Transaction,
  channel: Store['channel'],
  userId: number,
): Promise<void> {
  await revokeTokens(tx, channel, eq(apiTokens.userId, userId));
}
