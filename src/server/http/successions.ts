import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted with a Problem when a later call takes the place of this one; undefined where none can. */
    superseded: AbortSignal | undefined;
  }
  interface FastifyContextConfig {
    /** A parameter of the query: of the calls of one session that give the same value, only the latest is answered. */
    supersededBy?: string;
  }
}

/** Calls that a later one may take the place of, by route, session and value. */
export class Successions {
  readonly #latest = new Map<string, AbortController>();

  /**
   * Ends the call before this one.
   * @returns what is aborted once a later one comes, and what says that this one is over
   */
  begin(key: string): { readonly signal: AbortSignal; readonly end: () => void } {
    this.#latest.get(key)?.abort(new Problem({ status: 409, title: 'A newer search replaced this one.' }));
    const own = new AbortController();
    this.#latest.set(key, own);
    return {
      signal: own.signal,
      end: () => {
        if (this.#latest.get(key) === own) this.#latest.delete(key);
      },
    };
  }
}

/** Lets later calls take the place of earlier ones. @param callerOf the session or token of a call */
export function installSuccessions(
  app: FastifyInstance,
  callerOf: (request: FastifyRequest) => string | undefined,
): void {
  const successions = new Successions();
  app.decorateRequest('superseded', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url = '' } = request.routeOptions;
    const caller = config.supersededBy === undefined ? undefined : callerOf(request);
    const value = (request.query as Readonly<Record<string, unknown>>)[config.supersededBy ?? ''];
    if (caller !== undefined && typeof value === 'string') {
      const { signal, end } = successions.begin(JSON.stringify([url, caller, value]));
      request.superseded = signal;
      reply.raw.once('close', end);
    }
    done();
  });
}
