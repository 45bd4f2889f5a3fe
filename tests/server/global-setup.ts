import type { TestProject } from 'vitest/node';
import { startTestPostgres, type TestPostgres } from '../test-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

/** Runs once per test run: one PostgreSQL for all files, gone afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  project.provide('postgres', postgres.place);
  return () => postgres.stop();
}
