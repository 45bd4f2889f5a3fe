import { snapshotChunk } from '../../../contract/live.ts';
import { longBody } from '../wire/channel.ts';
import type { Entry } from '../source/projector.ts';
import type { SharedText } from '../wire/shared-text.ts';

/** A change that was not sent yet. */
export interface Change {
  /** The current or last entry. */
  readonly entry: Entry;
  readonly gone: boolean;
  /** Something that rows show is new: not only labels, owners, facts or attention. */
  readonly shown: boolean;
}

/** Changes as the insides of messages, written once and shared by all who see the same rows. */
export interface Batch {
  /** JSON members without the braces: `"upserts":[…],"removes":[…]`. */
  readonly bodies: readonly string[];
  /** Whom it is about. */
  readonly uids: readonly string[];
}

/** A row on the wire. @param cells those with joined values in them */
export function rowText({ uid, cells: own }: Entry, cells = own): string {
  return JSON.stringify([uid, cells]);
}

/** The member that says how many rows there are, where a limit cuts them. */
export function totalText(total: number | undefined): string {
  return total === undefined ? '' : `,"total":${total}`;
}

/** Bodies of `changes` messages, at most `snapshotChunk` rows each. */
export function changeBodies(
  upserts: readonly string[],
  removes: readonly string[],
  total: number | undefined,
): string[] {
  const bodies: string[] = [];
  for (let at = 0; at === 0 || at < Math.max(upserts.length, removes.length); at += snapshotChunk) {
    const rows = upserts.slice(at, at + snapshotChunk).join(',');
    const gone = JSON.stringify(removes.slice(at, at + snapshotChunk));
    bodies.push(`"upserts":[${rows}],"removes":${gone}${totalText(total)}`);
  }
  return bodies;
}

/** One body of a snapshot, written when it is first asked for and kept for all who are sent it. */
export type Chunk = () => SharedText;

/** Rows in the first message of a snapshot: one screen, so that it is drawn at once. */
const firstChunk = 100;

/** Bodies of `snapshot` messages; one even for no rows. */
export function snapshotBodies(
  entries: readonly Entry[],
  total: number | undefined,
  text: (entry: Entry) => string = rowText,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at === 0 || at < entries.length; ) {
    const [from, to] = [at, at + (at === 0 ? firstChunk : snapshotChunk)];
    let written: SharedText | undefined;
    chunks.push(() => {
      written ??= longBody(
        `"rows":[${entries
          .slice(from, to)
          .map((entry) => text(entry))
          .join(',')}]${totalText(total)}`,
      );
      return written;
    });
    at = to;
  }
  return chunks;
}
