import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { ServerMessage } from '../../../contract/live.ts';
import { beatInterval, liveClose, liveProtocol } from '../../../contract/live-socket.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Kind } from '../../../registry/kinds/kind.ts';
import type { ClusterSettings, Grants } from '../../access/grants.ts';
import type { OpenRights } from '../../access/open-rights.ts';
import type { Member } from '../../access/person.ts';
import { listPlace } from '../../access/place.ts';
import { readAccess } from '../wire/access.ts';
import type { ClusterDirectory } from '../../clusters/directory.ts';
import { createKindCatalogue, type KindCatalogue } from '../../objects/kind-catalogue.ts';
import type { Store } from '../../store/store.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import type { Measures } from '../../kit/measures.ts';
import type { Budget, MemoryBudget } from '../../kit/memory-budget.ts';
import type { Tracer } from '../../kit/tracer.ts';
import { MemoryReturn } from '../../kit/memory-return.ts';
import { type ClusterLive, createClusterLive } from '../cluster/cluster.ts';
import { createTroubleStore } from '../dashboard/trouble-store.ts';
import { followGrantedNamespaces } from '../source/granted-namespaces.ts';
import { OpenFeeds } from '../cluster/open-feeds.ts';
import type { Feed } from '../feed/feed.ts';
import { definitionNames } from '../source/definition-names.ts';
import type { NamedList, ListRoutes } from '../source/list-routes.ts';
import { Page } from './page.ts';
import { createPulse } from '../source/pulse.ts';
import { statusOf } from '../source/projector.ts';
import { logSilences } from '../source/silence-log.ts';
import { StoreAbsence } from './store-absence.ts';

/** Objects and failing ones by id of the kind and namespace. */
type CountedKinds = Record<string, Record<string, [total: number, bad: number]>>;

/** The live side of the server: one list+watch per cluster, credential, resource and namespace, fanned out to pages. */
export interface Hub {
  /** Serves one page. The upgrade was authorised by the caller; each subscription is authorised here. */
  connect(socket: WebSocket, person: Member, wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>): void;
  /**
   * The status of an object, where its list is open in this console; nothing is opened for it. The caller has
   * authorised the person.
   */
  statusOf(clusterId: number, kind: string, uid: string): readonly [label: string, tone: string] | undefined;
  /** The live data of a cluster, shared by everybody who looks at it. The caller has authorised the person for it. */
  live(cluster: ClusterSettings): ClusterLive;
  /**
   * Begins to read what somebody is about to look at: a kind's list, or what the dashboard of a cluster is made of. It
   * goes on for a while, whoever comes for it or not. Throws Problem for what the person may not view.
   */
  readAhead(person: Member, clusterId: number, kind: string | undefined): Promise<void>;
  /**
   * Objects and failing ones by namespace of those of some kinds that the sidebar counts, of the clusters of which all of
   * these are counted at this moment.
   */
  tallied(kinds: readonly Kind[]): readonly (readonly [clusterId: number, tallies: CountedKinds])[];
  /** The lists that are open in this console. */
  feeds(): Iterable<Feed>;
  /**
   * A list as another server names it, opened if it is not open; undefined where this console does not have it, or has not
   * its cluster open. Throws Problem.
   */
  feedNamed(list: NamedList): Promise<Feed | undefined>;
  /** Every kind by name, kept up with the definitions that are followed. */
  readonly kinds: KindCatalogue;
  /** Figures for /metrics. */
  stats(): {
    readonly sockets: number;
    readonly subscriptions: number;
    readonly reflectors: number;
    readonly objects: number;
    /** What the rows of all lists take in memory, bytes. */
    readonly heldBytes: number;
    /** How long clusters that somebody looks at have sent nothing, seconds. */
    readonly silences: readonly { readonly id: number; readonly name: string; readonly seconds: number }[];
  };
  /** Ends every socket with "reconnect" and every reflector. */
  close(): Promise<void>;
}

export interface HubOptions {
  readonly grants: Grants;
  readonly rights: OpenRights;
  readonly clusters: Pick<ClusterDirectory, 'transport' | 'namespaces' | 'probe' | 'onChange' | 'onGrants'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly kinds: readonly Kind[];
  /** Hash of the page's build. */
  readonly build: string;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly memory: MemoryBudget;
  readonly measures?: Measures;
  /** Ways of lists through other servers; undefined where each reads clusters by itself. */
  readonly routes?: ListRoutes | undefined;
  /** Records how long subscriptions wait; undefined where nobody collects it. */
  readonly tracer?: Tracer | undefined;
}

