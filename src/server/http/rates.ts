import { callbackify } from 'node:util';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Rate, SharedRates } from '../access/rates.ts';
import { TooManyTries } from '../access/throttle.ts';
import { networkOf } from './proxies.ts';

/** Calls that one API token may make in a minute, on all servers together. */
const callsPerMinute = 600;

/** Bounds the calls that say so, by network and person, and all calls of each API token: on all servers together. */
export async function installRates(app: FastifyInstance, rates: Pick<SharedRates, 'count'>): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    store: storeOver(rates),
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

/** The plugin's options, with the route that has them; without one they count all calls. */
interface StoreOptions {
  readonly routeInfo?: { readonly method?: string | readonly string[]; readonly url?: string };
}

/** A store for the plugin that counts each route by itself, by the rates of all servers. */
function storeOver(rates: Pick<SharedRates, 'count'>): FastifyRateLimitStoreCtor {
  const count = callbackify(async (rate: Rate) => await rates.count(rate));
  return class SharedStore implements FastifyRateLimitStore {
    readonly #counted: string;

    constructor({ routeInfo }: StoreOptions) {
      this.#counted = `${String(routeInfo?.method ?? '')} ${routeInfo?.url ?? ''}`;
    }

    incr(
      key: string,
      done: Parameters<FastifyRateLimitStore['incr']>[1],
      window: number,
      limit: number,
    ): void {
      count({ key: `${this.#counted} ${key}`, limit, window }, done);
    }

    child(options: object): FastifyRateLimitStore {
      return new SharedStore(options);
    }
  };
}
