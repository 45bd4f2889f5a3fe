import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { type Unsent, unsentRows } from '../audit/unsent.ts';
import { describeError } from '../kit/describe-error.ts';
import { inTime } from '../kit/in-time.ts';
import { type QueueDepth, queueDepths } from '../queue/queue-depths.ts';
import { ReaderGauges } from './reader-figures.ts';
import type { Services } from './services.ts';

/** The store has this long to count what waits, ms: a scrape is given up after ten seconds as a rule. */
const storeTimeout = 2_000;

/** Figures of what the server holds, by their name in `Hub.stats`. */
const liveFigures = {
  sockets: ['wheelhouse_live_sockets', 'Open live sockets.'],
  subscriptions: ['wheelhouse_live_subscriptions', 'Subscriptions of open pages.'],
  reflectors: ['wheelhouse_live_reflectors', 'Watched lists in clusters.'],
  objects: ['wheelhouse_live_objects', 'Objects in memory, of all watched lists.'],
  heldBytes: ['wheelhouse_live_held_bytes', 'Memory taken by the rows of all watched lists.'],
} as const;

/** Figures of the palette's index, by their name in `SearchIndex.stats`. */
const searchFigures = {
  clusters: ['wheelhouse_search_clusters', 'Clusters whose names the palette holds.'],
  names: ['wheelhouse_search_names', 'Names of objects that the palette holds.'],
} as const;

const searchNames = Object.keys(searchFigures) as (keyof typeof searchFigures)[];
const liveNames = Object.keys(liveFigures) as (keyof typeof liveFigures)[];

/** Figures that are read when somebody scrapes, each source once for all of its figures. */
export class Figures {
  readonly #services: Pick<Services, 'config' | 'hub' | 'memory' | 'readers' | 'search' | 'store'> & {
    readonly log: Pick<Logger, 'warn'>;
  };
  readonly #live: ReadonlyMap<keyof typeof liveFigures, Gauge>;
  readonly #search: ReadonlyMap<keyof typeof searchFigures, Gauge>;
  readonly #memory: Gauge<'of'>;
  readonly #readers: ReaderGauges | undefined;
  readonly #silence: Gauge<'cluster' | 'name'>;
  readonly #connections: Gauge<'state'>;
  readonly #jobs: Gauge<'queue'>;
  readonly #late: Gauge<'queue'>;
  readonly #diskFull: Gauge<'place'>;
  readonly #errors: Counter<'source'>;

  constructor(
    registry: Registry,
    services: Pick<Services, 'config' | 'hub' | 'memory' | 'readers' | 'search' | 'store'> & {
      readonly log: Pick<Logger, 'warn'>;
    },
  ) {
    this.#services = services;
    const registers = [registry];
    this.#live = new Map(
      liveNames.map((figure) => {
        const [name, help] = liveFigures[figure];
        return [figure, new Gauge({ name, help, registers })];
      }),
    );
    this.#search = new Map(
      searchNames.map((figure) => {
        const [name, help] = searchFigures[figure];
        return [figure, new Gauge({ name, help, registers })];
      }),
    );
    this.#memory = new Gauge({
      name: 'wheelhouse_memory_bytes',
      help: 'Memory of the process: used, and the limit near which the server refuses to read more.',
      labelNames: ['of'],
      registers,
    });
    this.#readers = services.readers && new ReaderGauges(registry, services.readers);
    this.#silence = new Gauge({
      name: 'wheelhouse_cluster_silence_seconds',
      help: 'Time since a cluster in use last sent something; below ten seconds while it answers.',
      labelNames: ['cluster', 'name'],
      registers,
    });
    this.#connections = new Gauge({
      name: 'wheelhouse_database_connections',
      help: 'Connections to the database by state, and statements that wait for one.',
      labelNames: ['state'],
      registers,
    });
    // Mail, webhooks, payments and rows of the audit for their receivers: of all servers, as each of them reports it.
    this.#jobs = new Gauge({
      name: 'wheelhouse_queue_jobs',
      help: 'Jobs that are waiting or running.',
      labelNames: ['queue'],
      registers,
    });
    this.#late = new Gauge({
      name: 'wheelhouse_queue_late_seconds',
      help: 'Time for which the longest-waiting job has been due.',
      labelNames: ['queue'],
      registers,
    });
    this.#diskFull = new Gauge({
      name: 'wheelhouse_disk_full',
      help: 'Whether the disk of the database has no room: 1 when it refused a change within a minute, or has less than 32 MiB free.',
      labelNames: ['place'],
      registers,
    });
    this.#errors = new Counter({
      name: 'wheelhouse_scrape_errors_total',
      help: 'Scrapes without the metrics of a source that could not be read.',
      labelNames: ['source'],
      registers,
    });
    this.#errors.inc({ source: 'queue' }, 0);
  }

  /** Reads everything anew. A source that cannot be read leaves its figures out and is counted; all else is told. */
  async read(): Promise<void> {
    const stats = this.#services.hub.stats();
    for (const [figure, gauge] of this.#live) gauge.set(stats[figure]);
    const indexed = this.#services.search.stats();
    for (const [figure, gauge] of this.#search) gauge.set(indexed[figure]);
    const { memory } = this.#services;
    this.#memory.set({ of: 'used' }, memory.used);
    this.#memory.set({ of: 'limit' }, memory.limit);
    this.#readers?.read();
    this.#silence.reset();
    for (const { id, name, seconds } of stats.silences)
      this.#silence.set({ cluster: String(id), name }, seconds);
    const { totalCount, idleCount, waitingCount } = this.#services.store.pool;
    this.#connections.set({ state: 'busy' }, totalCount - idleCount);
    this.#connections.set({ state: 'idle' }, idleCount);
    this.#connections.set({ state: 'waited for' }, waitingCount);
    await this.#readDisk();
    const depths = await this.#depths();
    this.#jobs.reset();
    this.#late.reset();
    for (const { queue, jobs, late } of depths) {
      this.#jobs.set({ queue }, jobs);
      this.#late.set({ queue }, late);
    }
  }

  async #readDisk(): Promise<void> {
    this.#diskFull.reset();
    try {
      this.#diskFull.set({ place: 'database' }, (await this.#services.store.disk.isFull()) ? 1 : 0);
    } catch (error) {
      this.#errors.inc({ source: 'disk' });
      this.#services.log.warn(
        { err: describeError(error) },
        'The disk of the database could not be asked for a scrape',
      );
    }
  }

  async #depths(): Promise<readonly (QueueDepth | Unsent)[]> {
    const { config, store, log } = this.#services;
    try {
      const counted = Promise.all([queueDepths(store), unsentRows(store, config.auditStreams.file !== null)]);
      return (await inTime(counted, storeTimeout, 'The store did not count the queues in time.')).flat();
    } catch (error) {
      this.#errors.inc({ source: 'queue' });
      log.warn({ err: describeError(error) }, 'What waits in the queues could not be read for a scrape');
      return [];
    }
  }
}
