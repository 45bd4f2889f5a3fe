import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, now, time } from './columns.ts';
import { companyId } from './companies.ts';

/** Recordings of shells: who had one open where, and how it ended (see decision 0021). */
export const shellRecordings = pgTable(
  'shell_recordings',
  {
    id: uuid('id').primaryKey(),
    companyId: companyId(),
    /** May be gone: a recording is kept as long as the audit, whatever becomes of its cluster. */
    clusterId: integer('cluster_id').notNull(),
    /** The cluster's name at that time. */
    cluster: text('cluster').notNull(),
    userId: integer('user_id').notNull(),
    /** Who it was in words, so that the row outlives the account. */
    actor: text('actor').notNull(),
    /** `exec` or `attach`. */
    mode: text('mode').notNull(),
    namespace: text('namespace').notNull(),
    /** Of the pod. */
    name: text('name').notNull(),
    /** Null where the pod has one container and nobody named it. */
    container: text('container'),
    /** The key of its parts, sealed by the vault. */
    key: bytea('key').notNull(),
    startedAt: time('started_at').notNull().default(now),
    /** Null while the shell is open, or when the server died meanwhile. */
    endedAt: time('ended_at'),
    /** How the shell ended, a sentence; null like `endedAt`. */
    ending: text('ending'),
    /** How long it lasts so far, ms. */
    duration: integer('duration').notNull().default(0),
    /** Size of its text in bytes. */
    size: integer('size').notNull().default(0),
    /** How many parts it has. */
    parts: integer('parts').notNull().default(0),
  },
  (table) => [
    index('shell_recordings_company').on(table.companyId, table.startedAt, table.id),
    index('shell_recordings_cluster').on(table.clusterId),
    index('shell_recordings_open').on(table.userId, table.companyId).where(sql`ended_at is null`),
  ],
);

/**
 * What recorded shells showed, in order. Each part is sealed with the key of its recording, for its place alone. Parts
 * whose recording is gone, and the key with it, are deleted in the background: of a company there may be gigabytes.
 */
export const shellRecordingParts = pgTable(
  'shell_recording_parts',
  {
    recordingId: uuid('recording_id').notNull(),
    /** From 1, without gaps. */
    position: integer('position').notNull(),
    data: bytea('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordingId, table.position] })],
);
