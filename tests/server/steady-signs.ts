import { sql } from 'drizzle-orm';
import type { Database } from '../../src/server/store/store.ts';

/** As after an hour in which servers gave signs of life without a gap: whoever is silent counts as gone. */
export async function noteSteadySigns(db: Pick<Database, 'execute'>): Promise<void> {
  await db.execute(sql`insert into signs_of_life (since, last_at) values (now() - interval '1 hour', clock_timestamp())
    on conflict (id) do update set since = excluded.since, last_at = excluded.last_at`);
}
