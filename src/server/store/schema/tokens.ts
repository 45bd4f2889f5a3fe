import { foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, created, id, time } from './columns.ts';
import { companyId } from './companies.ts';
import { identityProviders } from './identities.ts';
import { memberships } from './memberships.ts';
import { passkeys } from './passkeys.ts';

/** Personal API tokens: what scripts of a person act with, in one company. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    /** SHA-256 of the token: the token itself is shown once and never stored. */
    tokenHash: bytea('token_hash').notNull().unique(),
    userId: integer('user_id').notNull(),
    companyId: companyId(),
    name: text('name').notNull(),
    /** Scopes of the contract: permissions, and what has to be ticked by its name. */
    scopes: text('scopes').array().notNull(),
    /** The clusters that it is limited to; null for all that its person reaches. */
    clusterIds: integer('cluster_ids').array(),
    /** The company's provider that opened the session which made it: where that is enforced, others open nothing. */
    providerId: integer('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** The passkey that opened the session which made it, as long as there is that passkey: a company may ask it of its Owners. */
    passkeyId: integer('passkey_id').references(() => passkeys.id, { onDelete: 'set null' }),
    createdAt: created(),
    expiresAt: time('expires_at').notNull(),
    /** Last use, to the minute; null before the first. */
    lastUsedAt: time('last_used_at'),
    /** Network address of the last use; empty before the first. */
    lastUsedAddress: text('last_used_address').notNull().default(''),
    /** When its person was reminded that it ends; null before. */
    remindedAt: time('reminded_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [
    index('api_tokens_person').on(table.userId, table.companyId),
    index('api_tokens_company').on(table.companyId),
    foreignKey({
      name: 'api_tokens_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_tokens_provider_of_company',
      columns: [table.providerId, table.companyId],
      foreignColumns: [identityProviders.id, identityProviders.companyId],
    }).onDelete('cascade'),
  ],
);
