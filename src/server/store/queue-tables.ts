import type { Client } from 'pg';
import { PgBoss } from 'pg-boss';

/** The schema of PostgreSQL that the queue's library keeps its tables in. */
export const queueSchema = 'pgboss';

/** The queues of the console, each with how long one job may take, seconds. */
export const queues = { mail: { limit: 120 }, webhook: { limit: 60 }, billing: { limit: 120 } } as const;
export type QueueName = keyof typeof queues;

/** A server that ended leaves its jobs to the others after this silence, seconds: the library's shortest. */
const heartbeat = 10;

/**
 * Brings the queue's tables to the version of the library, and the queues to ours. Called with the lock of migrations:
 * the library's own steps follow ours.
 */
export async function migrateQueue(client: Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => await client.query(text, values) },
    schema: queueSchema,
    supervise: false,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  let failure: Error | undefined;
  boss.on('error', (error) => {
    failure ??= error;
  });
  await boss.start();
  try {
    for (const [name, { limit }] of Object.entries(queues)) {
      const options = {
        expireInSeconds: limit,
        heartbeatSeconds: heartbeat,
        // A job that fails met a failure of the console itself, such as a database that is away: it is for ever tried again.
        retryLimit: 10_000,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 60,
        // Jobs hold ids alone, and nobody asks for those that are over.
        deleteAfterSeconds: 60,
      };
      if ((await boss.getQueue(name)) === null)
        await boss.createQueue(name, { policy: 'exclusive', ...options });
      else await boss.updateQueue(name, options);
    }
  } finally {
    await boss.stop({ close: false, graceful: false });
  }
  if (failure !== undefined) throw failure;
}
