import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Person } from '../access/person.ts';
import { TooManyTries } from '../access/throttle.ts';
import { type Crowd, type ShareLimits, type ShareOwner, Shares } from '../kit/shares.ts';
import { inTurn, type Turn, Turns } from '../kit/turns.ts';
import { isUnsafe } from './guard.ts';
import { networkOf } from './proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The right of the call to be worked on; undefined for files and probes. */
    turn: Turn | undefined;
  }
}

/** Calls that are worked on at a time, and those that may wait. */
export const callLimits: ShareLimits = {
  alone: 4,
  together: 2,
  recent: 1_000,
  waiting: { person: 128, company: 1_024, all: 4_096 },
};

/** Refused callers are asked to wait this long, s. */
const retryAfter = 2;
/** Sessions and tokens of which it is remembered whose they are. */
const rememberedSessions = 20_000;

/** Statuses of calls that are too many or too large. */
const refusals: ReadonlySet<number> = new Set([413, 429]);
/** Number of calls and recent refusals of signed-out callers from which refusals are sent later, and the delay in ms. */
const manyRefusals = 4;
const refusalPause = 500;

/** For whom calls without a session, or with one that was never seen, are worked on. */
const strangers = 'signed out';
const withoutCompany = 'without an organisation';

function refusal(crowd: Crowd, { company }: ShareOwner): TooManyTries {
  const whose =
    crowd === 'all'
      ? 'The server has'
      : company === strangers
        ? 'Your network has'
        : crowd === 'person'
          ? 'You have'
          : 'Your organisation has';
  return new TooManyTries(
    `${whose} too many calls waiting for an answer. Try again in ${retryAfter} seconds.`,
    retryAfter,
  );
}

/**
 * Lets calls be worked on in turns that companies share, and the people of each. Nothing of a call is worked on before
 * its turn, not even who makes it is looked up: so the turn goes by whose the session or token was before. That decides
 * on nothing but the order.
 */
export class FairShare {
  readonly #turns: Turns;
  readonly #shares: Shares;
  readonly #owners = new Map<string, ShareOwner>();
  /** Refusals of signed-out callers within the last `refusalPause`. */
  #refusals = 0;

  constructor(limits: ShareLimits) {
    this.#shares = new Shares(limits, { now: () => performance.now() });
    this.#turns = new Turns(this.#shares);
  }

  /** Takes a turn for each call of the API, until its answer is sent or has become a stream or socket. */
  install(app: FastifyInstance, callerOf: (request: FastifyRequest) => string | undefined): void {
    app.decorateRequest('turn', undefined);
    app.addHook('onRequest', (request, reply, done) => {
      const { config, url = '' } = request.routeOptions;
      // Files and probes cost nothing.
      if (config.anyHost === true || !url.startsWith('/api/')) {
        done();
        return;
      }
      const key = callerOf(request);
      const known = key === undefined ? undefined : this.#owners.get(key);
      const owner = known ?? { company: strangers, person: networkOf(request.ip) };
      const turn = this.#turns.take(owner);
      request.turn = turn;
      const crowd = this.#shares.crowdOf(owner);
      if (crowd !== undefined) {
        done(refusal(crowd, owner));
        return;
      }
      reply.raw.once('close', () => {
        if (key !== undefined && request.person !== undefined) this.#remember(key, request.person);
        turn.end();
      });
      const { superseded } = request;
      superseded?.addEventListener('abort', () => turn.forget(), { once: true });
      const begin = (): void => {
        // A caller who disconnected while it waited gets no answer.
        if (reply.raw.destroyed) return;
        if (superseded?.aborted === true) done(superseded.reason as Error);
        else inTurn(turn, done);
      };
      void turn.begin().then(begin);
    });
    // A body that is still on its way costs nothing until it is parsed; one of a safe method never is.
    app.addHook('preParsing', (request, _reply, _payload, done) => {
      if (isUnsafe(request.method) && !request.raw.complete) request.turn?.leave();
      done();
    });
    // Beyond this an answer is only written, as fast as its caller takes it.
    app.addHook('onSend', (request, reply, _payload, done) => {
      request.turn?.end();
      if (request.turn?.owner.company !== strangers || !refusals.has(reply.statusCode)) done();
      else this.#refuseSlowly(done);
    });
  }

  /** Sends refusals of somebody who is signed out later where there are many: each makes room for the next call. */
  #refuseSlowly(sendNow: () => void): void {
    const isLater = this.#refusals + this.#shares.demandOf(strangers) >= manyRefusals;
    this.#refusals += 1;
    if (!isLater) sendNow();
    setTimeout(() => {
      this.#refusals -= 1;
      if (isLater) sendNow();
    }, refusalPause);
  }

  #remember(key: string, { id, companyId }: Person): void {
    const company = companyId === null ? withoutCompany : String(companyId);
    this.#owners.delete(key);
    this.#owners.set(key, { company, person: String(id) });
    if (this.#owners.size <= rememberedSessions) return;
    const [oldest] = this.#owners.keys();
    if (oldest !== undefined) this.#owners.delete(oldest);
  }
}

/** Goes on with a call whose body has arrived, once it is its turn again. */
export async function resumeCall(request: FastifyRequest, run: () => void): Promise<void> {
  const { turn } = request;
  await turn?.resume();
  if (turn === undefined) run();
  else inTurn(turn, run);
}
