import { randomBytes } from 'node:crypto';
import { createVault, type Vault } from '../store/vault.ts';
import { recordingContext } from '../store/sealed.ts';

/** The id that a recording's key has within its own ring. */
const keyId = 'part';

/** The key of one recording: it seals its parts, each for its place. */
export interface PartSeal {
  /** @param position from 1 */
  seal(text: string, position: number): Buffer;
  /** Throws SealError for a part that was changed, or that belongs to another place or recording. */
  open(sealed: Buffer, position: number): string;
}

/**
 * A recording has a key of its own, which the vault seals: a rotation of the vault's key then rewrites one short value
 * for a recording, not all that its shell showed.
 */
function sealWith(key: Buffer, id: string): PartSeal {
  const own = createVault({ current: keyId, keys: new Map([[keyId, key]]) });
  const context = (position: number) => `shell-recordings/${id}/parts/${position}`;
  return {
    seal: (text, position) => own.seal(text, context(position)),
    open: (sealed, position) => own.open(sealed, context(position)),
  };
}

/** A new key for the recording of an id, and what is stored of it. */
export function createPartSeal(vault: Vault, id: string): { readonly seal: PartSeal; readonly key: Buffer } {
  const key = randomBytes(32);
  return { seal: sealWith(key, id), key: vault.seal(key.toString('base64'), recordingContext(id)) };
}

/** The key of a stored recording. Throws SealError where it cannot be opened. */
export const openPartSeal = (vault: Vault, id: string, key: Buffer): PartSeal =>
  sealWith(Buffer.from(vault.open(key, recordingContext(id)), 'base64'), id);
