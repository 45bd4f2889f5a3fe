import type { Readable } from '../core/state/state.ts';
import type { ApiClient } from './client.ts';

/** How long a cluster is pointed at before it is warmed, ms: moving across a list of clusters warms none. */
export const warmUpDwell = 250;
/** A cluster is not warmed again for this time, ms: the server keeps for longer what it has read. */
export const warmUpRest = 60_000;
/** Clusters that are warmed within this time at most because they were pointed at. */
export const maxPointedAt = 6;

/**
 * Has the server begin to read what the first screens of a cluster need, before they are there to ask for it: when a
 * cluster is selected, and while it is pointed at to be. The server decides what the person may have read.
 */
export class WarmUps {
  readonly #api: Pick<ApiClient, 'warmUp'>;
  /** When each cluster was warmed, epoch ms. */
  readonly #at = new Map<number, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #isKnown: (clusterId: number) => boolean;

  /** @param isKnown whether a cluster is one of the person's, as far as the page knows: an address may name any */
  constructor(api: Pick<ApiClient, 'warmUp'>, isKnown: (clusterId: number) => boolean) {
    this.#api = api;
    this.#isKnown = isKnown;
  }

  /** Warms each cluster that is selected from now on; the one that is there came with the page. */
  follow(selected: Readable<{ readonly clusterId: number | undefined }>): void {
    let before = selected.get().clusterId;
    selected.subscribe(() => {
      const { clusterId } = selected.get();
      if (clusterId !== undefined && clusterId !== before) this.select(clusterId);
      before = clusterId;
    });
  }

  /** A cluster was selected. */
  select(clusterId: number): void {
    this.pointAt(undefined);
    if (!this.#isKnown(clusterId)) return;
    const now = Date.now();
    for (const [id, at] of this.#at) if (now - at >= warmUpRest) this.#at.delete(id);
    if (this.#at.has(clusterId)) return;
    this.#at.set(clusterId, now);
    // What cannot be read is said where it is shown.
    this.#api.warmUp({ params: { clusterId } }).catch(() => {});
  }

  /** The cursor or the pointer is on a cluster now, or on none. */
  pointAt(clusterId: number | undefined): void {
    clearTimeout(this.#timer);
    if (clusterId === undefined) return;
    this.#timer = setTimeout(() => {
      const now = Date.now();
      const recent = [...this.#at.values()].filter((at) => now - at < warmUpRest);
      if (recent.length < maxPointedAt) this.select(clusterId);
    }, warmUpDwell);
  }
}
