import { timingSafeEqual } from 'node:crypto';
import type { AccountTokens } from './account-tokens.ts';
import type { User } from './user.ts';

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
export const administrator: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** The bearer tokens that a server accepts: those it was started with, and those it issues to service accounts. */
export class Tokens {
  readonly accounts: AccountTokens;
  readonly #known = new Map<string, User>();

  constructor(accounts: AccountTokens) {
    this.accounts = accounts;
  }

  /** Accepts a token that never expires. */
  add(token: string, user: User): void {
    this.#known.set(token, user);
  }

  /** The user that a token authenticates at a time (ms); undefined for an invalid token. */
  find(token: string, now: number, audience?: string): User | undefined {
    const given = Buffer.from(token);
    for (const [storedToken, user] of this.#known) {
      const expected = Buffer.from(storedToken);
      if (expected.length === given.length && timingSafeEqual(expected, given)) return user;
    }
    return this.accounts.find(token, now, audience);
  }
}
