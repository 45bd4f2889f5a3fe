import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, time, id, created } from './columns.ts';
import { users } from './accounts.ts';

/** Passkeys by which people sign in to their own accounts. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Names the credential to its authenticator, base64url. */
    credentialId: text('credential_id').notNull(),
    /** In COSE's form. */
    publicKey: bytea('public_key').notNull(),
    /** The authenticator's count of uses at the last one; 0 where it counts none. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How a browser reaches the authenticator. */
    transports: text('transports').array().notNull(),
    /** By what authenticators know the account: random, the same for all its passkeys, base64url. */
    userHandle: text('user_handle').notNull(),
    /** The host name that it is bound to. */
    host: text('host').notNull(),
    /** As its person calls it. */
    name: text('name').notNull(),
    createdAt: created(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_user').on(table.userId),
  ],
);

/** What authenticators are asked to sign, on whichever server it began. Consumed once, by deleting the row. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 of the challenge. */
    challengeHash: bytea('challenge_hash').primaryKey(),
    /** SHA-256 of the cookie of the browser that began to sign in, or of the token of the session that registers. */
    holderHash: bytea('holder_hash').notNull(),
    /** Who registers; null for a sign-in. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** By what the authenticator is to know the account that registers; null for a sign-in. */
    userHandle: text('user_handle'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('passkey_challenges_expiry').on(table.expiresAt)],
);
