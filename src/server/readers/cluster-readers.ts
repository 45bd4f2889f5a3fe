import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Transport } from '../clusters/transport.ts';
import type { Duties } from '../duties/duties.ts';
import type { Clock } from '../kit/clock.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Hub } from '../live/page/hub.ts';
import type { ListRoutes, NamedList } from '../live/source/list-routes.ts';
import type { ListTransport } from '../live/source/reflector-options.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { PeerLink, type LinkState } from './peer-link.ts';
import { answerWith, PeerListener, type PeerRequest } from './peer-listener.ts';
import { protocolOf } from './peer-tls.ts';
import { createPeerTransport, readerIn } from './peer-transport.ts';
import { type ReaderRow, ReaderRows } from './reader-rows.ts';
import { ServedFeed } from './served-feed.ts';

const times = {
  /** Servers look this often who reads what, ms. */
  beat: 2_000,
  /** A list that the other server does not have is asked for again after this, jittered by a half, ms. */
  again: 20_000,
  /** An answer whether the other server has a list is waited for this long, ms. */
  offer: 6_000,
} as const;

/** Inputs of the readers of clusters. */
export interface ClusterReadersParts {
  readonly store: Pick<Store, 'db'>;
  readonly vault: Pick<Vault, 'derive'>;
  /** Id of this server. */
  readonly server: string;
  /** Where others reach it. */
  readonly address: string;
  readonly build: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Parts of the server that readers begin with. */
export interface ReadersWork {
  readonly hub: Pick<Hub, 'feeds' | 'feedNamed'>;
  readonly duties: Duties;
}

/** Figures for /metrics. */
export interface ReaderFigures {
  /** Clusters that this server reads for all. */
  readonly clusters: number;
  /** Lists that this server reads through another one. */
  readonly through: number;
  /** Lists that it reads by itself although another server reads the cluster. */
  readonly beside: number;
  readonly links: Readonly<Record<LinkState, number>>;
}

const nameOf = ({ clusterId, kind: { id, fingerprint = '' } }: NamedList) =>
  new URLSearchParams({ cluster: String(clusterId), kind: id, fingerprint }).toString();

const readerOf = ({ server, fence }: ReaderRow) => `${server}.${fence}`;

/**
 * One server reads each cluster for all: the one whose row the store has, which a duty decides. The others read lists
 * through it, and by themselves what it does not have, or while it is not there.
 */
export class ClusterReaders implements ListRoutes {
  readonly #parts: ClusterReadersParts;
  readonly #stored: ReaderRows;
  readonly #listener: PeerListener;
  readonly #mark = randomBytes(16).toString('hex');
  readonly #key: () => Buffer;
  readonly #protocol: string;
  #address: string | undefined;
  #work: ReadersWork | undefined;
  #rows: ReadonlyMap<number, ReaderRow> = new Map();
  #rowsAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Whether the rows could not be read when they were read last. */
  #isStoreAway = false;
  /** By address. */
  readonly #links = new Map<string, PeerLink>();
  /** Until when a list is read beside the other server, epoch ms, by name and reader. */
  readonly #refused = new Map<string, number>();
  readonly #served = new Map<string, ServedFeed>();
  /** How to take part no more in reading a cluster. */
  readonly #parted = new Map<number, () => void>();
  /** Clusters whose duty this server has. */
  readonly #held = new Set<number>();
  #cancelBeat: () => void = () => undefined;
  #beating: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: ClusterReadersParts) {
    const { vault, log, address, build } = parts;
    this.#parts = parts;
    this.#stored = new ReaderRows(parts.store);
    this.#key = () => vault.derive('servers', 'links between servers');
    this.#protocol = protocolOf(build);
    this.#listener = new PeerListener({
      address,
      key: this.#key,
      protocol: this.#protocol,
      answer: (request) => {
        void this.#answer(request).catch((error: unknown) => {
          log.debug({ err: describeError(error) }, 'A list for another server was not opened');
          answerWith(request.stream, 421);
        });
      },
      log,
    });
  }

  /** Listens for other servers. Throws where the address cannot be had. */
  async start(work: ReadersWork): Promise<void> {
    this.#work = work;
    this.#address = await this.#listener.listen();
    this.#beat();
  }

  /** Gives every cluster up to the other servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    await this.#beating;
    for (const leave of this.#parted.values()) leave();
    for (const served of this.#served.values()) served.end();
    for (const link of this.#links.values()) link.close();
    await this.#listener.close();
  }

  async routeOf(list: NamedList, own: Transport): Promise<ListTransport> {
    const row = await this.#readerOf(list.clusterId);
    if (row === undefined) return own;
    const link = this.#linkTo(row.address);
    if (!(await link.opened()) || !(await this.#isOffered(list, row, link))) return own;
    const query = `${nameOf(list)}&fence=${row.fence}`;
    return createPeerTransport({ own, link, reader: readerOf(row), query });
  }

  stats(): ReaderFigures {
    const links = { open: 0, opening: 0, lost: 0, 'other version': 0 };
    for (const { state } of this.#links.values()) links[state] += 1;
    const figures = { clusters: 0, through: 0, beside: 0, links };
    for (const row of this.#rows.values()) if (this.#isOwn(row)) figures.clusters += 1;
    for (const { credential, clusterId } of this.#work?.hub.feeds() ?? [])
      if (credential === undefined || this.#other(clusterId) === undefined) continue;
      else if (readerIn(credential) === undefined) figures.beside += 1;
      else figures.through += 1;
    return figures;
  }

  #isOwn({ server }: ReaderRow): boolean {
    return server === this.#parts.server;
  }

  /** The other server that reads a cluster, as far as it is known. */
  #other(clusterId: number): ReaderRow | undefined {
    const row = this.#rows.get(clusterId);
    return row === undefined || row.server === null || this.#isOwn(row) ? undefined : row;
  }

  /** The same, as the store has it now or had it a moment ago. */
  async #readerOf(clusterId: number): Promise<ReaderRow | undefined> {
    if (this.#address === undefined || this.#isClosed) return undefined;
    const isFresh =
      this.#rows.get(clusterId)?.server != null && this.#parts.clock.now() - this.#rowsAt < times.beat;
    // While the store is away what was known last holds, and nobody waits for it.
    if (!isFresh && !this.#isStoreAway) await this.#read();
    return this.#other(clusterId);
  }

  async #read(): Promise<void> {
    this.#reading ??= this.#stored
      .all()
      .then((rows) => {
        this.#rows = new Map(rows.map((row) => [row.clusterId, row]));
        this.#rowsAt = this.#parts.clock.now();
        this.#isStoreAway = false;
      })
      .catch(() => {
        this.#isStoreAway = true;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
  }

  #linkTo(address: string): PeerLink {
    const { clock, log } = this.#parts;
    const link =
      this.#links.get(address) ??
      new PeerLink({ address, key: this.#key, protocol: this.#protocol, clock, log });
    this.#links.set(address, link);
    return link;
  }

  /** Whether the other server has a list, whole and current. */
  async #isOffered(list: NamedList, row: ReaderRow, link: PeerLink): Promise<boolean> {
    const { clock } = this.#parts;
    const key = `${nameOf(list)} ${readerOf(row)}`;
    if ((this.#refused.get(key) ?? 0) > clock.now()) return false;
    try {
      const path = `/offers?${nameOf(list)}&fence=${row.fence}`;
      const { status } = await link.json(path, AbortSignal.timeout(times.offer));
      if (status === 200) {
        this.#refused.delete(key);
        return true;
      }
    } catch (error) {
      // The link says in the log why it was lost, and opens again by itself.
      if (!(error instanceof Error) || error.name !== 'TimeoutError') return false;
    }
    this.#refused.set(key, clock.now() + times.again * (0.5 + clock.random()));
    return false;
  }

  async #answer({ path, query, stream }: PeerRequest): Promise<void> {
    if (path === '/hello') {
      answerWith(stream, 200, { server: this.#parts.server, mark: this.#mark });
      return;
    }
    const served = await this.#servedBy(query);
    if (served === undefined || !(await served.isCurrent())) answerWith(stream, 421);
    else if (path === '/offers') answerWith(stream, 200);
    else if (path === '/lists') served.list(stream, Number(query.get('limit')), query.get('continue'));
    else if (path === '/watches') served.watch(stream, query.get('version') ?? '');
    else answerWith(stream, 404);
  }

  /** The list that another server asks for; undefined where this one does not read its cluster, by that number. */
  async #servedBy(query: URLSearchParams): Promise<ServedFeed | undefined> {
    const clusterId = Number(query.get('cluster'));
    const fence = Number(query.get('fence'));
    // The other server may know of a newer number already.
    if ((this.#rows.get(clusterId)?.fence ?? 0) < fence) await this.#read();
    const row = this.#rows.get(clusterId);
    if (this.#isClosed || row === undefined || !this.#isOwn(row) || row.fence !== fence) return undefined;
    const kind = { id: query.get('kind') ?? '', fingerprint: query.get('fingerprint') ?? '' };
    const key = nameOf({ clusterId, kind });
    const known = this.#served.get(key);
    if (known !== undefined) return known;
    const feed = await this.#work?.hub.feedNamed({ clusterId, kind: fingerprinted(kind) });
    if (feed === undefined) return undefined;
    const asked = this.#served.get(key);
    if (asked !== undefined) return asked;
    const served: ServedFeed = new ServedFeed(feed, this.#mark, {
      clock: this.#parts.clock,
      onUnused: () => {
        if (this.#served.get(key) === served) this.#served.delete(key);
      },
    });
    this.#served.set(key, served);
    return served;
  }

  #beat(): void {
    if (this.#isClosed) return;
    this.#beating = this.#round()
      .catch((error: unknown) =>
        this.#parts.log.error({ err: describeError(error) }, 'Readers of clusters were not looked after'),
      )
      .then(() => {
        if (!this.#isClosed) this.#cancelBeat = this.#parts.clock.after(times.beat, () => this.#beat());
      });
  }

  async #round(): Promise<void> {
    await this.#read();
    const feeds = [...(this.#work?.hub.feeds() ?? [])];
    this.#takePart(new Set(feeds.map(({ clusterId }) => clusterId)));
    // Another server took it for gone; the lock says that it is this one's.
    for (const clusterId of this.#held)
      if (!this.#isStoreAway && this.#other(clusterId) !== undefined) await this.#claim(clusterId);
    for (const served of this.#served.values())
      if (this.#other(served.feed.clusterId) !== undefined) served.end();
    const now = this.#parts.clock.now();
    for (const [key, until] of this.#refused) if (until <= now) this.#refused.delete(key);
    const addresses = new Set([...this.#rows.values()].map(({ address }) => address));
    for (const [address, link] of this.#links)
      if (!addresses.has(address)) {
        link.close();
        this.#links.delete(address);
      }
    for (const feed of feeds) if (!this.#isClosed) await this.#reroute(feed);
  }

  /** Has a list read by the way that is right: one after the other, as each takes the cluster or the other server work. */
  async #reroute(feed: ReturnType<Hub['feeds']> extends Iterable<infer One> ? One : never): Promise<void> {
    const { clusterId, kind, credential } = feed;
    if (credential === undefined || feed.isLimited) return;
    const row = this.#other(clusterId);
    const present = readerIn(credential);
    if (present === (row && readerOf(row))) return;
    const link = row === undefined ? undefined : this.#linkTo(row.address);
    const isOffered =
      row !== undefined && link?.state === 'open' && (await this.#isOffered({ clusterId, kind }, row, link));
    if (isOffered || present !== undefined) feed.reroute();
  }

  /** Takes part in reading the clusters of which anything is read here. */
  #takePart(clusters: ReadonlySet<number>): void {
    const { duties } = this.#work ?? {};
    for (const [clusterId, leave] of this.#parted)
      if (!clusters.has(clusterId)) {
        this.#parted.delete(clusterId);
        leave();
      }
    for (const clusterId of clusters) {
      if (duties === undefined || this.#parted.has(clusterId)) continue;
      const leave = duties.add({
        key: `reader/${clusterId}`,
        stays: true,
        run: (signal) => this.#readCluster(clusterId, signal),
      });
      this.#parted.set(clusterId, leave);
    }
  }

  /** The duty: without the store its server goes on, as no other can begin. */
  async #readCluster(clusterId: number, signal: AbortSignal): Promise<void> {
    this.#held.add(clusterId);
    try {
      await this.#claim(clusterId);
      if (!signal.aborted)
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    } finally {
      this.#held.delete(clusterId);
      if (this.#isClosed || !this.#parted.has(clusterId))
        await this.#stored.giveUp(clusterId, this.#parts.server).catch(() => undefined);
    }
  }

  async #claim(clusterId: number): Promise<void> {
    const { server } = this.#parts;
    await this.#stored.claim(clusterId, { server, address: this.#address ?? this.#parts.address });
    await this.#read();
  }
}

/** A kind as this console names it: one that is declared has no fingerprint at all. */
const fingerprinted = ({ id, fingerprint }: { readonly id: string; readonly fingerprint: string }) =>
  fingerprint === '' ? { id } : { id, fingerprint };
