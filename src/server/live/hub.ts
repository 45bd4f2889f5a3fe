import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { beatInterval, liveClose, liveProtocol, type ServerMessage } from '../../contract/live.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyKind, Kind } from '../../registry/kind.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { type SessionRights, watchStandings } from '../access/standing.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { createKindCatalogue, type KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type ClusterLive, createClusterLive } from './cluster.ts';
import { createFeed, type Feed } from './feed.ts';
import { reflectorLimits } from './limits.ts';
import { Page } from './page.ts';
import { createReleaseFeed } from './release-feed.ts';
import { currentMember } from '../access/people.ts';
import { createPulse } from './pulse.ts';
import { statusOf } from './projector.ts';
import type { Budget } from './weight.ts';

/** The live side of the server: one list+watch per cluster, credential, resource and namespace, fanned out to pages. */
export interface Hub {
  /** Serves one page. The upgrade was authorised by the caller; each subscription is authorised here. */
  connect(socket: WebSocket, person: Member, wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>): void;
  /**
   * The status of an object, where its list is open in this console; nothing is opened for it. The caller has
   * authorised the person.
   */
  statusOf(clusterId: number, kind: string, uid: string): readonly [label: string, tone: string] | undefined;
  /** What is shared by everybody who looks at a cluster. The caller has authorised the person for it. */
  live(cluster: ClusterRow): ClusterLive;
  /** Every kind by name, kept up with the definitions that are followed. */
  readonly kinds: KindCatalogue;
  /** Figures for /metrics. */
  stats(): {
    readonly sockets: number;
    readonly subscriptions: number;
    readonly reflectors: number;
    readonly objects: number;
  };
  /** Ends every socket with "reconnect" and every reflector. */
  close(): Promise<void>;
}

