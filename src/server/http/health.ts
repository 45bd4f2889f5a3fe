import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'drizzle-orm';
import { describeError } from '../kit/describe-error.ts';
import { inTime } from '../kit/in-time.ts';
import type { Store } from '../store/store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on `/readyz` says no, so that no new work is sent here; what runs goes on until `close`. */
    drain(): void;
  }
}

/** Timeout of the store for a readiness probe, ms. */
const storeTimeout = 2_000;

/** Why a server is not ready, by the name of the check that says so. */
const refusals = {
  draining: 'draining',
  database: 'the store does not answer',
  writable: 'the database takes no changes',
  disk: 'no room is left on the disk of the database',
} as const;

type Check = keyof typeof refusals;

/**
 * `/healthz`: the process is up. `/readyz`: it can serve, that is, the store answers and takes changes, its disk has room,
 * and the server is not going down. `/readyz?exclude=disk` leaves a check out, as it does at Kubernetes: a server whose
 * database has no room still answers what changes nothing.
 */
export function installHealth(app: FastifyInstance, store: Pick<Store, 'db' | 'disk'>): void {
  let draining = false;
  app.decorate('drain', () => {
    draining = true;
  });
  const options = {
    config: { access: 'public', anonymous: true, anyHost: true },
    schema: { hide: true },
  } as const;

  app.get('/healthz', options, async (_request, reply) => {
    return await reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
  app.get('/readyz', options, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const failed = draining ? 'draining' : await checkStore(store, request);
    const { exclude } = request.query as { readonly exclude?: string | readonly string[] };
    const isLeftOut = failed === 'disk' && [exclude].flat().includes(failed);
    if (failed === undefined || isLeftOut) return await reply.send({ status: 'ready' });
    return await reply.status(503).send({ status: refusals[failed], check: failed });
  });
}

/** The first check of the store that fails. */
async function checkStore(
  { db, disk }: Pick<Store, 'db' | 'disk'>,
  { log }: Pick<FastifyRequest, 'log'>,
): Promise<Check | undefined> {
  try {
    const asked = db.execute<{ refuses: boolean }>(
      sql`select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as refuses`,
    );
    const { rows } = await inTime(asked, storeTimeout, 'The store did not answer in time.');
    if (rows[0]?.refuses) return 'writable';
    return (await inTime(disk.isFull(), storeTimeout, 'The disk did not answer in time.'))
      ? 'disk'
      : undefined;
  } catch (error) {
    log.warn({ err: describeError(error) }, 'The store does not answer');
    return 'database';
  }
}
