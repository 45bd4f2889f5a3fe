import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import {
  endingMilestones,
  type Milestone,
  milestoneAt,
  type Milestones,
} from '../../registry/kinds/milestone.ts';
import type { AnyKind, Kind } from '../../registry/kinds/kind.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { ClusterLive } from '../live/cluster/cluster.ts';
import { KindTaps } from '../live/feed/kind-taps.ts';
import type { Entry } from '../live/source/projector.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { storableData } from '../webhooks/bodies.ts';
import type { Happening, Happenings } from '../webhooks/happenings.ts';
import { wantedEvents } from '../webhooks/wanted-events.ts';
import { Looks } from './looks.ts';
import { objectData } from './object-data.ts';
import { type MilestoneObject, type StoredMilestone, ToldMilestones } from './told-milestones.ts';

/** Looked at this often without a change, ms: what is wanted may be more, and time alone brings something. */
const interval = 10_000;

/** Stands for the console's credential where kinds stand. */
const credential = 'credential';

/** Of an object that came to nothing yet. */
const onItsWay: StoredMilestone = { event: '', mark: '' };

/** An object, and what it comes to. */
interface Found extends MilestoneObject {
  readonly milestones: readonly Milestone[] | undefined;
  /** Epoch seconds; null where it is not known. */
  readonly createdAt: number | null;
}

/** Objects of one kind, and how they are told of. */
interface Source extends Pick<Milestones<never>, 'events' | 'gone'> {
  /** Id of the kind. */
  readonly id: string;
  readonly found: () => Iterable<Found>;
  readonly has: (uid: string) => boolean;
  readonly happeningOf: (
    of: MilestoneObject,
    milestone: Pick<Milestone, 'state'>,
  ) => Pick<Happening, 'permission' | 'namespace' | 'data'>;
}

/** Inputs of `MilestoneWatch`. */
export interface MilestoneWatchParts {
  readonly cluster: ClusterRow;
  readonly live: Pick<ClusterLive, 'feed' | 'kind' | 'kinds'>;
  readonly store: Pick<Store, 'db'>;
  readonly happenings: Pick<Happenings, 'record'>;
  /** Asks the cluster whether a Helm release is gone: a list may lack what it is not allowed to read. Throws Problem. */
  readonly isReleaseGone: (namespace: string, name: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Follows what the objects of a cluster come to, and tells of it: rollouts, Helm releases, certificates, and the console's
 * own credential. What each came to last is stored, so that whoever takes over tells what happened in between, once.
 */
export class MilestoneWatch {
  readonly #parts: MilestoneWatchParts;
  readonly #looks: Looks;
  readonly #taps: KindTaps;
  readonly #told = new Map<string, ToldMilestones>();
  /** Since when somebody wants to hear of each event, epoch ms. */
  #wanted: ReadonlyMap<string, number> = new Map();
  /** Epoch ms. */
  #wantedReadAt = Number.NEGATIVE_INFINITY;

  constructor(parts: MilestoneWatchParts) {
    this.#parts = parts;
    this.#looks = new Looks(parts.clock);
    this.#taps = new KindTaps({
      feed: (kind) => parts.live.feed(kind),
      listener: { changed: this.#looks.due, settled: this.#looks.due },
      clock: parts.clock,
    });
  }

  /** Follows it until the signal is aborted. Throws errors of the database. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#looks.run(signal, () => this.look());
    } finally {
      this.#taps.closeAll();
    }
  }

  /** Tells what is new by now; gives after how long to look again, ms. Throws errors of the database. */
  async look(): Promise<number> {
    await this.#readWanted();
    const { live, cluster } = this.#parts;
    for (const kind of live.kinds) {
      if (kind.milestones === undefined) continue;
      const since = this.#wantedSince(kind.milestones);
      if (since === undefined) {
        this.#taps.close(kind);
        this.#told.delete(kind.id);
      } else if (this.#taps.open(kind) && this.#isCurrent(kind))
        await this.#lookAt(this.#sourceOf(kind, kind.milestones), since);
    }
    const own = this.#credential();
    const since = this.#wantedSince(own);
    if (since !== undefined && cluster.credentialExpiresAt !== null) await this.#lookAt(own, since);
    return interval;
  }

  async #readWanted(): Promise<void> {
    const { cluster, store, clock } = this.#parts;
    if (clock.now() - this.#wantedReadAt < interval) return;
    const { rows } = await store.db.execute<{ event: string | null; since: number }>(sql`
      select event, (extract(epoch from min(created_at)) * 1000)::float8 as since
      from ${wantedEvents} w left join lateral unnest(events) as event on true
      where cluster_id = ${cluster.id} group by event`);
    // Without an event stand those who want to hear of everything.
    this.#wanted = new Map(rows.map(({ event, since }) => [event ?? '', since]));
    this.#wantedReadAt = clock.now();
  }

  #wantedSince({ events }: Pick<Source, 'events'>): number | undefined {
    const times = ['', ...events].flatMap((event) => this.#wanted.get(event) ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Lists that are not current prove nothing; what they missed is told once they are. */
  #isCurrent(kind: AnyKind): boolean {
    const status = this.#taps.state(kind, 'all')?.status;
    return this.#taps.isReady(kind) && (status === 'live' || status === 'polled');
  }

  #sourceOf(kind: Kind, { events, gone }: Milestones<never>): Source {
    const taps = this.#taps;
    const born = kind.columns.findIndex(({ format }) => format === 'age');
    const foundIn = (entry: Entry): Found => {
      const at = entry.cells[born];
      const { uid, namespace, name, milestones } = entry;
      return { uid, namespace, name, milestones, createdAt: typeof at === 'number' ? at : null };
    };
    return {
      id: kind.id,
      events,
      ...(gone === undefined ? {} : { gone }),
      found: () => [...(taps.entries(kind) ?? [])].map(foundIn),
      has: (uid) => taps.find(kind, uid) !== undefined,
      happeningOf: ({ namespace, name }, milestone) => ({
        permission: [kind.permissions.view].flat().join(' '),
        namespace,
        data: objectData(
          this.#parts,
          { kind: kind.id, ...(namespace === '' ? {} : { namespace }), name },
          milestone,
        ),
      }),
    };
  }

  /** The credential by which the console reaches the cluster. */
  #credential(): Source {
    const { id, name, credentialExpiresAt } = this.#parts.cluster;
    const of = { uid: credential, namespace: '', name: '' };
    const milestones =
      credentialExpiresAt === null
        ? undefined
        : endingMilestones('The credential of this cluster', { to: Date.parse(credentialExpiresAt) / 1000 });
    return {
      id: credential,
      events: ['certificate.ending', 'certificate.renewed'],
      found: () => [{ ...of, milestones, createdAt: null }],
      has: () => true,
      happeningOf: (_of, { state }) => ({
        permission: '',
        namespace: '',
        data: storableData({
          title: `${name}: ${state}`,
          cluster: { id, name },
          state,
          path: `/clusters/${id}`,
        }),
      }),
    };
  }

