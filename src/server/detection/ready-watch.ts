import { and, eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { AnyKind } from '../../registry/kind.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { ClusterLive } from '../live/cluster.ts';
import { KindTaps } from '../live/kind-taps.ts';
import { type Entry, statusOf } from '../live/projector.ts';
import type { StoredFollowers } from '../notifications/followers.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { follows } from '../store/schema/notifications.ts';
import type { Store } from '../store/store.ts';
import type { Happenings } from '../webhooks/happenings.ts';
import { Looks } from './looks.ts';
import { objectData } from './object-data.ts';

/** Looked at this often without a change, ms. */
const interval = 10_000;
/** Time for which an object may be missing in a list before it is gone, ms: the person saw it in another one. */
const missingFor = 15_000;

type FollowRow = typeof follows.$inferSelect;

/** Inputs of `ReadyWatch`. */
export interface ReadyWatchParts {
  readonly cluster: ClusterRow;
  readonly live: Pick<ClusterLive, 'feed' | 'kind'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly happenings: Pick<Happenings, 'mayHear'>;
  readonly followers: Pick<StoredFollowers, 'tellOne'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Follows the objects of a cluster that people wait for, and tells each once it is ready, or gone. */
export class ReadyWatch {
  readonly #parts: ReadyWatchParts;
  readonly #looks: Looks;
  readonly #taps: KindTaps;

  constructor(parts: ReadyWatchParts) {
    this.#parts = parts;
    this.#looks = new Looks(parts.clock);
    this.#taps = new KindTaps({
      feed: (kind) => parts.live.feed(kind),
      listener: { changed: this.#looks.due, settled: this.#looks.due },
      clock: parts.clock,
    });
  }

  /** Follows them until the signal is aborted. Throws errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    // Somebody may have begun to wait.
    const dispose = this.#parts.store.channel.on('notifications', this.#looks.due);
    try {
      await this.#looks.run(signal, () => this.look());
    } finally {
      dispose();
      this.#taps.closeAll();
    }
  }

  /** Tells what is ready by now; gives after how long to look again, ms. Throws errors of the database. */
  async look(): Promise<number> {
    const { cluster, live, store } = this.#parts;
    const rows = await store.db
      .select()
      .from(follows)
      .where(and(eq(follows.clusterId, cluster.id), eq(follows.isUntilReady, true)));
    const kinds = new Set(rows.flatMap(({ kind }) => live.kind(kind) ?? []));
    this.#taps.closeExcept(kinds);
    for (const kind of kinds)
      if (this.#taps.open(kind) && this.#isCurrent(kind)) await this.#lookAt(kind, rows);
    return interval;
  }

  /** Lists that are not current prove nothing. */
  #isCurrent(kind: AnyKind): boolean {
    const status = this.#taps.state(kind, 'all')?.status;
    return this.#taps.isReady(kind) && (status === 'live' || status === 'polled');
  }

  async #lookAt(kind: AnyKind, all: readonly FollowRow[]): Promise<void> {
    const rows = all.filter((row) => row.kind === kind.id);
    const places = new Set(rows.map(placeOf));
    const found = new Map<string, Entry>();
    for (const entry of this.#taps.entries(kind) ?? []) {
      const place = placeOf(entry);
      if (places.has(place)) found.set(place, entry);
    }
    for (const row of rows)
      try {
        await this.#judge(kind, row, found.get(placeOf(row)));
      } catch (error) {
        const { log, cluster } = this.#parts;
        log.error(
          { err: describeError(error), clusterId: cluster.id, followId: row.id },
          'Somebody could not be told that an object is ready; trying again',
        );
      }
  }

  async #judge(kind: AnyKind, row: FollowRow, entry: Entry | undefined): Promise<void> {
    const { clock, followers, happenings, cluster } = this.#parts;
    const isGone = entry === undefined && Date.parse(row.createdAt) + missingFor < clock.now();
    const tone = entry === undefined ? undefined : statusOf(kind, entry)?.[1];
    // Idle is what has ended well, and what runs nothing.
    if (!isGone && tone !== 'ok' && tone !== 'idle') return;
    const permission = [kind.permissions.view].flat().join(' ');
    const { namespace, name, userId, companyId } = row;
    // Whoever may not see it at this moment is told once they may.
    if (!(await happenings.mayHear({ userId, companyId, clusterId: cluster.id }, { permission, namespace })))
      return;
    const ref = { kind: kind.id, ...(namespace === '' ? {} : { namespace }), name };
    const state = isGone ? 'It is gone' : 'Ready';
    await followers.tellOne(row, {
      type: isGone ? 'workload.gone' : 'workload.ready',
      permission,
      namespace,
      data: objectData(this.#parts, ref, { state }),
    });
  }
}

const placeOf = ({ namespace, name }: Pick<FollowRow, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;
