import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { KeyRing } from '../kit/key-ring.ts';

/** Seals secrets at rest (AES-256-GCM); the context binds a value to its table, row and column. */
export interface Vault {
  /** @param context e.g. `clusters/12/kubeconfig`: opening with another context fails. */
  seal(plaintext: string, context: string): Buffer;
  /** Throws SealError when the value was moved, changed, or sealed with a key that is not in the ring. */
  open(sealed: Buffer, context: string): string;
  /** A key of 32 bytes for a text, derived from the current key: another after a rotation. @param context what it is for */
  derive(text: string, context: string): Buffer;
}

/** Why a sealed value did not open. The message may name its row; the reason is one of three words. */
export class SealError extends Error {
  /** An unknown or cut format; a key that is not in the ring; or content that was changed or moved to another row. */
  readonly reason: 'format' | 'key' | 'content';

  constructor(reason: SealError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SealError';
    this.reason = reason;
  }
}

const version = 1;
const ivLength = 12;
const tagLength = 16;
const cipher = 'aes-256-gcm';

/** A vault on a key ring. Format of a sealed value: [1][length of key id][key id][iv 12][tag 16][ciphertext]. */
export function createVault(ring: KeyRing): Vault {
  return {
    seal(plaintext, context) {
      const id = Buffer.from(ring.current, 'utf8');
      const iv = randomBytes(ivLength);
      const seal = createCipheriv(cipher, keyOf(ring, ring.current), iv, { authTagLength: tagLength });
      seal.setAAD(Buffer.from(context, 'utf8'));
      const text = Buffer.concat([seal.update(plaintext, 'utf8'), seal.final()]);
      return Buffer.concat([Buffer.from([version, id.length]), id, iv, seal.getAuthTag(), text]);
    },
    open(sealed, context) {
      const id = sealedKeyId(sealed);
      const start = 2 + Buffer.byteLength(id);
      if (sealed.length < start + ivLength + tagLength)
        throw new SealError('format', 'A sealed value is cut short.');
      const iv = sealed.subarray(start, start + ivLength);
      const tag = sealed.subarray(start + ivLength, start + ivLength + tagLength);
      const unseal = createDecipheriv(cipher, keyOf(ring, id), iv, { authTagLength: tagLength });
      unseal.setAAD(Buffer.from(context, 'utf8'));
      unseal.setAuthTag(tag);
      try {
        const text = unseal.update(sealed.subarray(start + ivLength + tagLength));
        return Buffer.concat([text, unseal.final()]).toString('utf8');
      } catch (error) {
        throw new SealError('content', `A sealed value does not belong to ${context}, or was changed.`, {
          cause: error,
        });
      }
    },
    derive: (text, context) =>
      createHmac('sha256', keyOf(ring, ring.current)).update(`${context}\n${text}`).digest(),
  };
}

/** The id of the key that a value was sealed with. Throws SealError on a value of another format. */
export function sealedKeyId(sealed: Buffer): string {
  const length = sealed[1];
  if (sealed[0] !== version || length === undefined || sealed.length < 2 + length)
    throw new SealError('format', 'A sealed value has a format that this version does not know.');
  return sealed.toString('utf8', 2, 2 + length);
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys.get(id);
  if (key === undefined)
    throw new SealError('key', `The key "${id}" that a value was sealed with is not in the key ring.`);
  return key;
}

/** The same, or null for a value of another format. */
export function keyIdOf(sealed: Buffer): string | null {
  try {
    return sealedKeyId(sealed);
  } catch {
    return null;
  }
}
