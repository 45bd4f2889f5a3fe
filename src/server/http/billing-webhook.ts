import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problem.ts';
import type { BillingEvents } from '../billing/events.ts';

/** Events that are taken from one network in a minute, refused ones included. */
const perMinute = 300;

/** Where Chargebee sends its events. */
export const chargebeeWebhookPath = '/api/subscription/webhooks/chargebee';

/**
 * Takes events of Chargebee, which signs in by HTTP basic authentication: it has nothing better. What an event says is
 * believed no further than that it is worth asking.
 */
export function installBillingWebhook(
  app: FastifyInstance,
  { user, password }: { readonly user: string; readonly password: string },
  events: Pick<BillingEvents, 'take'>,
): void {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  app.post(
    chargebeeWebhookPath,
    {
      bodyLimit: 512 * 1024,
      config: {
        access: 'public',
        anonymous: true,
        ownSecret: true,
        rateLimit: { max: perMinute, timeWindow: 60_000 },
      },
      schema: { hide: true },
      // Before the body is read, and after the rate, which counts guesses as well: a hook of the route at `onRequest`
      // would run before that of the rate.
      preParsing: async (request, reply, payload) => {
        if (isSame(request.headers.authorization ?? '', expected)) return payload;
        reply.header('www-authenticate', 'Basic realm="Wheelhouse billing"');
        throw new Problem({ status: 401, title: 'The user or password of the webhook is wrong.' });
      },
    },
    async (request, reply) => {
      if (!(await events.take(request.body)))
        throw new Problem({ status: 400, title: 'This is not an event.' });
      return await reply.status(204).send();
    },
  );
}

/** Compares digests: neither length nor content of what is expected shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
