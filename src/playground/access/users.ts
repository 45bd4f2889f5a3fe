import { timingSafeEqual } from 'node:crypto';

/** Who sends a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
export const administrator: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

interface Issued {
  readonly user: User;
  /** Milliseconds since 1970; undefined for tokens without an end. */
  readonly until: number | undefined;
}

/** The bearer tokens a server accepts. */
export class Tokens {
  readonly #issued = new Map<string, Issued>();

  add(token: string, user: User, until?: number): void {
    this.#issued.set(token, { user, until });
  }

  /** Who a token stands for at a time; undefined when nobody. */
  find(token: string, now: number): User | undefined {
    const given = Buffer.from(token);
    for (const [known, { user, until }] of this.#issued) {
      const expected = Buffer.from(known);
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) continue;
      return until !== undefined && until <= now ? undefined : user;
    }
    return undefined;
  }
}

/** The user name and groups of a service account. */
export function serviceAccountUser(namespace: string, name: string, uid: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
