import { randomBytes } from 'node:crypto';
import { createVault, SealError, type Vault } from '../store/vault.ts';
import { recordingContext } from '../store/sealed.ts';

/** The id that a recording's key has within its own ring. */
const keyId = 'part';

/** Whose shell was recorded, and where, as its row says. */
export interface RecordingFacts {
  /** A random UUID. */
  readonly id: string;
  readonly companyId: number;
  readonly clusterId: number;
  /** The cluster's name at that time. */
  readonly cluster: string;
  readonly userId: number;
  readonly actor: string;
  readonly mode: string;
  readonly namespace: string;
  /** Of the pod. */
  readonly name: string;
  readonly container: string | null;
}

/** The key of one recording: it seals its parts, each for its place and for what the row says of the shell. */
export interface PartSeal {
  /** @param position from 1 */
  seal(text: string, position: number): Buffer;
  /** Throws SealError for a part that was changed, or that belongs to another place, recording or shell. */
  open(sealed: Buffer, position: number): string;
}

/**
 * A recording has a key of its own, which the vault seals: a rotation of the vault's key then rewrites one short value
 * for a recording, not all that its shell showed.
 */
function sealWith(key: Buffer, facts: RecordingFacts): PartSeal {
  const own = createVault({ current: keyId, keys: new Map([[keyId, key]]) });
  const { id, companyId, clusterId, cluster, userId, actor, mode, namespace, name, container } = facts;
  const bound = JSON.stringify([
    companyId,
    clusterId,
    cluster,
    userId,
    actor,
    mode,
    namespace,
    name,
    container,
  ]);
  const place = (position: number) => `shell-recordings/${id}/parts/${position}`;
  const context = (position: number) => `${place(position)} ${bound}`;
  return {
    seal: (text, position) => own.seal(text, context(position)),
    open(sealed, position) {
      try {
        return own.open(sealed, context(position));
      } catch (error) {
        if (!(error instanceof SealError) || error.reason !== 'content') throw error;
        // Parts from before facts were bound are sealed for their place alone; no part from since then opens by it.
        return own.open(sealed, place(position));
      }
    },
  };
}

/** A new key for a recording, and what is stored of it. */
export function createPartSeal(
  vault: Vault,
  facts: RecordingFacts,
): { readonly seal: PartSeal; readonly key: Buffer } {
  const key = randomBytes(32);
  return {
    seal: sealWith(key, facts),
    key: vault.seal(key.toString('base64'), recordingContext(facts.id)),
  };
}

/** The key of a stored recording. Throws SealError where it cannot be opened. */
export const openPartSeal = (vault: Vault, facts: RecordingFacts, key: Buffer): PartSeal =>
  sealWith(Buffer.from(vault.open(key, recordingContext(facts.id)), 'base64'), facts);
