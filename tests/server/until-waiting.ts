import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { TestConsole } from './harness.ts';

/** Waits until so many queries of a console wait for a lock that the test holds. */
export async function untilWaiting(
  { store }: { readonly store: Pick<TestConsole['store'], 'db'> },
  count = 1,
): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await store.db.execute<{ waiting: number }>(
        sql`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return (rows[0]?.waiting ?? 0) >= count;
    },
    { timeout: 60_000 },
  );
}
