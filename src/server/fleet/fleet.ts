import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type FleetFigures, fleetKinds } from '../../contract/fleet.ts';
import type { Tally } from '../../contract/live.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import type { Reach } from '../access/grants.ts';
import { listPlace } from '../access/place.ts';
import type { Sight } from '../access/sight.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Budget } from '../kit/memory-budget.ts';
import { OwnLimit } from '../kit/own-limit.ts';
import { outsideTurns } from '../kit/turns.ts';
import type { Hub } from '../live/page/hub.ts';
import { tallyInSight } from '../live/tallies/tallies.ts';
import { TallyCount } from '../live/tallies/tally-count.ts';
import type { Store } from '../store/store.ts';
import { countCluster } from './count-cluster.ts';
import { countedEvery, type StoredTallies, TallyStore } from './tally-store.ts';

/** Interval at which figures of clusters that are read anyway are written where they changed, ms. */
const writeInterval = 5_000;
/** The same where it did not: its age is shown. */
const rewriteInterval = 20_000;
/** Clusters that this server counts at a time. */
const countedAtOnce = 4;
/** A cluster has this long to be counted, ms. */
const countTimeout = 20_000;

interface FleetParts {
  readonly store: Pick<Store, 'db'>;
  readonly hub: Pick<Hub, 'tallied'>;
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces' | 'state'>;
  readonly kinds: readonly Kind[];
  readonly budget: Budget;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * How all clusters do, for views of all of them, without a watch: figures of what people have open anyway are written to
 * the store; what nobody reads is counted at most once a minute, while somebody asks.
 */
export class Fleet {
  readonly #parts: FleetParts;
  readonly #kinds: readonly Kind[];
  readonly #stored: TallyStore;
  readonly #counting = createLimiter(countedAtOnce);
  readonly #ending = new AbortController();
  /** Figures that this server wrote last, with the time, by cluster. */
  readonly #written = new Map<number, { readonly tallies: StoredTallies; readonly at: number }>();
  /** Clusters that this server is to count, or counts. */
  readonly #counts = new Map<number, Promise<void>>();
  #cancel: () => void = () => undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#kinds = parts.kinds.filter(({ id }) => (fleetKinds as readonly string[]).includes(id));
    this.#stored = new TallyStore(parts.store);
  }

  /** Begins to write what is read; `close` ends it. */
  start(): void {
    if (this.#ending.signal.aborted) return;
    this.#cancel = this.#parts.clock.after(writeInterval, () => {
      this.#writing = this.#write().then(() => this.start());
    });
  }

  async close(): Promise<void> {
    this.#cancel();
    this.#ending.abort(new Error('The server ends.'));
    await Promise.all([this.#writing, ...this.#counts.values()]);
  }

  /** The figures of clusters in the sight of somebody who reaches them. Throws errors of the database. */
  async of(reached: readonly Reach[]): Promise<readonly FleetFigures[]> {
    const rows = await this.#stored.read(reached.map(({ cluster }) => cluster.id));
    const now = this.#parts.clock.now();
    const isOld = (readAt: string | null | undefined) =>
      readAt == null || now - Date.parse(readAt) >= countedEvery * 1000;
    const old = reached.filter(({ cluster }) => isOld(rows.get(cluster.id)?.readAt));
    void outsideTurns(() => this.#countOld(old));
    return reached.map(({ cluster: { id }, ...sight }) => {
      const { tallies = {}, readAt = null } = rows.get(id) ?? {};
      return { clusterId: id, readAt, ...this.#inSight(tallies, sight) };
    });
  }

  /** The part of a cluster's figures that somebody sees. */
  #inSight(stored: StoredTallies, sight: Sight): Pick<FleetFigures, 'tallies' | 'uncounted'> {
    const tallies: Record<string, Tally> = {};
    const uncounted: string[] = [];
    for (const kind of this.#kinds) {
      const counted = stored[kind.id];
      if (counted === undefined || !sight.held.may(kind.permissions.view, listPlace(kind))) continue;
      const tally = tallyInSight(kind, TallyCount.of(counted ?? {}), sight);
      if (tally === undefined) continue;
      if (counted === null) uncounted.push(kind.id);
      else tallies[kind.id] = tally;
    }
    return { tallies, uncounted };
  }

  /** Counts those of these clusters that no server counted a moment ago. Never throws. */
  async #countOld(reached: readonly Pick<Reach, 'cluster'>[]): Promise<void> {
    const { clusters, log } = this.#parts;
    const asked = reached.filter(({ cluster }) => {
      const { status } = clusters.state(cluster.id);
      return status !== 'unreachable' && status !== 'forbidden' && !this.#counts.has(cluster.id);
    });
    try {
      const due = new Set(await this.#stored.claim(asked.map(({ cluster }) => cluster.id)));
      for (const { cluster } of asked) {
        if (!due.has(cluster.id)) continue;
        const count = this.#counting.run(() => this.#count(cluster.id, cluster.name));
        this.#counts.set(
          cluster.id,
          count.finally(() => this.#counts.delete(cluster.id)),
        );
      }
    } catch (error) {
      log.warn({ err: describeError(error) }, 'Clusters could not be counted');
    }
  }

  /** Counts a cluster. Never throws. */
  async #count(clusterId: number, name: string): Promise<void> {
    const { clusters, clock, budget, log } = this.#parts;
    const ending = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(countTimeout)]);
    try {
      ending.throwIfAborted();
      const tallies = await countCluster(this.#kinds, {
        name,
        transport: await clusters.transport(clusterId),
        namespaces: () => clusters.namespaces(clusterId),
        clock,
        budget,
        log,
        signal: ending,
      });
      await this.#stored.writeCount(clusterId, tallies);
    } catch (error) {
      // Its age says that the figures are old, and its state why.
      const level = error instanceof OwnLimit ? 'warn' : 'debug';
      log[level]({ clusterId, err: describeError(error) }, 'A cluster could not be counted');
    }
  }

  /** Writes what is read on this server. Never throws. */
  async #write(): Promise<void> {
    const { hub, clock, log } = this.#parts;
    const now = clock.now();
    const open = new Map(hub.tallied(this.#kinds));
    for (const id of this.#written.keys()) if (!open.has(id)) this.#written.delete(id);
    for (const [id, tallies] of open) {
      const before = this.#written.get(id);
      const isSame = before !== undefined && isDeepStrictEqual(before.tallies, tallies);
      if (isSame && now - before.at < rewriteInterval) continue;
      try {
        if (await this.#stored.write(id, tallies)) this.#written.set(id, { tallies, at: now });
      } catch (error) {
        log.warn(
          { clusterId: id, err: describeError(error) },
          'The figures of a cluster could not be written',
        );
        return;
      }
    }
  }
}
