import { randomBytes } from 'node:crypto';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import {
  challengeMinutes,
  maxPasskeys,
  type PasskeyAttestation,
  type registrationOptionsSchema,
  transportSchema,
} from '../../contract/passkeys.ts';
import { Problem } from '../../contract/problem.ts';
import type { Person } from '../access/person.ts';
import { users } from '../store/schema/accounts.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import type { Store } from '../store/store.ts';
import { type ChallengeHolder, Challenges } from './challenges.ts';
import { clientDataIn } from './client-data.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Clock } from '../kit/clock.ts';

/** Signatures that are taken: EdDSA, ECDSA on P-256, and RSA, by their numbers in COSE. */
const algorithms = [-8, -7, -257];

/** Registering passkeys. Whether the person may do so is its caller's question. */
export class PasskeyRegistration {
  readonly #store: Pick<Store, 'db'>;
  readonly #challenges: Challenges;

  constructor(store: Pick<Store, 'db'>, clock: Clock) {
    this.#store = store;
    this.#challenges = new Challenges(store, clock);
  }

  /** What a browser asks an authenticator for. Throws Problem 409 for somebody with too many passkeys. */
  async options(party: RelyingParty, person: Person): Promise<z.infer<typeof registrationOptionsSchema>> {
    const own = await this.#store.db.select().from(passkeys).where(eq(passkeys.userId, person.id));
    refuseMore(own.length);
    const userHandle = own[0]?.userHandle ?? randomBytes(32).toString('base64url');
    const challenge = await this.#challenges.make(holder(person), userHandle);
    const { rp, user, ...options } = await generateRegistrationOptions({
      rpName: 'Wheelhouse',
      rpID: party.id,
      userName: person.email,
      userDisplayName: person.name,
      userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
      challenge,
      supportedAlgorithmIDs: algorithms,
    });
    return {
      challenge: options.challenge,
      rp: { id: party.id, name: rp.name },
      user,
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
      timeout: challengeMinutes * 60_000,
      attestation: 'none',
      excludeCredentials: own.map(({ credentialId, transports }) => ({
        id: credentialId,
        type: 'public-key',
        transports: transports.flatMap((name) => {
          const known = transportSchema.safeParse(name);
          return known.success ? [known.data] : [];
        }),
      })),
      // The authenticator keeps the account's name, so that signing in needs none, and asks for a PIN or a finger.
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    };
  }

  /**
   * Stores the passkey that an authenticator made and returns its id. Throws Problem 409 for an answer to no challenge of
   * this session, and for a credential that is registered already.
   */
  async add(party: RelyingParty, person: Person, name: string, made: PasskeyAttestation): Promise<number> {
    const { challenge, isFramed } = clientDataIn(made);
    const taken = await this.#challenges.take(challenge, holder(person));
    const userHandle = taken?.userHandle;
    if (userHandle == null || isFramed) throw refusal();
    const { id, rawId, type, clientExtensionResults } = made;
    const { clientDataJSON, attestationObject, transports = [] } = made.response;
    const result = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults,
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }).catch(() => undefined);
    if (result?.verified !== true) throw refusal();
    const { credential } = result.registrationInfo;
    return await this.#store.db.transaction(async (tx) => {
      // One after the other: else two at once would pass the limit.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, person.id)).for('update');
      const own = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, person.id));
      refuseMore(own.length);
      const [row] = await tx
        .insert(passkeys)
        .values({
          userId: person.id,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports,
          userHandle,
          host: party.id,
          name,
        })
        .onConflictDoNothing()
        .returning({ id: passkeys.id });
      if (row === undefined)
        throw new Problem({ status: 409, title: 'This passkey is already registered. Use another device.' });
      return row.id;
    });
  }
}

/** A challenge is answered in the session that asked for it. */
const holder = ({ id, sessionHash }: Person): ChallengeHolder => ({
  hash: Buffer.from(sessionHash, 'hex'),
  userId: id,
});

function refuseMore(count: number): void {
  if (count >= maxPasskeys)
    throw new Problem({
      status: 409,
      title: `An account has at most ${maxPasskeys} passkeys. Remove one that you do not use any more.`,
    });
}

const refusal = () =>
  new Problem({
    status: 409,
    title: `The passkey could not be registered: it took longer than ${challengeMinutes} minutes, or it was made for another site. Try again.`,
  });
