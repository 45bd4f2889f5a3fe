import { inject } from 'vitest';
import { createDatabase, type FreshDatabase } from '../test-postgres.ts';

/** Makes an empty, migrated database on the test run's PostgreSQL. */
export async function freshDatabase(): Promise<FreshDatabase> {
  return await createDatabase(inject('postgres'));
}

/** Makes a database without any table, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return await createDatabase(inject('postgres'), 'nothing');
}
