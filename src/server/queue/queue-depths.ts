import { sql } from 'drizzle-orm';
import { type QueueName, queues, queueSchema } from '../store/queue-tables.ts';
import type { Store } from '../store/store.ts';

/** What waits in a queue. */
export interface QueueDepth {
  readonly queue: QueueName;
  /** Jobs that wait, for their time too, or are being done. */
  readonly jobs: number;
  /** For how long the one that waits longest has been due, seconds; 0 where none is. */
  readonly late: number;
}

/** How much waits in each queue of the console. Throws when the store does not answer. */
export async function queueDepths(store: Pick<Store, 'db'>): Promise<readonly QueueDepth[]> {
  const { rows } = await store.db.execute<{ name: string; jobs: number; late: number }>(sql`
    select name, count(*)::int as jobs,
      coalesce(max(extract(epoch from now() - start_after))
        filter (where state in ('created', 'retry') and start_after <= now()), 0)::float8 as late
    from ${sql.identifier(queueSchema)}.job
    where state in ('created', 'retry', 'active')
    group by name`);
  const found = new Map(rows.map((row) => [row.name, row]));
  return (Object.keys(queues) as QueueName[]).map((queue) => ({
    queue,
    jobs: found.get(queue)?.jobs ?? 0,
    late: found.get(queue)?.late ?? 0,
  }));
}