export interface HubOptions {
  readonly grants: Grants;
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces' | 'probe' | 'onChange'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly kinds: readonly Kind[];
  /** Hash of the page's build. */
  readonly build: string;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Reflectors one cluster may have at once. */
export const reflectorsPerCluster = 100;

/** Names the feed of a kind in a cluster. */
const feedKey = (clusterId: number, { id, fingerprint = '' }: Pick<AnyKind, 'id' | 'fingerprint'>) =>
  `${clusterId}/${id} ${fingerprint}`;

interface OpenCluster {
  /** As it was stored when somebody last asked. */
  row: ClusterRow;
  readonly live: ClusterLive;
}

/** Starts the hub; nothing is watched until somebody subscribes. */
export function createHub(options: HubOptions): Hub {
  const { grants, clusters, log, clock = systemClock } = options;
  const { db, channel } = options.store;
  const catalogue = createKindCatalogue(clusters, () => clock.now());
  const kinds = new Map(options.kinds.map((kind) => [kind.id, kind]));
  const columns = Object.fromEntries(
    options.kinds.map((kind) => [kind.id, kind.columns.map((column) => column.id)]),
  );
  const budget: Budget = { limit: reflectorLimits.bytesOfAll, held: 0 };
  const pages = new Set<Page>();
  const sockets = new Set<WebSocket>();
  const feeds = new Map<string, Feed>();
  const opened = new Map<number, OpenCluster>();
  let isClosing = false;

  const now = () => new Date(clock.now()).toISOString();
  const text = (message: ServerMessage) => JSON.stringify(message);

  function reflectorsOf(clusterId: number): number {
    let count = 0;
    for (const feed of feeds.values()) if (feed.clusterId === clusterId) count += feed.stats.reflectors;
    return count;
  }

  function feedOf({ row: cluster, live }: OpenCluster, kind: AnyKind): Feed {
    // A definition that changed makes another kind of the same name; who followed the old one moves over.
    const key = feedKey(cluster.id, kind);
    const known = feeds.get(key);
    if (known !== undefined) return known;
    // Nobody can have so many definitions open that there is no place for the kinds that everybody needs.
    const places = kinds.has(kind.id) ? reflectorsPerCluster : reflectorsPerCluster - kinds.size;
    if (reflectorsOf(cluster.id) >= places) {
      throw new Problem({
        status: 503,
        title: `${cluster.name} has ${places} lists open in this console, as many as it allows. Close some, wait a minute and retry.`,
      });
    }
    const secret = kinds.get('secret');
    if (kind.source === 'helm' && secret !== undefined) {
      const feed = createReleaseFeed({
        kind,
        clusterId: cluster.id,
        secrets: () => feedOf({ row: cluster, live }, secret),
        transport: () => clusters.transport(cluster.id),
        joins: (name, of) => live.join(name, of),
        onDisposed: () => {
          if (feeds.get(key) === feed) feeds.delete(key);
        },
        clock,
        log: log.child({ clusterId: cluster.id, kind: kind.id }),
      });
      feeds.set(key, feed);
      return feed;
    }
    const feed = createFeed({
      kind,
      cluster,
      transport: () => clusters.transport(cluster.id),
      namespaces: () => clusters.namespaces(cluster.id),
      joins: (name, of) => live.join(name, of),
      hasPlace: () => reflectorsOf(cluster.id) < reflectorsPerCluster,
      onDisposed: () => {
        if (feeds.get(key) === feed) feeds.delete(key);
      },
      clock,
      log: log.child({ clusterId: cluster.id, kind: kind.id }),
      pulse: live.pulse,
      budget,
    });
    feeds.set(key, feed);
    return feed;
  }

  /** The caller has authorised the person for this cluster. */
  function clusterOf(row: ClusterRow): ClusterLive {
    let open = opened.get(row.id);
    if (open === undefined) {
      const name = () => made.row.name;
      const transport = () => clusters.transport(row.id);
      const made: OpenCluster = {
        row,
        live: createClusterLive({
          kinds: options.kinds,
          feed: (kind) => feedOf(made, kind),
          pulse: createPulse({ name, transport, clock }),
          name,
          transport,
          namespaces: () => clusters.namespaces(row.id),
          find: (name) => catalogue.find(made.row, name),
          refresh: (name) => catalogue.refresh(made.row, name),
          clock,
          log: log.child({ clusterId: row.id }),
          budget,
        }),
      };
      open = made;
      opened.set(row.id, open);
    }
    open.row = row;
    for (const feed of feeds.values()) if (feed.clusterId === row.id) feed.update(row);
    return open.live;
  }

  function recheck(companyId: number | undefined): void {
    for (const page of pages) {
      if (companyId === undefined || page.person.companyId === companyId) recheckPage(page);
    }
  }

  function recheckPage(page: Page): void {
    page.recheck();
    page.post(text({ type: 'grants' }));
  }

  /** Follows a cluster's credential; a cluster that is gone takes its lists along. */
  async function followCluster(clusterId: number): Promise<void> {
    const own = () => [...feeds.values()].filter((feed) => feed.clusterId === clusterId);
    if (own().length === 0) return;
    try {
      const transport = await clusters.transport(clusterId);
      for (const feed of own()) feed.use(transport.credential);
      opened.get(clusterId)?.live.customKinds.restart();
    } catch (error) {
      // Any other failure is the reflectors' to meet and to say.
      if (!(error instanceof Problem) || error.status !== 404) return;
      for (const page of pages) page.endCluster(clusterId, error.title);
      for (const feed of own()) feed.dispose();
      opened.get(clusterId)?.live.pulse.dispose();
      opened.delete(clusterId);
    }
  }

  /** Finds what no notice told of: rights that changed, sessions that ended or expired, another credential. */
  function compare(page: Page, standing: SessionRights | undefined): void {
    if (!page.agrees(standing)) recheckPage(page);
    for (const { cluster } of standing?.rights.values() ?? []) {
      const row = opened.get(cluster.id)?.row;
      if (row !== undefined && row.credentialVersion !== cluster.credentialVersion)
        void followCluster(cluster.id);
    }
  }

  function signOut(page: Page): void {
    page.close(liveClose.signedOut, 'The session ended.');
  }

  function beat(): void {
    cancelBeat = clock.after(beatInterval, beat);
    const message = text({ type: 'beat', now: now() });
    for (const page of pages) page.beat(message);
    for (const feed of feeds.values()) feed.trim();
  }

  let cancelBeat = clock.after(beatInterval, beat);
  const disposers = [
    watchStandings({
      db,
      log,
      clock,
      what: 'pages',
      open: () =>
        [...pages].map((page) => ({
          sessionHash: page.person.sessionHash,
          clusterIds: page.clusterIds(),
          compare: (standing) => compare(page, standing),
        })),
    }),
    channel.on('grants', ({ companyId }) => recheck(companyId)),
    channel.on('clusters', ({ companyId }) => recheck(companyId)),
    channel.on('preferences', ({ userId }) => {
      for (const page of pages) if (page.person.id === userId) page.post(text({ type: 'preferences' }));
    }),
    channel.on('jobs', ({ clusterId }) => {
      for (const page of pages) page.tell(clusterId, text({ type: 'jobs', clusterId }));
    }),
    channel.on('sessions', ({ userId, tokenHash }) => {
      for (const page of pages) {
        if (page.person.id !== userId) continue;
        // Without a hash the page finds out by itself whether its own session is among those that ended.
        if (tokenHash === undefined) page.recheck();
        else if (page.person.sessionHash === tokenHash) signOut(page);
      }
    }),
    channel.onGap(() => {
      recheck(undefined);
      for (const clusterId of new Set([...feeds.values()].map((feed) => feed.clusterId))) {
        void followCluster(clusterId);
      }
    }),
    clusters.onChange((clusterId) => void followCluster(clusterId)),
  ];

  return {
    kinds: catalogue,
    live: clusterOf,
    connect(socket, person, wire) {
      if (isClosing) {
        socket.close(liveClose.restart, 'The server is restarting.');
        return;
      }
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const page = new Page({
        socket,
        wire,
        person,
        grants,
        kindById: (id) => kinds.get(id),
        findKind: (cluster, name) => catalogue.find(cluster, name),
        cluster: clusterOf,
        probe: (clusterId) => clusters.probe(clusterId),
        current: (member) => currentMember(db, member),
        onClosed: (closed) => pages.delete(closed),
        clock,
        log: log.child({ userId: person.id }),
      });
      pages.add(page);
      page.post(text({ type: 'hello', protocol: liveProtocol, build: options.build, columns, now: now() }));
    },
    statusOf(clusterId, id, uid) {
      const kind = kinds.get(id);
      if (kind === undefined) return undefined;
      const entry = feeds.get(feedKey(clusterId, kind))?.find(uid);
      return entry === undefined ? undefined : statusOf(kind, entry);
    },
    stats() {
      const figures = { sockets: pages.size, subscriptions: 0, reflectors: 0, objects: 0 };
      for (const page of pages) figures.subscriptions += page.subscriptions;
      for (const feed of feeds.values()) {
        figures.reflectors += feed.stats.reflectors;
        figures.objects += feed.stats.objects;
      }
      return figures;
    },
    async close() {
      isClosing = true;
      cancelBeat();
      for (const dispose of disposers) dispose();
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const page of pages) page.close(liveClose.restart, 'The server is restarting.');
      for (const feed of feeds.values()) feed.dispose();
      for (const { live } of opened.values()) live.pulse.dispose();
      await Promise.all(closed);
    },
  };
}
