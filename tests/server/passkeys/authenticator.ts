import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion, PasskeyAttestation } from '../../../src/contract/passkeys.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const url = (data: Uint8Array) => Buffer.from(data).toString('base64url');

/** What an answer of the authenticator may say otherwise than an honest one. */
export interface Lies {
  /** The id of the passkey that it claims to have. */
  readonly id?: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** The ceremony that its browser names. */
  readonly type?: 'webauthn.create' | 'webauthn.get';
  /** Whether a page of another site frames the one that asked. */
  readonly isFramed?: boolean;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Whether it asked for a PIN or a finger. */
  readonly isVerified?: boolean;
  /** Whether somebody touched it. */
  readonly isPresent?: boolean;
}

const shapeOf = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
});

/** An authenticator with one passkey, which signs whatever it is told to. */
export class Authenticator {
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly id = url(randomBytes(16));
  counter = 0;
  userHandle = '';

  /** @param origin at which its browser opened the console */
  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Makes the passkey for an account. */
  register(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    lies: Lies = {},
  ): PasskeyAttestation {
    this.userHandle = options.user.id;
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head(lies.rpId ?? options.rp.id, { ...lies, hasKey: true }),
      Buffer.alloc(16),
      length,
      id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...shapeOf(this.id),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies),
        attestationObject: url(isoCBOR.encode(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** Signs a challenge. */
  signIn(options: { challenge: string; rpId: string }, lies: Lies = {}): PasskeyAssertion {
    this.counter += 1;
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, lies);
    const data = this.#head(lies.rpId ?? options.rpId, { counter: this.counter, ...lies });
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      ...shapeOf(lies.id ?? this.id),
      response: {
        clientDataJSON,
        authenticatorData: url(data),
        signature: url(sign('sha256', signed, this.#privateKey)),
        userHandle: lies.userHandle ?? this.userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: lies.isFramed ?? false,
    };
    return url(Buffer.from(JSON.stringify(data)));
  }

  /** Hash of the RP ID, flags (1 present, 4 verified, 64 with a key) and counter. */
  #head(
    rpId: string,
    { counter = 0, isVerified = true, isPresent = true, hasKey = false }: Lies & { hasKey?: boolean },
  ): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8((isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (hasKey ? 64 : 0), 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }
}
