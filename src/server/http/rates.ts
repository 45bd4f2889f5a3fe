import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { TooManyTries } from '../access/throttle.ts';
import { networkOf } from './proxies.ts';

/** Calls that one API token may make in a minute, on each server. */
const callsPerMinute = 600;

/** Bounds the calls that say so, by network and person, and all calls of each API token. */
export async function installRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => `${networkOf(request.ip)} ${request.person?.id ?? ''}`,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new TooManyTries(`Too many requests. Try again in ${seconds} seconds.`, seconds);
    },
  });
  installTokenRate(app);
}

/** Bounds how often each API token calls: after the plugin that counts is there. */
export function installTokenRate(app: FastifyInstance, perMinute = callsPerMinute): void {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ person }) => `token ${person?.token?.id ?? ''}`,
  });
  app.addHook('onRequest', async (request) => {
    if (request.person?.token == null) return;
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new TooManyTries(
      `This API token makes more than ${perMinute} calls a minute. Try again in ${counted.ttlInSeconds} seconds.`,
      counted.ttlInSeconds,
    );
  });
}
