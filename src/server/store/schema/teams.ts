import { isNull, or, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, created, time } from './columns.ts';
import { users } from './accounts.ts';
import { clusters } from './clusters.ts';
import { companyId } from './companies.ts';
import { memberships } from './memberships.ts';

export const teams = pgTable(
  'teams',
  {
    id: id(),
    companyId: companyId(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('teams_company_name').on(table.companyId, table.name),
    unique('teams_id_company').on(table.id, table.companyId),
  ],
);

/** Rows are written here. Who is in a team is read from `teamPlaces`, which leaves out what has run out. */
export const teamMembers = pgTable(
  'team_members',
  {
    companyId: companyId(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    /** Key of the provider whose groups put the person here; null where somebody did. */
    givenBy: text('given_by'),
    /** Until when the provider's word on the group counts; null where somebody gave the place. */
    expiresAt: time('expires_at'),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId),
    index('team_members_expiry').on(table.expiresAt),
    check('team_members_group_expires', sql`(given_by is null) = (expires_at is null)`),
    // Team and person are of the same company, whatever the code says.
    foreignKey({
      name: 'team_members_membership',
      columns: [table.userId, table.companyId],
      foreignColumns: [memberships.userId, memberships.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'team_members_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
  ],
);

/** The places in teams that count at this moment. */
export const teamPlaces = pgView('team_places').as((query) =>
  query
    .select()
    .from(teamMembers)
    .where(or(isNull(teamMembers.expiresAt), sql`${teamMembers.expiresAt} > clock_timestamp()`)),
);

/**
 * The groups that a provider said a person has, of those that give a place in a company; also in one that they do not
 * belong to, as they may accept its invitation a moment later. What they give is a row of `teamMembers`.
 */
export const personGroups = pgTable(
  'person_groups',
  {
    companyId: companyId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Key of the provider. */
    provider: text('provider').notNull(),
    /** The group as the provider's claim names it. */
    group: text('group_name').notNull(),
    /** Until when the provider's word counts. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId, table.provider, table.group] }),
    index('person_groups_expiry').on(table.expiresAt),
  ],
);

/** Which groups of a provider put people into which teams of a company. */
export const groupTeams = pgTable(
  'group_teams',
  {
    companyId: companyId(),
    /** Key of the provider. */
    provider: text('provider').notNull(),
    /** The group as the provider's claim names it. */
    group: text('group_name').notNull(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider, table.group, table.teamId] }),
    foreignKey({
      name: 'group_teams_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
  ],
);

export const teamClusters = pgTable(
  'team_clusters',
  {
    companyId: companyId(),
    teamId: integer('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    /** The namespaces that the grant is restricted to; null for the whole cluster. */
    namespaces: text('namespaces').array(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.clusterId] }),
    index('team_clusters_cluster').on(table.clusterId),
    foreignKey({
      name: 'team_clusters_team',
      columns: [table.teamId, table.companyId],
      foreignColumns: [teams.id, teams.companyId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'team_clusters_cluster_of_company',
      columns: [table.clusterId, table.companyId],
      foreignColumns: [clusters.id, clusters.companyId],
    }).onDelete('cascade'),
  ],
);

/**
 * What a company's Owners changed about a team role: permissions that the role holds there beside its default, or lacks.
 * What is not named here is as the contract says.
 */
export const roleAdjustments = pgTable(
  'role_adjustments',
  {
    companyId: companyId(),
    /** A team role of the contract: 3, 4 or 6. */
    role: smallint('role').notNull(),
    /** A permission's name. */
    permission: text('permission').notNull(),
    /** Whether the role holds it in this company; always other than its default. */
    isHeld: boolean('is_held').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.role, table.permission] })],
);