  async #lookAt(source: Source, wantedSince: number): Promise<void> {
    const { cluster, store, clock } = this.#parts;
    const told = this.#told.get(source.id) ?? new ToldMilestones(store.db, cluster.id, source.id);
    this.#told.set(source.id, told);
    const since = await told.read(wantedSince);
    const silent: { readonly of: Found; readonly milestone: StoredMilestone }[] = [];
    for (const of of source.found()) {
      if (of.milestones === undefined) continue;
      const before = told.get(of.uid);
      const milestone = milestoneAt(of.milestones, clock.now() / 1000);
      if (milestone === undefined) {
        // What it comes to next is news, however old it is.
        if (before === undefined) silent.push({ of, milestone: onItsWay });
        continue;
      }
      if (milestone.mark === before?.mark) continue;
      const isNews =
        before === undefined
          ? milestone.isRecovery !== true && of.createdAt !== null && of.createdAt * 1000 > since
          : milestone.isRecovery !== true || before.event !== milestone.event;
      if (!isNews) silent.push({ of, milestone });
      else await this.#apart(of, () => this.#tell(source, told, of, milestone));
    }
    await told.note(silent);
    await this.#forget(source, told);
  }

  async #tell(source: Source, told: ToldMilestones, of: Found, milestone: Milestone): Promise<void> {
    const key = `${of.uid}/${milestone.mark}`;
    await this.#record(source, of, milestone, key, (tx) => told.tell(tx, of, milestone));
    told.told(of, milestone);
  }

  async #record(
    source: Source,
    of: MilestoneObject,
    milestone: Pick<Milestone, 'event' | 'state'>,
    key: string,
    isFirst: Parameters<Happenings['record']>[1],
  ): Promise<void> {
    const { cluster, happenings, clock } = this.#parts;
    await happenings.record(
      {
        key: `milestone/${cluster.id}/${source.id}/${key}/${clock.now()}`,
        type: milestone.event,
        companyId: cluster.companyId,
        clusterId: cluster.id,
        ...source.happeningOf(of, milestone),
      },
      isFirst,
    );
  }

  /** Forgets objects that are gone, and tells of those of which that is told. */
  async #forget(source: Source, told: ToldMilestones): Promise<void> {
    const { store, isReleaseGone } = this.#parts;
    const { gone } = source;
    const missing = told.without(source.has);
    if (gone === undefined) {
      const uids = missing.map(({ uid }) => uid);
      if (uids.length > 0) await told.forget(store.db, uids);
      told.forgotten(uids);
      return;
    }
    for (const of of missing)
      await this.#apart(of, async () => {
        if (!(await isReleaseGone(of.namespace, of.name))) return;
        await this.#record(source, of, gone, `${of.uid}/gone`, (tx) => told.forget(tx, [of.uid]));
        told.forgotten([of.uid]);
      });
  }

  /** Tells of one object: what cannot be told of one never keeps the others from being told. */
  async #apart({ uid }: MilestoneObject, tell: () => Promise<void>): Promise<void> {
    const { log, cluster } = this.#parts;
    try {
      await tell();
    } catch (error) {
      log.error(
        { err: describeError(error), clusterId: cluster.id, uid },
        'What an object came to could not be told; trying again',
      );
    }
  }
}
