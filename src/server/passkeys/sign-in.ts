import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { eq } from 'drizzle-orm';
import { challengeMinutes, type PasskeyAssertion } from '../../contract/passkeys.ts';
import { hashToken } from '../access/sessions.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import type { Store } from '../store/store.ts';
import { Challenges } from './challenges.ts';
import { clientDataIn } from './client-data.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Clock } from '../kit/clock.ts';

/** A passkey that an assertion names, whose it is, and whether the assertion opens their account. */
interface NamedPasskey {
  readonly userId: number;
  readonly passkeyId: number;
  readonly opens: boolean;
}

/** Signing in with a passkey: the authenticator knows the account, so nobody types an address. */
export class PasskeySignIn {
  readonly #store: Pick<Store, 'db'>;
  readonly #challenges: Challenges;
  readonly #clock: Clock;

  constructor(store: Pick<Store, 'db'>, clock: Clock) {
    this.#store = store;
    this.#challenges = new Challenges(store, clock);
    this.#clock = clock;
  }

  /**
   * What a browser asks its authenticators for; nothing in it depends on who that is.
   * @param browser the value of the browser's cookie
   */
  async options(party: RelyingParty, browser: string) {
    const challenge = await this.#challenges.make({ hash: hashToken(browser), userId: null });
    return {
      challenge: Buffer.from(challenge).toString('base64url'),
      rpId: party.id,
      timeout: challengeMinutes * 60_000,
      // A PIN or a finger beside the device: it stands for the password.
      userVerification: 'required' as const,
    };
  }

  /**
   * Which passkey an assertion names, and whether it answers the challenge; undefined for one that nobody has. The challenge
   * is consumed in any case.
   */
  async verify(
    party: RelyingParty,
    browser: string,
    assertion: PasskeyAssertion,
  ): Promise<NamedPasskey | undefined> {
    const { challenge, isFramed } = clientDataIn(assertion);
    const taken = await this.#challenges.take(challenge, { hash: hashToken(browser), userId: null });
    return await this.#store.db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(passkeys)
        .where(eq(passkeys.credentialId, assertion.id))
        .for('update');
      if (row === undefined) return undefined;
      const named = { userId: row.userId, passkeyId: row.id };
      const { authenticatorAttachment, response, ...credential } = assertion;
      const { userHandle, ...signed } = response;
      // The authenticator says whose account it is: that must be the one that registered it.
      if (taken === undefined || isFramed || userHandle !== row.userHandle) return { ...named, opens: false };
      const result = await verifyAuthenticationResponse({
        response: {
          ...credential,
          ...(authenticatorAttachment === undefined ? {} : { authenticatorAttachment }),
          response: { ...signed, userHandle },
        },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // A count that did not grow is refused: the key was copied.
        credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: row.counter },
        requireUserVerification: true,
      }).catch(() => undefined);
      if (result?.verified !== true) return { ...named, opens: false };
      await tx
        .update(passkeys)
        .set({
          counter: result.authenticationInfo.newCounter,
          lastUsedAt: new Date(this.#clock.now()).toISOString(),
        })
        .where(eq(passkeys.id, row.id));
      return { ...named, opens: true };
    });
  }
}
