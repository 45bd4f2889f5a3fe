import type { Logger } from 'pino';
import { definitionKind } from '../../../../commands/kinds/custom.ts';
import { kindOfResource } from '../../../../commands/kinds/index.ts';
import { ownedByHelm, storageResources } from '../../../kube/helm.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import type { ClusterDirectory } from '../../clusters/directory.ts';
import { metadataTransport } from '../../clusters/metadata-transport.ts';
import { tableTransport } from '../../clusters/table-transport.ts';
import type { Transport } from '../../clusters/transport.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Measures } from '../../kit/measures.ts';
import type { ClusterSettings } from '../../access/grants.ts';
import type { ClusterLive } from './cluster.ts';
import { maxCustomKinds } from '../definitions/custom-kinds.ts';
import { definitionNames, namesOf } from '../source/definition-names.ts';
import { type Feed, ListFeed } from '../feed/feed.ts';
import type { ListRoutes } from '../source/list-routes.ts';
import { listedDefinitions } from '../source/listed-definitions.ts';
import { createReleaseFeed } from '../releases/release-feed.ts';
import { NoPlace } from '../source/no-place.ts';
import type { Budget } from '../../kit/memory-budget.ts';

/** Maximum number of reflectors of one cluster. */
export const reflectorsPerCluster = 350;

/** Looks of people that are remembered. */
const maxLooks = 2_000;

/** Inputs of the feeds. */
export interface OpenFeedsParts {
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces'>;
  /** Kinds with a file, by id. */
  readonly declared: ReadonlyMap<string, Kind>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shared by all lists of the server. */
  readonly budget: Budget;
  readonly measures?: Measures | undefined;
  /** Undefined where each server reads clusters by itself. */
  readonly routes?: ListRoutes | undefined;
  /** Called after a list of a cluster ended. */
  readonly onEnded: (clusterId: number) => void;
}

/** A cluster whose feeds are opened. */
export interface FeedCluster {
  readonly row: ClusterSettings;
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
  /** Keys of the feeds that are watched ahead, in the order in which they were opened. */
  readonly #ahead = new Set<string>();
  /** When a person last opened a custom kind, epoch ms, by cluster and id. */
  readonly #looked = new Map<string, number>();

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

