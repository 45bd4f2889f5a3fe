import type { FastifyInstance } from 'fastify';
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

/** `/healthz`: the process is up. `/readyz`: it can serve, that is, the store answers and it is not going down. */
export function installHealth(app: FastifyInstance, store: Pick<Store, 'db'>): void {
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
    if (draining) return await reply.status(503).send({ status: 'draining' });
    try {
      await inTime(store.db.execute(sql`select 1`), storeTimeout, 'The store did not answer in time.');
      return await reply.send({ status: 'ready' });
    } catch (error) {
      request.log.warn({ err: describeError(error) }, 'The store does not answer');
      return await reply.status(503).send({ status: 'the store does not answer' });
    }
  });
}
