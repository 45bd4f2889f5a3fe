import { bigint, index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { now, time } from './columns.ts';
import { companyId } from './companies.ts';

/**
 * Shells whose end is not in the audit yet. Whoever deletes the row writes that end with the same commit: the server that
 * runs the shell, or another one where that died.
 */
export const openShells = pgTable(
  'open_shells',
  {
    /** Id of its entry in the audit. */
    entry: bigint('entry', { mode: 'number' }).primaryKey(),
    companyId: companyId(),
    /** Its recording; null where nothing is recorded. */
    recordingId: uuid('recording_id'),
    /** The last sign of life of the server that runs it. */
    beatAt: time('beat_at').notNull().default(now),
  },
  (table) => [index('open_shells_beat').on(table.beatAt)],
);
