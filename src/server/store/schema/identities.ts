import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, time, id, created } from './columns.ts';
import { users } from './accounts.ts';
import { companyId } from './companies.ts';

/** OpenID Connect providers that a company brings; those of the installation stand in its environment. */
export const identityProviders = pgTable(
  'identity_providers',
  {
    id: id(),
    companyId: companyId(),
    /** Names it in addresses: random, so that nobody finds companies by counting. */
    key: text('key').notNull(),
    /** The label of its button. */
    name: text('name').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed, bound to the key. */
    clientSecret: bytea('client_secret').notNull(),
    /** The claim that lists a person's groups; null where none is read. */
    groupsClaim: text('groups_claim'),
    /** The issuer from before issuers had an allow list of their own: it goes on by that of clusters. */
    carriedOver: text('carried_over'),
    /** Whether sessions of the company open by its enforced providers alone. */
    isEnforced: boolean('is_enforced').notNull().default(false),
    /** When somebody signed in by the settings that stand here; null since they were changed. */
    testedAt: time('tested_at'),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('identity_providers_key').on(table.key),
    index('identity_providers_company').on(table.companyId),
    unique('identity_providers_id_company').on(table.id, table.companyId),
  ],
);

/** Who a person is at an identity provider. Nobody is ever found by an email address. */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The company's provider; null for those of the installation. */
    providerId: integer('provider_id').references(() => identityProviders.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The address that the provider said to be verified at the last sign-in, lower case. */
    email: text('email'),
    createdAt: created(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [
    uniqueIndex('identities_installation').on(table.issuer, table.subject).where(sql`provider_id is null`),
    uniqueIndex('identities_provider')
      .on(table.providerId, table.issuer, table.subject)
      .where(sql`provider_id is not null`),
    index('identities_user').on(table.userId),
  ],
);

/** Sign-ins that wait at a provider, on whichever server they began. Consumed once, by deleting the row. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** SHA-256 of the state that travels by the provider. */
    stateHash: bytea('state_hash').primaryKey(),
    /** SHA-256 of the cookie of the browser that began. */
    browserHash: bytea('browser_hash').notNull(),
    /** Key of the provider: of a company, or the name that the environment gives it. */
    provider: text('provider').notNull(),
    purpose: text('purpose', { enum: ['sign-in', 'connect', 'test', 'confirm'] }).notNull(),
    /** The person that connects, tests or confirms, and their session; null for a sign-in. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    sessionHash: bytea('session_hash'),
    nonce: text('nonce').notNull(),
    /** Secret half of PKCE. */
    verifier: text('verifier').notNull(),
    /** A path of this console. */
    returnUrl: text('return_url').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('pending_sign_ins_expiry').on(table.expiresAt)],
);