interface OpenCluster {
  /** As it was stored when somebody last asked. */
  row: ClusterSettings;
  readonly live: ClusterLive;
}

/** About how much a list and its watch take besides their rows, bytes. */
const reflectorBytes = 256 * 1024;

const textOf = (message: ServerMessage): string => JSON.stringify(message);

/** Starts the hub; nothing is watched until somebody subscribes. */
export const createHub = (options: HubOptions): Hub => new LiveHub(options);

const isSameKind = (a: NamedList['kind'], b: NamedList['kind']) =>
  a.id === b.id && (a.fingerprint ?? '') === (b.fingerprint ?? '');

class LiveHub implements Hub {
  readonly kinds: KindCatalogue;
  readonly #options: HubOptions;
  readonly #clock: Clock;
  /** Kinds with a file, by id. */
  readonly #declared: ReadonlyMap<string, Kind>;
  /** Ids of the columns of each of them. */
  readonly #columns: Readonly<Record<string, readonly string[]>>;
  readonly #lists: Budget;
  readonly #usage: Budget;
  readonly #pages = new Set<Page>();
  readonly #sockets = new Set<WebSocket>();
  readonly #feeds: OpenFeeds;
  readonly #memory: MemoryReturn;
  readonly #clusters = new Map<number, OpenCluster>();
  readonly #disposers: readonly (() => void)[];
  readonly #storeAbsence: StoreAbsence;
  #cancelBeat: () => void;
  #isClosing = false;

