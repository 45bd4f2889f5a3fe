import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { clusters } from './clusters.ts';
import { companyId } from './companies.ts';
import { created, id, now, time } from './columns.ts';
import { memberships } from './memberships.ts';
import { teamClusters, teamMembers } from './teams.ts';

/** What people asked to hold on a cluster for a while, with how that was decided and how it ended. */
export const accessRequests = pgTable(
  'access_requests',
  {
    id: id(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    /** Permissions by name. */
    permissions: text('permissions').array().notNull(),
    /** The namespaces that it is about; null for the whole cluster. */
    namespaces: text('namespaces').array(),
    reason: text('reason').notNull(),
    /** For how long it is asked, from the approval on. */
    minutes: integer('minutes').notNull(),
    createdAt: created(),
    /** A pending one that nobody decided on by then has lapsed; the state says so a moment later. */
    decideBy: time('decide_by').notNull(),
    /** An approved one holds while its grant is there, and no longer than until `ends_at`. */
    state: text('state', { enum: ['pending', 'approved', 'refused', 'withdrawn', 'revoked', 'lapsed'] })
      .notNull()
      .default('pending'),
    /** Ids of the people who approved it, the first one first. */
    approvedBy: integer('approved_by').array().notNull().default([]),
    decidedBy: integer('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decidedAt: time('decided_at'),
    endsAt: time('ends_at'),
    /** Who withdrew or revoked it. */
    endedBy: integer('ended_by').references(() => users.id, { onDelete: 'set null' }),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('access_requests_company').on(table.companyId, table.state),
    index('access_requests_person').on(table.userId, table.companyId),
    foreignKey({
      name: 'access_requests_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'access_requests_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/** What people hold for a while. The row goes when that ends, whatever ended it, and never comes back. */
export const temporaryGrants = pgTable(
  'temporary_grants',
  {
    requestId: integer('request_id')
      .primaryKey()
      .references(() => accessRequests.id, { onDelete: 'cascade' }),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    permissions: text('permissions').array().notNull(),
    namespaces: text('namespaces').array(),
    /** The team whose TeamAdmin approved it: it ends with the person's place there, and with the team's cluster. Null for an Owner. */
    teamId: integer('team_id'),
    startsAt: time('starts_at').notNull().default(now),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [
    index('temporary_grants_person').on(table.userId, table.clusterId),
    index('temporary_grants_end').on(table.endsAt),
    check('temporary_grants_a_day', sql`ends_at <= starts_at + interval '24 hours'`),
    foreignKey({
      name: 'temporary_grants_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'temporary_grants_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'temporary_grants_place_in_team',
      columns: [table.teamId, table.userId],
      foreignColumns: [teamMembers.teamId, teamMembers.userId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'temporary_grants_cluster_of_team',
      columns: [table.teamId, table.clusterId],
      foreignColumns: [teamClusters.teamId, teamClusters.clusterId],
    }).onDelete('cascade'),
  ],
);
