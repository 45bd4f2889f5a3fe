import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytea, time, id, created, now } from './columns.ts';
import { users } from './accounts.ts';
import { companyId } from './companies.ts';

/** Who belongs to which company. A person who left keeps the row, so that their past is known. */
export const memberships = pgTable(
  'memberships',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    companyId: companyId(),
    /** An organisation role of the contract. */
    orgRole: smallint('org_role').notNull(),
    /** active, suspended or left: only an active one opens anything. */
    state: text('state', { enum: ['active', 'suspended', 'left'] })
      .notNull()
      .default('active'),
    /** Whether an Owner removed the person; otherwise who left did so themself. */
    wasRemoved: boolean('was_removed').notNull().default(false),
    createdAt: created(),
    /** Last use of a session of this company, to the minute; null before the first. */
    lastSeenAt: time('last_seen_at'),
    /** Made by the operator: signs in by password even where the company's provider is enforced. */
    isLocal: boolean('is_local').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId] }),
    index('memberships_company').on(table.companyId),
  ],
);

/** What Owners offer to people by their address. Who redeemed one became a member; every other membership was founded. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    companyId: companyId(),
    /** Lower case. */
    email: text('email').notNull(),
    /** An organisation role of the contract. */
    orgRole: smallint('org_role').notNull(),
    /** Teams with roles, as the contract has them. A team that is gone by then is left out. */
    teams: jsonb('teams').notNull().default([]),
    /** The Owner's own words in its mail; empty without any. */
    message: text('message').notNull().default(''),
    /** SHA-256 of the token that the Owner was shown: whoever has it may hold any address. */
    linkHash: bytea('link_hash').notNull(),
    /** SHA-256 of the token that was mailed, never shown to anybody else: its bearer reads mail of that address. */
    mailHash: bytea('mail_hash').notNull(),
    invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: created(),
    expiresAt: time('expires_at').notNull(),
    /** A pending one whose time is over is expired. */
    state: text('state', { enum: ['pending', 'accepted', 'rejected', 'revoked'] })
      .notNull()
      .default('pending'),
    settledAt: time('settled_at'),
    /** The account that came by a link of it: it sees the invitation although its address may be unproven. */
    claimedBy: integer('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    /** The state of the mail; `off` where the console sends none. */
    mail: text('mail', { enum: ['off', 'sending', 'sent', 'failed'] }).notNull(),
    /** When the mail was last tried or sent. */
    mailAt: time('mail_at').notNull().default(now),
    /** Why the mail failed, as a sentence; empty otherwise. */
    mailProblem: text('mail_problem').notNull().default(''),
  },
  (table) => [
    uniqueIndex('invitations_link').on(table.linkHash),
    uniqueIndex('invitations_mail').on(table.mailHash),
    uniqueIndex('invitations_pending').on(table.companyId, table.email).where(sql`state = 'pending'`),
    index('invitations_email').on(table.email),
    index('invitations_company_time').on(table.companyId, table.createdAt),
    index('invitations_claimed').on(table.claimedBy),
  ],
);

/** People who asked for an invitation: the Owners of the companies with their domain see it, unless they put it away. */
export const invitationRequests = pgTable(
  'invitation_requests',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The domain of their address, lower case. */
    domain: text('domain').notNull(),
    askedAt: time('asked_at').notNull().default(now),
  },
  (table) => [index('invitation_requests_domain').on(table.domain)],
);

/** Requests that the Owners of a company put away; those of another company with the same domain still see them. */
export const requestsPutAway = pgTable(
  'requests_put_away',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => invitationRequests.userId, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.companyId] })],
);
