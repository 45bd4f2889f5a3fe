import type { Logger } from 'pino';
import { kindOfResource } from '../../../commands/kinds/index.ts';
import { Problem } from '../../contract/problem.ts';
import { ownedByHelm, storageResources } from '../../kube/helm.ts';
import type { AnyKind, Kind } from '../../registry/kind.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { metadataTransport } from '../clusters/metadata-transport.ts';
import { tableTransport } from '../clusters/table-transport.ts';
import type { Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { ClusterLive } from './cluster.ts';
import { type Feed, ListFeed } from './feed.ts';
import { createReleaseFeed } from './release-feed.ts';
import type { Budget } from './weight.ts';

/** Reflectors that one cluster may have at once, at most. */
export const reflectorsPerCluster = 100;

/** Inputs of the feeds. */
export interface OpenFeedsParts {
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces'>;
  /** Kinds with a file, by id. */
  readonly declared: ReadonlyMap<string, Kind>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shared by all lists of the server. */
  readonly budget: Budget;
}

/** A cluster whose feeds are opened. */
export interface FeedCluster {
  readonly row: ClusterRow;
  readonly live: ClusterLive;
}

/** A definition that changed makes another kind of the same name; who followed the old one moves over. */
const feedKey = (clusterId: number, { id, fingerprint = '' }: Pick<AnyKind, 'id' | 'fingerprint'>) =>
  `${clusterId}/${id} ${fingerprint}`;

/** The ConfigMaps that store revisions, a list of its own: of all others, and of their contents, nothing is read. */
const recordsAmong = (configmaps: Kind): AnyKind => ({
  ...configmaps,
  columns: [],
  fingerprint: ownedByHelm,
});
const recordsOf = (transport: Transport): Transport => metadataTransport(transport, ownedByHelm);

/** The feeds of every cluster: one for each kind that somebody follows. */
export class OpenFeeds {
  readonly #parts: OpenFeedsParts;
  readonly #feeds = new Map<string, Feed>();

  constructor(parts: OpenFeedsParts) {
    this.#parts = parts;
  }

  all(): Iterable<Feed> {
    return this.#feeds.values();
  }

  ofCluster(clusterId: number): readonly Feed[] {
    return [...this.#feeds.values()].filter((feed) => feed.clusterId === clusterId);
  }

  /** The feed of a kind, if somebody follows it. */
  get(clusterId: number, kind: Pick<AnyKind, 'id' | 'fingerprint'>): Feed | undefined {
    return this.#feeds.get(feedKey(clusterId, kind));
  }

  /** The feed of a kind, opened if it is not open. Throws Problem 503 if the cluster has too many. */
  open(cluster: FeedCluster, kind: AnyKind): Feed {
    return this.#open(cluster, kind, (onDisposed) => {
      const secrets = kindOfResource(storageResources.Secret);
      const configmaps = kindOfResource(storageResources.ConfigMap);
      return kind.source === 'helm' && secrets !== undefined && configmaps !== undefined
        ? this.#releaseFeed(cluster, kind, { secrets, records: recordsAmong(configmaps), onDisposed })
        : this.#listFeed(cluster, kind, onDisposed);
    });
  }

  #open(cluster: FeedCluster, kind: AnyKind, create: (onDisposed: () => void) => Feed): Feed {
    const key = feedKey(cluster.row.id, kind);
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    this.#requirePlace(cluster, kind);
    const onDisposed = () => {
      if (this.#feeds.get(key) === feed) this.#feeds.delete(key);
    };
    const feed = create(onDisposed);
    this.#feeds.set(key, feed);
    return feed;
  }

  /** Definitions leave places for the kinds with a file, which everybody needs. */
  #requirePlace({ row }: FeedCluster, kind: AnyKind): void {
    const { declared } = this.#parts;
    const places = declared.has(kind.id) ? reflectorsPerCluster : reflectorsPerCluster - declared.size;
    if (this.#reflectorsOf(row.id) < places) return;
    throw new Problem({
      status: 503,
      title: `${row.name} has ${places} lists open in this console, the maximum. Close some, wait a minute and retry.`,
    });
  }

  #reflectorsOf(clusterId: number): number {
    return this.ofCluster(clusterId).reduce((sum, { stats }) => sum + stats.reflectors, 0);
  }

  #releaseFeed(
    cluster: FeedCluster,
    kind: AnyKind,
    {
      secrets,
      records,
      onDisposed,
    }: { readonly secrets: Kind; readonly records: AnyKind; readonly onDisposed: () => void },
  ): Feed {
    const { clusters, clock, log } = this.#parts;
    const { id } = cluster.row;
    return createReleaseFeed({
      kind,
      clusterId: id,
      feeds: () => ({
        Secret: this.open(cluster, secrets),
        ConfigMap: this.#open(cluster, records, (ended) =>
          this.#listFeed(cluster, records, ended, recordsOf),
        ),
      }),
      transport: () => clusters.transport(id),
      joins: (name, of) => cluster.live.join(name, of),
      onDisposed,
      clock,
      log: log.child({ clusterId: id, kind: kind.id }),
    });
  }

  #listFeed(
    { row, live }: FeedCluster,
    kind: AnyKind,
    onDisposed: () => void,
    narrowed: (transport: Transport) => Transport = kind.hasTableCells === true
      ? tableTransport
      : (transport) => transport,
  ): Feed {
    const { clusters, clock, log, budget } = this.#parts;
    return new ListFeed({
      kind,
      cluster: row,
      transport: async () => narrowed(await clusters.transport(row.id)),
      namespaces: () => clusters.namespaces(row.id),
      joins: (name, of) => live.join(name, of),
      hasPlace: () => this.#reflectorsOf(row.id) < reflectorsPerCluster,
      onDisposed,
      clock,
      log: log.child({ clusterId: row.id, kind: kind.id }),
      pulse: live.pulse,
      budget,
    });
  }
}
