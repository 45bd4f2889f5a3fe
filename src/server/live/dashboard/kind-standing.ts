/** Time for which the objects of a kind are not read before it counts as one that is watched no more, ms. */
const patience = 3_600_000;

/**
 * How much is known of the objects of a kind.
 * - `current`: all of them, as they are now
 * - `gone`: the cluster has the kind no more, and so no objects of it
 * - `unwatched`: none for an hour, though the cluster answers: there is no place for its list, or it may not be read
 * - `unknown`: nothing that is certain, which passes
 */
export type KindStanding = 'current' | 'gone' | 'unwatched' | 'unknown';

/** Since when kinds have not been read. A kind that is never asked for takes no place here. */
export class UnreadKinds {
  /** By id of the kind, epoch ms. */
  readonly #since = new Map<string, number>();

  /** The standing of a kind that is not read now. @param now epoch ms */
  unread(id: string, now: number): KindStanding {
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    return now - since < patience ? 'unknown' : 'unwatched';
  }

  /** The kind is read, is about to be, or is gone. */
  forget(id: string): void {
    this.#since.delete(id);
  }

  clear(): void {
    this.#since.clear();
  }
}
