import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytea, now, time } from './columns.ts';
import { companies } from './companies.ts';

const number = (name: string) => bigint(name, { mode: 'number' });
/** Milliseconds are kept, so that a moment is the same wherever it is read. */
const moment = sql`date_trunc('milliseconds', now())`;

/**
 * Who did what, in rows that the database neither changes nor deletes (see decision 0017). A change has a row before it;
 * a further row says more of it, or how it ended. Each tells everything that was known by then; `audit` gives the last
 * one of each.
 */
export const auditRows = pgTable(
  'audit',
  {
    id: number('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Id of the first row about the same; of the row itself where it is the first. A trigger sets it. */
    entry: number('entry').notNull().default(0),
    /** A company is deleted after its record, never with it by a cascade. */
    companyId: integer('company_id').references(() => companies.id),
    userId: integer('user_id'),
    /** Who it was in words, so that the row outlives the account. */
    actor: text('actor').notNull(),
    /** Id of the endpoint or action. */
    action: text('action').notNull(),
    clusterId: integer('cluster_id'),
    /** Its subject: ids and names only, never a body. */
    subject: jsonb('subject').notNull().default({}),
    /** Settings that it changed, as `{ name: { before, after } }`; null where it changed none. */
    changes: jsonb('changes'),
    address: text('address').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: time('started_at').notNull().default(moment),
    /** Null while it runs, or when the server died meanwhile. */
    finishedAt: time('finished_at'),
    /** HTTP status of the outcome. */
    status: smallint('status'),
    /** A try of somebody signed out, until it succeeds: in no chain, and kept within bounds. */
    isTry: boolean('is_try').notNull().default(false),
  },
  (table) => [
    index('audit_company_time').on(table.companyId, table.startedAt, table.entry),
    index('audit_company_user').on(table.companyId, table.userId, table.startedAt, table.entry),
    index('audit_company_action').on(table.companyId, table.action, table.startedAt, table.entry),
    uniqueIndex('audit_entry').on(table.entry, table.id),
    index('audit_tries').on(table.id).where(sql`is_try`),
  ],
);

/** The audit as people read it: of each change the last row, by the id of the first. */
export const audit = pgView('audit_entries', {
  id: number('id').notNull(),
  companyId: integer('company_id'),
  userId: integer('user_id'),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  clusterId: integer('cluster_id'),
  subject: jsonb('subject').notNull(),
  changes: jsonb('changes'),
  address: text('address').notNull(),
  requestId: text('request_id').notNull(),
  startedAt: time('started_at').notNull(),
  finishedAt: time('finished_at'),
  status: smallint('status'),
}).existing();

/** Rows that no chain has yet. A trigger puts them here with the commit of the row, whatever its id. */
export const auditQueue = pgTable('audit_queue', {
  rowId: number('row_id').primaryKey(),
  /** Id of the company; 0 is the installation. */
  chain: integer('chain').notNull(),
});

/** The chains: each row of the audit with a hash over it and the hash before. */
export const auditLinks = pgTable(
  'audit_links',
  {
    chain: integer('chain').notNull(),
    /** From 1, without gaps. */
    position: number('position').notNull(),
    rowId: number('row_id').notNull(),
    hash: bytea('hash').notNull(),
    linkedAt: time('linked_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.position] }),
    uniqueIndex('audit_links_row').on(table.rowId),
  ],
);

/** Closed parts of a chain. Only a whole one is ever dropped, and its row here stays. */
export const auditSegments = pgTable(
  'audit_segments',
  {
    chain: integer('chain').notNull(),
    firstPosition: number('first_position').notNull(),
    lastPosition: number('last_position').notNull(),
    /** The hash before its first link. */
    anchor: bytea('anchor').notNull(),
    /** The hash of its last link, which is the anchor of the next segment. */
    hash: bytea('hash').notNull(),
    /** The newest moment that its rows tell of. */
    newestAt: time('newest_at').notNull(),
    closedAt: time('closed_at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.chain, table.lastPosition] })],
);

/** What may be deleted of the chains, and the row of the audit that says so. */
export const auditDrops = pgTable(
  'audit_drops',
  {
    chain: integer('chain').notNull(),
    /** Everything up to this position, the last one of a segment; of a deleted company everything. */
    untilPosition: number('until_position').notNull(),
    rowId: number('row_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.untilPosition] })],
);

/** Where chains are sent, and up to which position each receiver has confirmed them. */
export const auditStreams = pgTable(
  'audit_streams',
  {
    /** Another one after each change of the receiver: what is on its way to the one before confirms nothing. */
    id: uuid('id').primaryKey(),
    /** `https` is an organisation's receiver, `file` the operator's file. */
    sink: text('sink', { enum: ['https', 'file'] }).notNull(),
    chain: integer('chain').notNull(),
    /** Of a receiver that an organisation has set; null for the file. */
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    /** The address, sealed: its path may be a secret. */
    url: bytea('url'),
    /** Scheme, host and port of the address: all of it that is ever shown. */
    origin: text('origin'),
    /** The credential of the console at the receiver, sealed; null without. */
    secret: bytea('secret'),
    setAt: time('set_at').notNull().default(now),
    /** The last position that was confirmed, and its hash. */
    position: number('position').notNull().default(0),
    hash: bytea('hash'),
    confirmedAt: time('confirmed_at'),
    /** Tries that failed since then, the last one, and why, a sentence. */
    failures: integer('failures').notNull().default(0),
    failedAt: time('failed_at'),
    problem: text('problem'),
    nextAt: time('next_at').notNull().default(now),
  },
  (table) => [uniqueIndex('audit_streams_chain').on(table.sink, table.chain)],
);
