import { sql } from 'drizzle-orm';
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { clusters } from './clusters.ts';
import { users } from './accounts.ts';
import { bytea, created, now, time } from './columns.ts';
import { companies, companyId } from './companies.ts';
import { memberships } from './memberships.ts';
import { teams } from './teams.ts';

/** Conversations of the AI chat. Each is one person's on one cluster, and goes with their membership. */
export const chatConversations = pgTable(
  'chat_conversations',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    title: text('title').notNull(),
    /** The team whose members may read it; null while it is shared with nobody. */
    teamId: integer('team_id').references(() => teams.id, { onDelete: 'set null' }),
    createdAt: created(),
    /** When something was asked last. */
    askedAt: time('asked_at').notNull().default(now),
  },
  (table) => [
    index('chat_conversations_person').on(table.userId, table.clusterId, table.askedAt),
    index('chat_conversations_team').on(table.teamId, table.clusterId),
    foreignKey({
      name: 'chat_conversations_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'chat_conversations_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** Questions of a conversation. What was answered is in `chatEvents`. */
export const chatTurns = pgTable(
  'chat_turns',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => chatConversations.id, { onDelete: 'cascade' }),
    /** From 1 within the conversation. */
    number: integer('number').notNull(),
    question: text('question').notNull(),
    /** The object that it is about, as the contract has references; null for the whole cluster. */
    about: jsonb('about'),
    /** `running` until the answer has ended. */
    state: text('state', { enum: ['running', 'done', 'stopped', 'interrupted', 'failed'] })
      .notNull()
      .default('running'),
    /** When the server that answers last said that it does: one that is silent for a while was interrupted. */
    beatAt: time('beat_at').notNull().default(now),
    createdAt: created(),
    endedAt: time('ended_at'),
  },
  (table) => [uniqueIndex('chat_turns_number').on(table.conversationId, table.number)],
);

/** The stream of an answer, event by event: whoever reads it resumes from the last number. */
export const chatEvents = pgTable(
  'chat_events',
  {
    turnId: uuid('turn_id')
      .notNull()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    /** From 1 within the answer. */
    number: integer('number').notNull(),
    /** The event as the contract has it, redacted. */
    event: jsonb('event').notNull(),
    /** The objects that it tells of: a reader sees it only where they may view each of them. */
    objects: jsonb('objects').notNull(),
    at: time('at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.turnId, table.number] })],
);

/** Changes that an answer proposes. Whoever was answered may run one, once, while it is good. */
export const chatProposals = pgTable(
  'chat_proposals',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    turnId: uuid('turn_id')
      .notNull()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    /** Id of the kind whose action it is. */
    kind: text('kind').notNull(),
    /** Id of the action. */
    action: text('action').notNull(),
    /** The objects, and the arguments of the action. */
    refs: jsonb('refs').notNull(),
    args: jsonb('args').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** When it was taken; null while it is good. */
    consumedAt: time('consumed_at'),
    createdAt: created(),
  },
  (table) => [
    index('chat_proposals_turn').on(table.turnId),
    foreignKey({
      name: 'chat_proposals_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'chat_proposals_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** Tokens that the questions of a person took of a model, by day. */
export const chatUsage = pgTable(
  'chat_usage',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** The day in UTC, as YYYY-MM-DD. */
    day: text('day').notNull(),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId, table.day] }),
    foreignKey({
      name: 'chat_usage_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
  ],
);

/**
 * Tokens that requests to a model which are under way may take at most. They count as used until the request says what
 * it took; those that nobody settles, as of a server that died, until their day is over.
 */
export const chatReservations = pgTable(
  'chat_reservations',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    /** The day in UTC, as YYYY-MM-DD. */
    day: text('day').notNull(),
    tokens: integer('tokens').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('chat_reservations_day').on(table.companyId, table.day),
    foreignKey({
      name: 'chat_reservations_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
  ],
);

/** The model that answers in a company, as one of its Owners entered it. */
export const chatModels = pgTable('chat_models', {
  id: uuid('id').primaryKey(),
  companyId: integer('company_id')
    .notNull()
    .unique()
    .references(() => companies.id, { onDelete: 'cascade' }),
  /** A provider of the contract; null where the environment's is used, or none. */
  provider: text('provider'),
  baseUrl: text('base_url'),
  model: text('model'),
  /** The key of the provider, sealed; null where it takes none. */
  apiKey: bytea('api_key'),
  /** When the key was entered, and by whom; null without one. */
  keySetAt: time('key_set_at'),
  keySetBy: integer('key_set_by').references(() => users.id, { onDelete: 'set null' }),
  /** Tokens a day for each person and for all; null is the default of the contract. */
  tokensPerPerson: integer('tokens_per_person'),
  tokensPerCompany: integer('tokens_per_company'),
  /** Classes of data that the model is not told, as the contract names them. */
  withheld: text('withheld').array().notNull().default(sql`'{}'::text[]`),
  changedAt: time('changed_at').notNull().default(now),
});
