import { and, eq } from 'drizzle-orm';
import { incidents } from '../store/schema/webhooks.ts';
import type { HappeningData } from '../webhooks/bodies.ts';
import { Looks } from './looks.ts';
import { reachKey, type WatchParts, wholeCluster } from './watch.ts';

/** A cluster is unreachable once its lists have not been current for this long, ms: a restart of its API server is shorter. */
const patience = 60_000;
/** Looked at this often without a change, ms. */
const interval = 10_000;

/** Reports that a cluster became unreachable, once for all of its objects, and that it is reachable again. */
export class ReachWatch {
  readonly #parts: WatchParts;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Watches until the signal is aborted. Throws errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    const looks = new Looks(this.#parts.clock);
    const { due } = looks;
    const board = this.#parts.live.board.join(wholeCluster, { dashboard: () => undefined, state: due });
    try {
      await looks.run(signal, async () => {
        const { status, since } = board.state;
        if (status === 'live' || status === 'polled') await this.#report('reachable', null);
        else if (status !== 'forbidden') {
          const left = Date.parse(since) + patience - this.#parts.clock.now();
          if (left > 0) return Math.min(left, interval);
          await this.#report('unreachable', since);
        }
        return interval;
      });
    } finally {
      board.leave();
    }
  }

  /** Reports a state that is not the one that was reported before. */
  async #report(state: 'unreachable' | 'reachable', since: string | null): Promise<void> {
    const { cluster, store, happenings, clock } = this.#parts;
    const { id: clusterId, name, companyId } = cluster;
    const own = and(eq(incidents.clusterId, clusterId), eq(incidents.key, reachKey));
    const [open] = await store.db.select({ key: incidents.key }).from(incidents).where(own);
    if ((open !== undefined) === (state === 'unreachable')) return;
    const data: HappeningData = {
      title: state === 'unreachable' ? 'The cluster is unreachable' : 'The cluster is reachable again',
      cluster: { id: clusterId, name },
      state: state === 'unreachable' ? 'Unreachable' : 'Reachable',
      ...(since === null ? {} : { since }),
      path: `/clusters/${clusterId}`,
    };
    await happenings.record(
      {
        key: `${state}/${clusterId}/${since ?? clock.now()}`,
        type: `cluster.${state}`,
        companyId,
        clusterId,
        // Whoever reaches the cluster in the console may know of it.
        permission: '',
        namespace: '',
        data,
      },
      async (db) => {
        const changed =
          state === 'reachable'
            ? await db.delete(incidents).where(own).returning({ key: incidents.key })
            : await db
                .insert(incidents)
                .values({ clusterId, key: reachKey, data, isReported: true })
                .onConflictDoNothing()
                .returning({ key: incidents.key });
        return changed.length > 0;
      },
    );
  }
}
