/** Something that somebody waited for. */
export interface RecentWait {
  /** Epoch ms of its end. */
  readonly at: number;
  /** A call of a person, the first message of a list of theirs, or a request to a cluster, which may be shared. */
  readonly sort: 'call' | 'list' | 'request';
  /** Null where it is nobody's. */
  readonly userId: number | null;
  /** Null where it is about none. */
  readonly clusterId: number | null;
  /** A route's pattern, a kind, or a verb: never a name of an object. */
  readonly what: string;
  readonly outcome: string;
  readonly ms: number;
}

/** How far back it goes, ms. */
export const recentTime = 15 * 60_000;
/** Maximum number of waits that are kept, the newest; each takes some 150 bytes. */
const maxWaits = 20_000;

/** What people and clusters waited for in the last minutes, to say why something was slow. */
export class RecentWaits {
  readonly #waits: RecentWait[] = [];
  /** Where the next one goes once there are as many as are kept. */
  #next = 0;

  add(wait: RecentWait): void {
    if (this.#waits.length < maxWaits) this.#waits.push(wait);
    else {
      this.#waits[this.#next] = wait;
      this.#next = (this.#next + 1) % maxWaits;
    }
  }

  /** Those of a person that have to do with a cluster or with none, and all requests to that cluster; the oldest first. */
  of(userId: number, clusterId: number, now: number): readonly RecentWait[] {
    return this.#waits
      .filter((one) => now - one.at <= recentTime)
      .filter((one) =>
        one.sort === 'request'
          ? one.clusterId === clusterId
          : one.userId === userId && (one.clusterId === clusterId || one.clusterId === null),
      )
      .toSorted((a, b) => a.at - b.at);
  }
}
