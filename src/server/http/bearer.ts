import type { FastifyRequest } from 'fastify';
import type { TokenUse } from '../../contract/endpoint.ts';
import { Problem } from '../../contract/problem.ts';
import { findByToken } from '../access/api-tokens.ts';
import type { Member } from '../access/person.ts';
import { hashToken } from '../access/sessions.ts';
import type { Throttle } from '../access/throttle.ts';
import { isApiToken, looksLikeApiToken } from '../access/token-format.ts';
import type { Database } from '../store/store.ts';
import type { SessionCookies } from './cookies.ts';
import { networkOf } from './proxies.ts';
import type { Clock } from '../kit/clock.ts';

/** The one answer to a token that is malformed, unknown, expired or revoked, and to one whose person may no more. */
function noToken(): Problem {
  return new Problem({
    status: 401,
    title:
      'This API token is invalid, expired or revoked. Create a new one in the settings, under API tokens.',
  });
}

/**
 * The API token of a request. It comes as `Authorization: Bearer whp_…` and in no other way: neither by cookie nor in an
 * address. Other Authorization headers belong to a proxy in front of the console and say nothing here.
 */
export function apiTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && looksLikeApiToken(token) ? token : undefined;
}

/** A digest of the session or API token that a request comes with, whether or not it opens anything. */
export function callerDigest(
  request: FastifyRequest,
  cookies: Pick<SessionCookies, 'read'>,
): string | undefined {
  const token = apiTokenOf(request) ?? cookies.read(request);
  return token === undefined ? undefined : hashToken(token).toString('base64');
}

/** Finds out who acts by an API token. */
export class BearerCheck {
  readonly #db: Database;
  readonly #throttle: Throttle;
  readonly #clock: Clock;

  constructor(db: Database, throttle: Throttle, clock: Clock) {
    this.#db = db;
    this.#throttle = throttle;
    this.#clock = clock;
  }

  /**
   * Who acts by the token. Throws Problem 401 for one that opens nothing, 429 while its network has tried too many that
   * never were. A good token is let in even then: somebody else behind the same address must not be able to shut it out,
   * and 178 random bits are not found by trying.
   */
  async find(token: string, address: string): Promise<Member> {
    if (!isApiToken(token)) throw noToken();
    const found = await findByToken(this.#db, token, { address, now: this.#clock.now() });
    if (found.person !== undefined) return found.person;
    if (found.isUnknown) {
      const guess = { what: 'api-token', network: networkOf(address) } as const;
      await this.#throttle.check(guess);
      await this.#throttle.failed(guess);
    }
    throw noToken();
  }
}

/** Throws Problem 403 for a call that takes no API tokens, or only those with a scope that this one lacks. */
export function requireTokenUse(person: Member, use: TokenUse): void {
  if (use === 'scopes') return;
  if (use === 'never')
    throw new Problem({
      status: 403,
      title: 'API tokens cannot do this. Sign in to the console for it.',
    });
  if (person.token?.scopes.has(use) === true) return;
  throw new Problem({
    status: 403,
    title: `The API token “${person.token?.name ?? ''}” does not have the scope "${use}". Create one that has it.`,
  });
}