  constructor(options: HubOptions) {
    const { clusters, log, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#lists = options.memory.part('lists');
    this.#usage = options.memory.part('usage');
    this.kinds = createKindCatalogue(clusters, clock);
    this.#declared = new Map(options.kinds.map((kind) => [kind.id, kind]));
    this.#columns = Object.fromEntries(
      options.kinds.map((kind) => [kind.id, kind.columns.map((column) => column.id)]),
    );
    this.#memory = new MemoryReturn(() => this.#heldSize(), clock);
    this.#feeds = new OpenFeeds({
      clusters,
      declared: this.#declared,
      clock,
      log,
      budget: this.#lists,
      measures: options.measures,
      routes: options.routes,
      onEnded: (clusterId) => {
        this.#memory.letGo();
        this.#clusters.get(clusterId)?.live.customKinds.listEnded();
      },
    });
    this.#cancelBeat = clock.after(beatInterval, () => this.#beat());
    this.#disposers = this.#followChanges();
    this.#storeAbsence = new StoreAbsence({
      channel: options.store.channel,
      clock,
      onChange: () => {
        for (const page of this.#pages) page.post(this.#storeText());
      },
    });
  }

  connect(socket: WebSocket, person: Member, wire: Pick<Duplex, 'cork' | 'uncork' | 'write'>): void {
    const { grants, rights, clusters, log, build } = this.#options;
    if (this.#isClosing) {
      socket.close(liveClose.restart, 'The server is restarting.');
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const page = new Page({
      socket,
      wire,
      person,
      grants,
      rights,
      kindById: (id) => this.#declared.get(id),
      findKind: (cluster, name) => this.kinds.find(cluster, name),
      cluster: (row) => this.live(row),
      probe: (clusterId) => clusters.probe(clusterId),
      onLooked: (cluster) => this.#compareCredential(cluster),
      onClosed: (closed) => {
        this.#pages.delete(closed);
        this.#memory.note();
      },
      clock: this.#clock,
      log: log.child({ userId: person.id }),
      measures: this.#options.measures,
      tracer: this.#options.tracer,
    });
    this.#pages.add(page);
    const now = this.#now();
    page.post(textOf({ type: 'hello', protocol: liveProtocol, build, columns: this.#columns, now }));
    if (this.#storeAbsence.since !== null) page.post(this.#storeText());
  }

  live(row: ClusterSettings): ClusterLive {
    const open = this.#clusters.get(row.id) ?? this.#openCluster(row);
    open.row = row;
    for (const feed of this.#feeds.ofCluster(row.id)) feed.update(row);
    return open.live;
  }

  statusOf(clusterId: number, id: string, uid: string): readonly [label: string, tone: string] | undefined {
    const kind = this.#declared.get(id);
    if (kind === undefined) return undefined;
    const entry = this.#feeds.get(clusterId, kind)?.find(uid);
    return entry === undefined ? undefined : statusOf(kind, entry);
  }

  async readAhead(person: Member, clusterId: number, id: string | undefined): Promise<void> {
    const kind = id === undefined ? undefined : this.#declared.get(id);
    const { cluster, ...sight } = await readAccess(
      this.#options.grants,
      person,
      clusterId,
      kind === undefined ? undefined : { need: kind.permissions.view, place: listPlace(kind) },
    );
    if (this.#isClosing) return;
    const live = this.live(cluster);
    if (kind !== undefined) live.feed(kind);
    else live.board.join(sight, { dashboard: () => {}, state: () => {} }).leave();
  }

  feeds(): Iterable<Feed> {
    return this.#feeds.all();
  }

  async feedNamed({ clusterId, kind }: NamedList): Promise<Feed | undefined> {
    const open = this.#clusters.get(clusterId);
    if (open === undefined || this.#isClosing) return undefined;
    const known = this.#feeds.get(clusterId, kind);
    if (known !== undefined) return known;
    if (isSameKind(kind, definitionNames)) return this.#feeds.openDefinitions(open);
    const found = this.#declared.get(kind.id) ?? (await this.kinds.find(open.row, kind.id));
    if (!isSameKind(kind, found)) return undefined;
    return this.#declared.has(kind.id) ? this.#feeds.open(open, found) : this.#feeds.openAhead(open, found);
  }

  tallied(kinds: readonly Kind[]): ReturnType<Hub['tallied']> {
    return [...this.#clusters].flatMap(([id, { live }]) => {
      const counted = live.tallies.counted(kinds);
      if (counted === undefined) return [];
      const tallies = [...counted].map(([kind, count]) => [kind.id, count.byNamespace] as const);
      return [[id, Object.fromEntries(tallies)] as const];
    });
  }

  stats(): ReturnType<Hub['stats']> {
    const figures = {
      sockets: this.#pages.size,
      subscriptions: 0,
      reflectors: 0,
      objects: 0,
      heldBytes: this.#lists.held,
      silences: this.#silences(),
    };
    for (const page of this.#pages) figures.subscriptions += page.subscriptions;
    for (const { stats } of this.#feeds.all()) {
      figures.reflectors += stats.reflectors;
      figures.objects += stats.objects;
    }
    return figures;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelBeat();
    for (const dispose of this.#disposers) dispose();
    this.#storeAbsence.dispose();
    const closed = [...this.#sockets].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const page of this.#pages) page.close(liveClose.restart, 'The server is restarting.');
    for (const feed of this.#feeds.all()) feed.dispose();
    for (const { live } of this.#clusters.values()) live.dispose();
    this.#memory.dispose();
    await Promise.all(closed);
  }

  /** About how much the lists take, bytes. */
  #heldSize(): number {
    let size = this.#lists.held + this.#usage.held;
    for (const { stats } of this.#feeds.all()) size += stats.reflectors * reflectorBytes;
    return size;
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #silences(): ReturnType<Hub['stats']>['silences'] {
    const now = this.#clock.now();
    return [...this.#clusters.values()].flatMap(({ row: { id, name }, live: { pulse } }) =>
      pulse.isWatched && pulse.heardAt !== undefined
        ? [{ id, name, seconds: (now - pulse.heardAt) / 1000 }]
        : [],
    );
  }

  #openCluster(row: ClusterSettings): OpenCluster {
    const { clusters, kinds, log } = this.#options;
    const clock = this.#clock;
    const name = () => open.row.name;
    const transport = () => clusters.transport(row.id);
    const clusterLog = log.child({ clusterId: row.id, cluster: row.name });
    const pulse = createPulse({ name, transport, clock });
    logSilences(pulse, clusterLog);
    const open: OpenCluster = {
      row,
      live: createClusterLive({
        kinds,
        feed: (kind) => this.#feeds.open(open, kind),
        feedAhead: (kind) => this.#feeds.openAhead(open, kind),
        held: (kind) => this.#feeds.get(row.id, kind)?.stats.objects ?? 0,
        definitionNames: () => this.#feeds.openDefinitions(open),
        pulse,
        name,
        transport,
        namespaces: () => clusters.namespaces(row.id),
        find: (kind) => this.kinds.find(open.row, kind),
        refresh: (kind) => this.kinds.refresh(open.row, kind),
        clock,
        budget: this.#usage,
        log: clusterLog,
        troubles: createTroubleStore(this.#options.store, row.id),
      }),
    };
    this.#clusters.set(row.id, open);
    return open;
  }

  /** Follows what changes in the store; returns how to stop. */
  #followChanges(): readonly (() => void)[] {
    const { store, clusters, log } = this.#options;
    const { channel } = store;
    return [
      channel.on('preferences', ({ userId }) => this.#tellPreferences(userId)),
      channel.on('userSettings', ({ userId }) => {
        for (const page of this.#pages) if (page.person.id === userId) page.recheck();
        this.#tellPreferences(userId);
      }),
      channel.on('account', (of) => {
        for (const page of this.#pages) {
          const { id, companyId } = page.person;
          const isMeant = 'userIds' in of ? of.userIds.includes(id) : of.companyId === companyId;
          if (isMeant) page.post(textOf({ type: 'account' }));
        }
      }),
      channel.on('notifications', ({ userIds }) => {
        for (const page of this.#pages)
          if (userIds.includes(page.person.id)) page.post(textOf({ type: 'notifications' }));
      }),
      channel.on('jobs', ({ clusterId }) => {
        for (const page of this.#pages) page.tell(clusterId, textOf({ type: 'jobs', clusterId }));
      }),
      channel.onGap(() => {
        this.#announceMissed();
        for (const clusterId of this.#clusterIds()) void this.#followCluster(clusterId);
      }),
      clusters.onChange((clusterId) => void this.#followCluster(clusterId)),
      followGrantedNamespaces({
        clusters,
        open: () =>
          [...this.#clusters.values()].map(({ row: { id, companyId } }) => ({
            id,
            companyId,
            lists: () => this.#feeds.ofCluster(id),
          })),
        log,
      }),
    ];
  }

  #storeText(): string {
    return textOf({ type: 'store', awaySince: this.#storeAbsence.since });
  }

  #clusterIds(): ReadonlySet<number> {
    return new Set([...this.#feeds.all()].map(({ clusterId }) => clusterId));
  }

  /** Has all pages read again whatever they are notified of, since notices may have been lost. */
  #announceMissed(): void {
    for (const page of this.#pages)
      for (const type of ['grants', 'account', 'preferences', 'notifications'] as const)
        page.post(textOf({ type }));
    for (const clusterId of this.#clusterIds())
      for (const page of this.#pages) page.tell(clusterId, textOf({ type: 'jobs', clusterId }));
  }

  #tellPreferences(userId: number): void {
    for (const page of this.#pages) if (page.person.id === userId) page.post(textOf({ type: 'preferences' }));
  }

  /** Follows a cluster's credential; a cluster that was removed takes its lists along. */
  async #followCluster(clusterId: number): Promise<void> {
    if (this.#feeds.ofCluster(clusterId).length === 0) return;
    try {
      const transport = await this.#options.clusters.transport(clusterId);
      for (const feed of this.#feeds.ofCluster(clusterId)) feed.use(transport.credential);
      this.#clusters.get(clusterId)?.live.customKinds.restart();
    } catch (error) {
      // Any other failure is met, and shown, by the reflectors.
      if (!(error instanceof Problem) || error.status !== 404) return;
      for (const page of this.#pages) page.endCluster(clusterId, error.title);
      for (const feed of this.#feeds.ofCluster(clusterId)) feed.dispose();
      this.#clusters.get(clusterId)?.live.dispose();
      this.#clusters.delete(clusterId);
    }
  }

  /** Finds a change of a cluster's credential whose notice was lost. */
  #compareCredential({ id, credentialVersion }: ClusterSettings): void {
    const row = this.#clusters.get(id)?.row;
    if (row !== undefined && row.credentialVersion !== credentialVersion) void this.#followCluster(id);
  }

  #beat(): void {
    this.#cancelBeat = this.#clock.after(beatInterval, () => this.#beat());
    const message = textOf({ type: 'beat', now: this.#now() });
    for (const page of this.#pages) page.beat(message);
    for (const feed of this.#feeds.all()) feed.trim();
    this.#memory.note();
  }
}
