import { startTestPostgres } from '../test-postgres.ts';
import buildPage from './build-page.ts';
import { postgresVariable } from './product.ts';

/**
 * Runs once before all end-to-end tests: builds the page and starts the PostgreSQL in which each product without a
 * playground has a database of its own.
 */
// oxlint-disable-next-line import/no-default-export -- what Playwright's globalSetup asks for
export default async function setup(): Promise<() => Promise<void>> {
  buildPage();
  const postgres = await startTestPostgres();
  // Workers inherit the environment as it is after this function.
  process.env[postgresVariable] = JSON.stringify(postgres.place);
  return () => postgres.stop();
}
