import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { created, now, time } from './columns.ts';
import { companyId } from './companies.ts';

/**
 * What a provider of payments said last of a company's subscription. A row without a `subscription_id` is a company that
 * never paid: it holds the name by which the provider knows it as a customer.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: companyId(),
    /** chargebee or test: what one of them sold says nothing to the other. */
    provider: text('provider').notNull(),
    /** The company at the provider: random, as several installations may share one. */
    customerId: text('customer_id').notNull(),
    /** How many subscriptions were activated: the next one is named by it, so that a company has one at a time. */
    generation: integer('generation').notNull().default(0),
    subscriptionId: text('subscription_id'),
    /** A state of the contract; null before the first activation. */
    state: text('state', { enum: ['active', 'ending', 'ended'] }),
    planId: text('plan_id').notNull().default(''),
    planName: text('plan_name').notNull().default(''),
    seats: integer('seats').notNull().default(0),
    /** Clusters that the plan allows; null for any number. */
    clusters: integer('clusters'),
    /** Days of audit that the plan allows; null for any number. */
    retentionDays: integer('retention_days'),
    /** The provider's version: what is older never replaces what is newer. */
    resourceVersion: bigint('resource_version', { mode: 'number' }).notNull().default(0),
    /** When it ends or ended; null while it goes on. */
    endsAt: time('ends_at'),
    nextBillingAt: time('next_billing_at'),
    /** When the provider was last asked. */
    checkedAt: time('checked_at').notNull().default(now),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider] }),
    uniqueIndex('subscriptions_customer').on(table.provider, table.customerId),
    uniqueIndex('subscriptions_subscription').on(table.provider, table.subscriptionId),
  ],
);

/** Payment pages that were opened at a provider, each for one company. What is open is asked about until it is over. */
export const checkouts = pgTable(
  'checkouts',
  {
    hostedPageId: text('hosted_page_id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    provider: text('provider').notNull(),
    /** The subscription that it makes or changes. */
    subscriptionId: text('subscription_id').notNull(),
    /** Which one that is, as the subscription counts them. */
    generation: integer('generation').notNull(),
    planId: text('plan_id').notNull(),
    seats: integer('seats').notNull(),
    /** Abandoned is what was paid for a subscription that the provider does not have. */
    state: text('state', { enum: ['open', 'completed', 'cancelled', 'expired', 'abandoned'] })
      .notNull()
      .default('open'),
    createdAt: created(),
    /** As the provider says. */
    expiresAt: time('expires_at').notNull(),
    settledAt: time('settled_at'),
  },
  (table) => [
    index('checkouts_company').on(table.companyId),
    index('checkouts_open').on(table.expiresAt).where(sql`state = 'open'`),
  ],
);

/** What a provider told by webhook. It is a hint to ask again; each is known by its id, so that it counts once. */
export const billingEvents = pgTable(
  'billing_events',
  {
    /** The provider's id. */
    id: text('id').primaryKey(),
    /** The subscription that it is about. */
    subscriptionId: text('subscription_id').notNull(),
    resourceVersion: bigint('resource_version', { mode: 'number' }).notNull(),
    tries: integer('tries').notNull().default(0),
    receivedAt: time('received_at').notNull().default(now),
    /** When the provider had been asked; null before. */
    doneAt: time('done_at'),
  },
  (table) => [
    index('billing_events_waiting').on(table.receivedAt).where(sql`done_at is null`),
    index('billing_events_received').on(table.receivedAt),
  ],
);

/** What the built-in test provider has in place of a provider's own database: its pages and subscriptions. */
export const testBilling = pgTable('test_billing', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['page', 'subscription'] }).notNull(),
  data: jsonb('data').notNull(),
});
