import { type Column, type SQL, sql } from 'drizzle-orm';
import type { Database } from './store.ts';

/** Whoever gave no sign of life for this long counts as gone, seconds. Each gives one every 5 s at least. */
const silence = 20;
/** Signs of life of all servers that are further apart than this say that the database was away, seconds. */
const gap = 10;

/**
 * Notes that a server could write to the database just now. Each server does it every few seconds, after the signs of
 * life of what it runs. Throws errors of the database.
 */
export async function noteSignOfLife(db: Pick<Database, 'execute'>): Promise<void> {
  await db.execute(sql`
    insert into signs_of_life (since, last_at) values (clock_timestamp(), clock_timestamp())
    on conflict (id) do update set
      since = case
        when signs_of_life.last_at between clock_timestamp() - make_interval(secs => ${gap}) and clock_timestamp()
        then signs_of_life.since else clock_timestamp() end,
      last_at = clock_timestamp()`);
}

/**
 * Whether the last sign of life in a column is so old that whoever gave it counts as gone. Nobody does until servers could
 * give signs of life for as long as that without a gap: while the database was away no server could, also those that
 * live. The clock of the database decides, as those of servers may differ.
 */
export const isSilent = (
  lastSign: Column,
): SQL => sql`(${lastSign} < now() - make_interval(secs => ${silence})
  and exists (select from signs_of_life where since < now() - make_interval(secs => ${silence})
    and last_at > now() - make_interval(secs => ${gap})))`;
