import { eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { ClusterProblem } from '../clusters/transport.ts';
import type { Duties } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Hub } from '../live/page/hub.ts';
import { keptRevisions } from '../objects/release/read.ts';
import { clusters } from '../store/schema/clusters.ts';
import { auditCursors, milestones } from '../store/schema/webhooks.ts';
import type { Store } from '../store/store.ts';
import type { Happenings } from '../webhooks/happenings.ts';
import { wantedEvents } from '../webhooks/wanted-events.ts';
import { AuditWatch } from './audit-watch.ts';
import { MilestoneWatch } from './milestone-watch.ts';
import type { StoredFollowers } from '../notifications/followers.ts';
import { ReachWatch } from './reach-watch.ts';
import { ReadyWatch } from './ready-watch.ts';
import { TroubleWatch } from './trouble-watch.ts';

/** Which clusters anybody wants to hear of is read this often, ms. */
const interval = 3_000;

interface DetectionParts {
  readonly duties: Duties;
  readonly hub: Pick<Hub, 'live'>;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly happenings: Happenings;
  readonly followers: Pick<StoredFollowers, 'tellOne'>;
  readonly kinds: readonly Kind[];
  readonly log: Logger;
  readonly clock: Clock;
}

/** Sees to it that one server watches each cluster that anybody wants to hear of, and none the others. */
export class Detection {
  readonly #parts: DetectionParts;
  /** Ends of the duties, by the cluster's id. */
  readonly #watched = new Map<number, () => void>();
  #endAudit: (() => void) | undefined;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: DetectionParts) {
    this.#parts = parts;
  }

  /** Begins; `close` ends it. */
  start(): void {
    const look = () => {
      this.#running = this.#look().then(() => {
        if (!this.#isClosed) this.#cancel = this.#parts.clock.after(interval, look);
      });
    };
    look();
  }

  /** Ends it with its duties. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
    this.#endAudit?.();
    for (const end of this.#watched.values()) end();
    this.#watched.clear();
  }

  async #look(): Promise<void> {
    const { store, duties, happenings, kinds, clock, log } = this.#parts;
    try {
      const { rows } = await store.db.execute<{ id: number }>(
        sql`select distinct cluster_id as id from ${wantedEvents} w`,
      );
      await forgetUnwanted(store.db);
      const ids = new Set(rows.map(({ id }) => id));
      for (const [id, end] of this.#watched)
        if (!ids.has(id)) {
          end();
          this.#watched.delete(id);
        }
      for (const id of ids) if (!this.#watched.has(id)) this.#watched.set(id, this.#watch(id));
      if (ids.size > 0)
        this.#endAudit ??= duties.add({
          key: 'detection/audit',
          run: (signal) => new AuditWatch({ store, happenings, kinds, clock, log }).run(signal),
        });
      else {
        this.#endAudit?.();
        this.#endAudit = undefined;
      }
    } catch (error) {
      log.warn(
        { err: describeError(error) },
        'The clusters that people want to hear of could not be read; trying again',
      );
    }
  }

  #watch(clusterId: number): () => void {
    return this.#parts.duties.add({
      key: `detection/${clusterId}`,
      run: (signal) => this.#run(clusterId, signal),
    });
  }

  /** Watches a cluster until the signal is aborted or the cluster changed: then it begins anew. */
  async #run(clusterId: number, signal: AbortSignal): Promise<void> {
    const { store, hub, happenings, clock, log } = this.#parts;
    const changed = new AbortController();
    const dispose = store.channel.on('clusters', (message) => {
      if (message.clusterId === clusterId) changed.abort();
    });
    try {
      const [cluster] = await store.db.select().from(clusters).where(eq(clusters.id, clusterId));
      if (cluster === undefined) return;
      const parts = { cluster, live: hub.live(cluster), store, happenings, clock, log };
      const isReleaseGone = async (namespace: string, name: string) =>
        await this.#isReleaseGone(clusterId, namespace, name);
      const watches = [
        new TroubleWatch(parts),
        new ReachWatch(parts),
        new MilestoneWatch({ ...parts, isReleaseGone }),
        new ReadyWatch({ ...parts, followers: this.#parts.followers }),
      ];
      const end = AbortSignal.any([signal, changed.signal]);
      await Promise.all(watches.map((watch) => watch.run(end)));
    } finally {
      // Where one failed, the other ends as well.
      changed.abort();
      dispose();
    }
  }

  async #isReleaseGone(clusterId: number, namespace: string, name: string): Promise<boolean> {
    try {
      await keptRevisions(await this.#parts.clusters.transport(clusterId), namespace, name);
      return false;
    } catch (error) {
      if (error instanceof Problem && !(error instanceof ClusterProblem) && error.status === 404) return true;
      throw error;
    }
  }
}

/** Forgets how far clusters were read of which nobody wants to hear: whoever wants to later hears from then on. */
async function forgetUnwanted(db: Store['db']): Promise<void> {
  for (const table of [auditCursors, milestones])
    await db.delete(table).where(sql`${table.clusterId} not in (select cluster_id from ${wantedEvents} w)`);
}
