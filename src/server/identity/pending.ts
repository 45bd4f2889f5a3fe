import { and, eq, gt, lte } from 'drizzle-orm';
import { hashToken, newToken } from '../access/sessions.ts';
import type { Person } from '../access/person.ts';
import { pendingSignIns } from '../store/schema/identities.ts';
import type { Store } from '../store/store.ts';
import { type Checks, newChecks } from './client.ts';
import type { Clock } from '../kit/clock.ts';

/** A sign-in that has not come back after this is forgotten, ms. */
export const pendingLifetime = 10 * 60_000;

/** The reason for which somebody goes to a provider. */
export type Purpose = 'sign-in' | 'connect' | 'test' | 'confirm';

/** A sign-in that waits at a provider. */
export interface Pending {
  readonly provider: string;
  readonly purpose: Purpose;
  /** A path of this console. */
  readonly returnUrl: string;
  /** The person that connects, tests or confirms, and their session (hash, hex); null for a sign-in. */
  readonly by: Pick<Person, 'id' | 'sessionHash'> | null;
}

/** Sign-ins that wait at a provider: rows that every server of the store may end, each once. */
export class PendingSignIns {
  readonly #store: Pick<Store, 'db'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Stores a sign-in and returns what it has to come back with.
   * @param browser the value of the browser's cookie, if it has one; several tabs of one browser share it
   */
  async begin(pending: Pending, browser: string | undefined): Promise<Checks & { readonly browser: string }> {
    const { db } = this.#store;
    const checks = newChecks();
    const cookie = browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : newToken();
    const now = this.#clock.now();
    await db.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, iso(now)));
    await db.insert(pendingSignIns).values({
      stateHash: hashToken(checks.state),
      browserHash: hashToken(cookie),
      provider: pending.provider,
      purpose: pending.purpose,
      userId: pending.by?.id ?? null,
      sessionHash: pending.by === null ? null : Buffer.from(pending.by.sessionHash, 'hex'),
      nonce: checks.nonce,
      verifier: checks.verifier,
      returnUrl: pending.returnUrl,
      expiresAt: iso(now + pendingLifetime),
    });
    return { ...checks, browser: cookie };
  }

  /**
   * Takes a sign-in out of the store: of two that ask at once one gets it. Undefined for a state that is unknown, expired
   * or used, of another browser, or of another provider.
   */
  async take(
    state: string,
    browser: string,
    provider: string,
  ): Promise<(Pending & { readonly checks: Checks; readonly beganAt: number }) | undefined> {
    const [row] = await this.#store.db
      .delete(pendingSignIns)
      .where(
        and(
          eq(pendingSignIns.stateHash, hashToken(state)),
          eq(pendingSignIns.browserHash, hashToken(browser)),
          eq(pendingSignIns.provider, provider),
          gt(pendingSignIns.expiresAt, iso(this.#clock.now())),
        ),
      )
      .returning();
    if (row === undefined) return undefined;
    const { userId, sessionHash } = row;
    return {
      provider: row.provider,
      purpose: row.purpose,
      returnUrl: row.returnUrl,
      beganAt: Date.parse(row.expiresAt) - pendingLifetime,
      by:
        userId === null || sessionHash === null
          ? null
          : { id: userId, sessionHash: sessionHash.toString('hex') },
      checks: { state, nonce: row.nonce, verifier: row.verifier },
    };
  }
}

const iso = (time: number) => new Date(time).toISOString();