  /** The feed of a kind, opened if it is not open. Throws NoPlace. */
  open(cluster: FeedCluster, kind: AnyKind): Feed {
    this.#noteLook(cluster, kind);
    return this.#open(cluster, kind, (onDisposed) => {
      const secrets = kindOfResource(storageResources.Secret);
      const configmaps = kindOfResource(storageResources.ConfigMap);
      return kind.source === 'helm' && secrets !== undefined && configmaps !== undefined
        ? this.#releaseFeed(cluster, kind, { secrets, records: recordsAmong(configmaps), onDisposed })
        : this.#listFeed(cluster, kind, onDisposed, this.#narrowingOf(cluster, kind));
    });
  }

  /**
   * The feed of a custom kind as the directory of its cluster names it, watched ahead: it gives way to the lists that
   * people open. Throws NoPlace.
   */
  openAhead(cluster: FeedCluster, kind: AnyKind): Feed {
    const key = feedKey(cluster.row.id, kind);
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const { row } = cluster;
    if (this.#aheadOf(row.id).length >= maxCustomKinds || !this.#hasPlace(row.id, this.#placesOf(kind)))
      throw new NoPlace(row.name, maxCustomKinds);
    this.#ahead.add(key);
    return this.#open(cluster, kind, (onDisposed) =>
      this.#listFeed(cluster, kind, onDisposed, this.#narrowingOf(cluster, kind)),
    );
  }

  /** The feed of the names of a cluster's definitions. Throws NoPlace. */
  openDefinitions(cluster: FeedCluster): Feed {
    return this.#open(cluster, definitionNames, (onDisposed) =>
      this.#listFeed(cluster, definitionNames, onDisposed, namesOf),
    );
  }

  /** @param kept a feed that does not end for it */
  #open(cluster: FeedCluster, kind: AnyKind, create: (onDisposed: () => void) => Feed, kept?: Feed): Feed {
    const key = feedKey(cluster.row.id, kind);
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const places = this.#placesOf(kind);
    if (!this.#makeRoom(cluster.row.id, places, kept)) throw new NoPlace(cluster.row.name, places);
    const onDisposed = () => {
      if (this.#feeds.get(key) !== feed) return;
      this.#feeds.delete(key);
      this.#ahead.delete(key);
      this.#parts.onEnded(cluster.row.id);
    };
    const feed = create(onDisposed);
    this.#feeds.set(key, feed);
    return feed;
  }

  #noteLook({ row }: FeedCluster, { id }: AnyKind): void {
    if (this.#parts.declared.has(id)) return;
    const key = `${row.id}/${id}`;
    this.#looked.delete(key);
    this.#looked.set(key, this.#parts.clock.now());
    const [oldest] = this.#looked.keys();
    if (this.#looked.size > maxLooks && oldest !== undefined) this.#looked.delete(oldest);
  }

  /** Definitions leave places for the kinds with a file, which everybody needs. */
  #placesOf({ id }: AnyKind): number {
    const { declared } = this.#parts;
    return declared.has(id) ? reflectorsPerCluster : reflectorsPerCluster - declared.size;
  }

  #hasPlace(clusterId: number, places: number): boolean {
    return this.#reflectorsOf(clusterId) < places;
  }

  /** Whether a feed may open one more reflector: one that is watched ahead takes no place of another. */
  #mayGrow(feed: Feed): boolean {
    const { clusterId, kind } = feed;
    return this.#ahead.has(feedKey(clusterId, kind))
      ? this.#hasPlace(clusterId, this.#placesOf(kind))
      : this.#makeRoom(clusterId, reflectorsPerCluster, feed);
  }

  /** Ends lists that nobody has open but one that is kept, until there is a place. Answers whether there is one. */
  #makeRoom(clusterId: number, places: number, kept: Feed | undefined): boolean {
    while (!this.#hasPlace(clusterId, places)) {
      const feed = this.#leastLookedAt(clusterId, kept);
      if (feed === undefined) return false;
      feed.giveWay();
    }
    return true;
  }

  /** A list that was left, else one watched ahead: without objects, or else looked at longest ago. */
  #leastLookedAt(clusterId: number, kept: Feed | undefined): Feed | undefined {
    const left = this.ofCluster(clusterId).find(
      (feed) => feed !== kept && feed.isUnused && feed.stats.reflectors > 0,
    );
    if (left !== undefined) return left;
    const rank = (feed: Feed) =>
      feed.stats.objects === 0 ? -1 : (this.#looked.get(`${clusterId}/${feed.kind.id}`) ?? 0);
    // Of several the one that was opened last: the choice begins with the kinds of well-known projects.
    const ahead = this.#aheadOf(clusterId).filter((feed) => feed !== kept);
    return ahead.reduce<Feed | undefined>(
      (least, feed) => (least === undefined || rank(feed) <= rank(least) ? feed : least),
      undefined,
    );
  }

  #aheadOf(clusterId: number): readonly Feed[] {
    return [...this.#ahead].flatMap((key) => {
      const feed = this.#feeds.get(key);
      return feed?.clusterId === clusterId ? [feed] : [];
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
      feeds: () => {
        const Secret = this.open(cluster, secrets);
        const create = (ended: () => void) => this.#listFeed(cluster, records, ended, recordsOf);
        // Nobody has it open yet.
        return { Secret, ConfigMap: this.#open(cluster, records, create, Secret) };
      },
      transport: () => clusters.transport(id),
      joins: (name, of) => cluster.live.join(name, of),
      onDisposed,
      clock,
      log: log.child({ clusterId: id, kind: kind.id }),
    });
  }

  /** The form in which a kind is read. */
  #narrowingOf({ live }: FeedCluster, kind: AnyKind): (transport: Transport) => Transport {
    if (kind.id === definitionKind.id)
      return (transport) => listedDefinitions(transport, (uid) => live.customKinds.troubled.has(uid));
    return kind.hasTableCells === true ? tableTransport : (transport) => transport;
  }

  #listFeed(
    { row, live }: FeedCluster,
    kind: AnyKind,
    onDisposed: () => void,
    narrowed: (transport: Transport) => Transport,
  ): Feed {
    const { clusters, declared, clock, log, budget, measures, routes } = this.#parts;
    const feed: ListFeed = new ListFeed({
      kind,
      cluster: row,
      transport: async () => narrowed(await clusters.transport(row.id)),
      route: routes && ((own) => routes.routeOf({ clusterId: row.id, kind }, own)),
      namespaces: () => clusters.namespaces(row.id),
      joins: (name, of) => live.join(name, of),
      hasPlace: () => this.#mayGrow(feed),
      onDisposed,
      // Dashboards are to have what somebody sees in a list.
      ...(declared.has(kind.id) ? {} : { onFound: () => live.customKinds.expect(kind) }),
      clock,
      log: log.child({ clusterId: row.id, kind: kind.id }),
      pulse: live.pulse,
      budget,
      measures,
    });
    return feed;
  }
}
