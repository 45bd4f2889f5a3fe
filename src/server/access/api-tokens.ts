import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { orgRoles } from '../../contract/permissions.ts';
import { type TokenScope, tokenScopes } from '../../contract/token-scopes.ts';
import { users } from '../store/schema/accounts.ts';
import { companies } from '../store/schema/companies.ts';
import { memberships } from '../store/schema/memberships.ts';
import { apiTokens } from '../store/schema/tokens.ts';
import type { Database } from '../store/store.ts';
import { opensCompany } from './enforced.ts';
import type { Member, TokenLimits } from './person.ts';
import { hashToken } from './sessions.ts';

/** A token's last use is written at most this often, ms. */
const usedInterval = 60_000;

/** The result of looking a token up: `unknown` means that there never was such a one, or long ago. */
export type FoundToken =
  | { readonly person: Member }
  | { readonly person: undefined; readonly isUnknown: boolean };

/** The columns of a token that limit it. */
export interface LimitColumns {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly clusterIds: readonly number[] | null;
}

/** The limits of a stored token. What is no scope any more gives nothing. */
export function limitsOf({ id, name, scopes, clusterIds }: LimitColumns): TokenLimits {
  return {
    id,
    name,
    scopes: new Set(scopesIn(scopes)),
    clusterIds: clusterIds === null ? null : new Set(clusterIds),
  };
}

/** The scopes of a list, in the contract's order. */
export function scopesIn(names: readonly string[]): TokenScope[] {
  return tokenScopes.filter((scope) => names.includes(scope));
}

/**
 * Finds who acts by an API token, from the store on every call, and notes the use. The store has the SHA-256 of a token:
 * unlike a password, 178 random bits cannot be guessed from a fast hash, and the lookup is one index away.
 * @param now the time in ms
 */
export async function findByToken(
  db: Database,
  token: string,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<FoundToken> {
  const tokenHash = hashToken(token);
  const time = new Date(now).toISOString();
  const [row] = await db
    .select({
      token: apiTokens,
      name: users.name,
      email: users.email,
      company: companies.name,
      state: memberships.state,
      isOpen: sql<boolean>`${opensCompany(apiTokens)}`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .innerJoin(companies, eq(companies.id, apiTokens.companyId))
    .innerJoin(
      memberships,
      and(eq(memberships.userId, apiTokens.userId), eq(memberships.companyId, apiTokens.companyId)),
    )
    .where(eq(apiTokens.tokenHash, tokenHash));
  if (row === undefined) return { person: undefined, isUnknown: true };
  const { token: found } = row;
  const isLive = found.revokedAt === null && found.expiresAt > time;
  if (!isLive || row.state !== 'active' || !row.isOpen) return { person: undefined, isUnknown: false };
  const lastUsed = found.lastUsedAt === null ? 0 : Date.parse(found.lastUsedAt);
  if (now - lastUsed >= usedInterval) await noteUse(db, found.id, { address, now });
  return {
    person: {
      id: found.userId,
      companyId: found.companyId,
      companyName: row.company,
      // What is for Owners no token does, whoever made it.
      orgRole: orgRoles.Member,
      name: row.name,
      email: row.email,
      sessionHash: tokenHash.toString('hex'),
      providerId: found.providerId,
      token: limitsOf(found),
    },
  };
}

/** Writes the last use, at most once a minute, on whichever server it was. */
async function noteUse(
  db: Database,
  id: number,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<void> {
  const due = new Date(now - usedInterval).toISOString();
  await db
    .update(apiTokens)
    .set({ lastUsedAt: new Date(now).toISOString(), lastUsedAddress: address })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lte(apiTokens.lastUsedAt, due))));
}
