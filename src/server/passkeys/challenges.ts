import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import { challengeMinutes } from '../../contract/passkeys.ts';
import { hashToken } from '../access/sessions.ts';
import { passkeyChallenges } from '../store/schema/passkeys.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../kit/clock.ts';

/** Who a challenge is for: only they may answer it. */
export interface ChallengeHolder {
  /** SHA-256 of the cookie of the browser that signs in, or of the token of the session that registers. */
  readonly hash: Buffer;
  /** Who registers; null for a sign-in. */
  readonly userId: number | null;
}

/** A challenge that was taken. */
interface TakenChallenge {
  /** By what the authenticator knows the account, base64url; null for a sign-in. */
  readonly userHandle: string | null;
}

/** What authenticators are asked to sign: rows that every server of the store may consume, each once. */
export class Challenges {
  readonly #store: Pick<Store, 'db'>;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Stores a challenge and returns it. Forgets those that expired. @param userHandle of who registers */
  async make(
    { hash, userId }: ChallengeHolder,
    userHandle: string | null = null,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { db } = this.#store;
    const challenge = new Uint8Array(randomBytes(32));
    const now = this.#clock.now();
    await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, iso(now)));
    await db.insert(passkeyChallenges).values({
      challengeHash: hashToken(Buffer.from(challenge).toString('base64url')),
      holderHash: hash,
      userId,
      userHandle,
      expiresAt: iso(now + challengeMinutes * 60_000),
    });
    return challenge;
  }

  /** Takes a challenge out of the store: of two that answer it at once one gets it. Undefined for any that is none. */
  async take(challenge: string, { hash, userId }: ChallengeHolder): Promise<TakenChallenge | undefined> {
    const [taken] = await this.#store.db
      .delete(passkeyChallenges)
      .where(
        and(
          eq(passkeyChallenges.challengeHash, hashToken(challenge)),
          eq(passkeyChallenges.holderHash, hash),
          userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
          gt(passkeyChallenges.expiresAt, iso(this.#clock.now())),
        ),
      )
      .returning({ userHandle: passkeyChallenges.userHandle });
    return taken;
  }
}

const iso = (time: number) => new Date(time).toISOString();
