import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, time, id, created } from './columns.ts';

export const users = pgTable(
  'users',
  {
    id: id(),
    name: text('name').notNull(),
    /** Lower case. */
    email: text('email').notNull(),
    /**
     * When a mailed link or an identity provider showed that the address is this person's; null while nobody has. An
     * unproven address is good for nothing but signing in.
     */
    emailProvenAt: time('email_proven_at'),
    /** argon2id, in PHC format; null for people who sign in elsewhere. */
    passwordHash: text('password_hash'),
    /** Whether a set-up link let them found one company, which they have not done yet. */
    mayFoundCompany: boolean('may_found_company').notNull().default(false),
    /** When the page said that the first sign-in was through; null before. */
    firstLoginCompletedAt: time('first_login_completed_at'),
    createdAt: created(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

/** Failed tries to guess something, as buckets that leak; see `access/throttle.ts`. */
export const brakes = pgTable(
  'brakes',
  {
    /** Digest of what is guarded. */
    key: bytea('key').primaryKey(),
    /** Written by servers of the version before, beside this one; null since. */
    network: bytea('network'),
    /** When the last failure has leaked away, and the row may go. */
    emptyAt: time('empty_at').notNull(),
  },
  (table) => [
    index('brakes_network').on(table.network, table.emptyAt),
    index('brakes_empty').on(table.emptyAt),
  ],
);

/**
 * Calls that are counted within a window of time on all servers together; see `access/rates.ts`. The table is unlogged:
 * its writes need no disk, and a database that crashes counts anew.
 */
export const rateWindows = pgTable('rate_windows', {
  /** Digest of what is counted: the call, and who makes it. */
  key: bytea('key').primaryKey(),
  /** Calls that servers made, or took for themselves, in the window. */
  taken: integer('taken').notNull(),
  endsAt: time('ends_at').notNull(),
});

/** Single-use links: set-up of the first Owner, later invitations and password resets. */
export const links = pgTable('links', {
  tokenHash: bytea('token_hash').primaryKey(),
  purpose: text('purpose').notNull(),
  userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
  createdAt: created(),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
});
