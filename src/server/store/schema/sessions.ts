import { foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, time, created, now } from './columns.ts';
import { users } from './accounts.ts';
import { companies } from './companies.ts';
import { identityProviders } from './identities.ts';
import { passkeys } from './passkeys.ts';

export const sessions = pgTable(
  'sessions',
  {
    /** Names the session to its person. */
    id: integer('id').notNull().unique().generatedAlwaysAsIdentity(),
    /** SHA-256 of the cookie's token: the token itself is never stored. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The company that the session acts in; null for somebody who belongs to none yet. */
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    createdAt: created(),
    lastSeenAt: time('last_seen_at').notNull().default(now),
    idleExpiresAt: time('idle_expires_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    /** Where it began. */
    address: text('address').notNull().default(''),
    /** The company's provider that opened it: it never acts elsewhere, nor for the account. */
    providerId: integer('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** How it was opened, for the list of a person's sessions: `password`, `passkey`, or a provider's key. */
    signInWay: text('sign_in_way').notNull().default('password'),
    /** The passkey that opened it, as long as there is that passkey. */
    passkeyId: integer('passkey_id').references(() => passkeys.id, { onDelete: 'set null' }),
    /** When a passkey was last used in it for a dangerous act that was not done yet; null for none. */
    actProvedAt: time('act_proved_at'),
    /** When its person last showed who they are: at sign-in, or by the password since. */
    provedAt: time('proved_at').notNull().default(now),
    /** When its person used a link in it that was mailed to the address of the account; null if never. */
    addressProvedAt: time('address_proved_at'),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_company').on(table.companyId, table.userId),
    // What a company's provider opened stays in that company, whatever the code says.
    foreignKey({
      name: 'sessions_provider_of_company',
      columns: [table.providerId, table.companyId],
      foreignColumns: [identityProviders.id, identityProviders.companyId],
    }).onDelete('cascade'),
  ],
);
