import { and, eq } from 'drizzle-orm';
import { customPermissions } from '../../../commands/kinds/custom.ts';
import type { Logger } from 'pino';
import type { PersonalEvent } from '../../contract/event-tone.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Reach } from '../access/grants.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { ClusterLive } from '../live/cluster/cluster.ts';
import { KindTaps } from '../live/feed/kind-taps.ts';
import { type Entry, statusOf } from '../live/source/projector.ts';
import type { StoredFollowers } from '../notifications/followers.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { follows } from '../store/schema/notifications.ts';
import type { Store } from '../store/store.ts';
import { type Happenings, mayHearOf } from '../webhooks/happenings.ts';
import { Looks } from './looks.ts';
import { objectData } from './object-data.ts';

/** Looked at this often without a change, ms. */
const interval = 10_000;
/** Time for which an object may be missing in a list before it is gone, ms: the person saw it in another one. */
const missingFor = 15_000;
/** A wait ends after this long, ms. */
const waitLimit = 24 * 3_600_000;

type FollowRow = typeof follows.$inferSelect;

/** What those who wait reach at the time of one look, each asked about once. */
type Reaches = (row: FollowRow) => Promise<Reach | undefined>;

/** How a wait ends: its event, and the state of the object in words. */
const ends = {
  ready: ['workload.ready', 'Ready'],
  gone: ['workload.gone', 'It is gone'],
  late: ['workload.not_ready', 'Not ready within a day; no longer watched'],
} as const satisfies Readonly<Record<string, readonly [PersonalEvent, string]>>;

/** Inputs of `ReadyWatch`. */
export interface ReadyWatchParts {
  readonly cluster: ClusterRow;
  readonly live: Pick<ClusterLive, 'feed' | 'kind'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly happenings: Pick<Happenings, 'reachOf'>;
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
    const { store, cluster } = this.#parts;
    const dispose = store.channel.on('waits', ({ clusterId }) => {
      if (clusterId === cluster.id) this.#looks.due();
    });
    try {
      await this.#looks.run(signal, () => this.look());
    } finally {
      dispose();
      this.#taps.closeAll();
    }
  }

  /** Tells what is ready by now; gives after how long to look again, ms. Throws errors of the database. */
  async look(): Promise<number> {
    const { cluster, live, store, clock } = this.#parts;
    const rows = await store.db
      .select()
      .from(follows)
      .where(and(eq(follows.clusterId, cluster.id), eq(follows.isUntilReady, true)));
    const kinds = new Set(rows.flatMap(({ kind }) => live.kind(kind) ?? []));
    this.#taps.closeExcept(kinds);
    const reaches = this.#reaches();
    for (const kind of kinds)
      if (this.#taps.open(kind) && this.#isCurrent(kind)) await this.#lookAt(kind, rows, reaches);
    // Also where the lists could not be read: whoever was told by now waits no longer.
    for (const row of rows)
      if (Date.parse(row.createdAt) + waitLimit < clock.now())
        await this.#guarded(row, () => this.#end(row, 'late', reaches));
    return interval;
  }

  #reaches(): Reaches {
    const { happenings, cluster } = this.#parts;
    const known = new Map<number, Promise<Reach | undefined>>();
    return async ({ userId, companyId }) => {
      const reach = known.get(userId) ?? happenings.reachOf({ userId, companyId, clusterId: cluster.id });
      known.set(userId, reach);
      return await reach;
    };
  }

  /** Lists that are not current prove nothing. */
  #isCurrent(kind: AnyKind): boolean {
    const status = this.#taps.state(kind, 'all')?.status;
    return this.#taps.isReady(kind) && (status === 'live' || status === 'polled');
  }

  async #lookAt(kind: AnyKind, all: readonly FollowRow[], reaches: Reaches): Promise<void> {
    const rows = all.filter((row) => row.kind === kind.id);
    const places = new Set(rows.map(placeOf));
    const found = new Map<string, Entry>();
    for (const entry of this.#taps.entries(kind) ?? []) {
      const place = placeOf(entry);
      if (places.has(place)) found.set(place, entry);
    }
    for (const row of rows)
      await this.#guarded(row, async () => {
        const end = this.#endOf(kind, row, found.get(placeOf(row)));
        if (end !== undefined) await this.#end(row, end, reaches);
      });
  }

  async #guarded(row: FollowRow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { log, cluster } = this.#parts;
      log.error(
        { err: describeError(error), clusterId: cluster.id, followId: row.id },
        'Somebody could not be told how their wait for an object ended; trying again',
      );
    }
  }

  #endOf(kind: AnyKind, row: FollowRow, entry: Entry | undefined): keyof typeof ends | undefined {
    if (entry === undefined)
      return Date.parse(row.createdAt) + missingFor < this.#parts.clock.now() ? 'gone' : undefined;
    const tone = statusOf(kind, entry)?.[1];
    // Idle is what has ended well, and what runs nothing.
    return tone === 'ok' || tone === 'idle' ? 'ready' : undefined;
  }

  async #end(row: FollowRow, end: keyof typeof ends, reaches: Reaches): Promise<void> {
    const { followers, live } = this.#parts;
    const { kind, namespace, name } = row;
    const permission = [(live.kind(kind)?.permissions ?? customPermissions).view].flat().join(' ');
    const reach = await reaches(row);
    const mayHear = reach !== undefined && mayHearOf(reach, { permission, namespace });
    // Whoever may not see it at this moment is told once they may, within the day.
    if (!mayHear && end !== 'late') return;
    const [type, state] = ends[end];
    const ref = { kind, ...(namespace === '' ? {} : { namespace }), name };
    const news = { type, permission, namespace, data: objectData(this.#parts, ref, { state }) };
    await followers.tellOne(row, news);
  }
}

const placeOf = ({ namespace, name }: Pick<FollowRow, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;
