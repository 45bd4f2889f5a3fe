import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import { tableCells } from '../../../kube/custom.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Transport } from '../../clusters/transport.ts';
import type { ClusterSettings } from '../../access/grants.ts';
import {
  type Audience,
  createAudience,
  type Membership,
  type RowsRead,
  type Tap,
  type Tapped,
} from './audience.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Measures } from '../../kit/measures.ts';
import { FanOut, type Sink } from './fan-out.ts';
import { noun } from '../source/faults.ts';
import { enumerate, mergeStates } from './feed-state.ts';
import type { Narrowable } from '../source/granted-namespaces.ts';
import type { Joins } from './join.ts';
import { isPartOfObject } from '../source/listed-definitions.ts';
import { isNamespaceKind } from '../../access/place.ts';
import type { ObjectMembership, ObjectSink } from '../source/object-watch.ts';
import { createObjectWatches, type ObjectWatches } from '../source/object-watches.ts';
import { createAdopter, createProjector, type Entry, entryAt, type Projector } from '../source/projector.ts';
import type { Pulse } from '../source/pulse.ts';
import type { ListTransport } from '../source/reflector-options.ts';
import { createScopedReflectors, type ScopedReflectors } from '../source/scoped-reflectors.ts';
import type { ViewSpec } from './view.ts';
import type { Budget } from '../../kit/memory-budget.ts';

export interface FeedOptions {
  readonly kind: AnyKind;
  readonly cluster: ClusterSettings;
  readonly transport: () => Promise<Transport>;
  /** The way by which the list is read, where that may be another than the cluster's own. */
  readonly route?: ((own: Transport) => Promise<ListTransport>) | undefined;
  readonly joins: Joins;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  /** Whether the cluster may have one more reflector. */
  readonly hasPlace: () => boolean;
  readonly onDisposed: () => void;
  /** Called once the list is complete and has objects, and after each that is added then. */
  readonly onFound?: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the cluster answers. */
  readonly pulse: Pulse;
  /** Shared by all lists of the server. */
  readonly budget: Budget;
  readonly measures?: Measures | undefined;
}

/** The rows of one kind in one cluster, shared by everyone who may view them. */
export interface Feed extends Narrowable {
  readonly kind: AnyKind;
  readonly clusterId: number;
  readonly stats: { readonly reflectors: number; readonly objects: number };
  /** Throws Problem 400 for a label selector that cannot be read. */
  join(spec: ViewSpec, sink: Sink): Membership;
  tap(listener: Tap): Tapped;
  /** The entry of an object now; keeps nothing going. */
  find(uid: string): Entry | undefined;
  /** Follows one object. The namespace is empty for objects of the cluster. */
  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership;
  /** Takes the stored cluster after a change; lists again if its namespaces changed. */
  update(cluster: ClusterSettings): void;
  /** The credential that the list is read with; undefined before it is read, and where it is none of one list. */
  readonly credential: string | undefined;
  /** Lists again unless this credential is the one in use. */
  use(credential: string): void;
  /** Lists again by the way that is right now. */
  reroute(): void;
  retry(): void;
  /** Frees what is only kept for speed. */
  trim(): void;
  /** Nobody follows it: it goes on for a while for whoever comes next. */
  readonly isUnused: boolean;
  /** Ends it for a list that is wanted more, and tells its taps. */
  giveWay(): void;
  dispose(): void;
}

/** The object as it is in its cluster. */
function withoutCells(object: KubeObject): KubeObject {
  const { [tableCells]: _, ...own } = object as KubeObject & { readonly [tableCells]?: unknown };
  return own;
}

/** The entry in an object of another server, or its version alone. */
function carriedBy(object: KubeObject, mark: string): Entry | string | undefined {
  return (object as KubeObject & Readonly<Record<string, Entry | string | undefined>>)[mark];
}

/** A feed of one kind, read by lists and watches. It stops a while after its last subscriber, or when nobody comes. */
export class ListFeed implements Feed {
  readonly kind: AnyKind;
  readonly clusterId: number;
  readonly #options: FeedOptions;
  readonly #fanOut: FanOut;
  readonly #objects: ObjectWatches;
  readonly #audience: Audience;
  readonly #scoped: ScopedReflectors;
  /** As it is stored now. */
  #cluster: ClusterSettings;
  /** The credential that was used last. */
  #credential: string | undefined;
  /** The member of an object of another server that has its entry; no cluster can know it. */
  #mark: string | undefined;
  /** Every list has been read, or cannot be. */
  #isReady = false;
  /** The first rows are there, perhaps not all. */
  #isBegun = false;
  #isDisposed = false;

  constructor(options: FeedOptions) {
    const { kind, cluster, clock, log, joins, measures } = options;
    this.kind = kind;
    this.clusterId = cluster.id;
    this.#options = options;
    this.#cluster = cluster;
    const source = { entries: () => this.#entries(), find: (uid: string) => this.find(uid) };
    const name = () => this.#cluster.name;
    this.#fanOut = new FanOut({
      kind,
      source,
      joins,
      take: () => this.#takeAll(),
      onSent: (ms) => measures?.sentChanges(cluster.id, ms),
      clock,
      log,
    });
    this.#objects = createObjectWatches({
      kind,
      cluster: name,
      transport: options.transport,
      find: (namespace, objectName) => this.#findByName(namespace, objectName),
      isReady: () => this.#isReady,
      state: (namespace) => this.#stateOf({ namespace }),
      onClosed: () => this.#audience.leaveIfUnused(),
      clock,
      log,
    });
    this.#audience = createAudience({
      fanOut: this.#fanOut,
      source,
      isReady: () => this.#isReady,
      isBegun: () => this.#isBegun,
      stateOf: (rows) => this.#stateOf(rows),
      isWhole: (namespace) => this.#isWhole(namespace),
      scopes: () => [...this.#scoped.all].flatMap(([name, { listed }]) => (listed ? [name] : [])),
      hasOpen: () => this.#objects.size > 0,
      onUnused: () => this.dispose(),
      clock,
    });
    this.#scoped = createScopedReflectors({
      kind,
      cluster: name,
      transport: () => this.#transport(),
      namespaces: options.namespaces,
      hasPlace: options.hasPlace,
      held: () =>
        this.#isReady ? new Map([...this.#entries()].map((entry) => [entry.uid, entry])) : undefined,
      project: this.#projector(),
      advance: (entry, now) => entryAt(kind, entry, now),
      clock,
      log,
      pulse: options.pulse,
      budget: options.budget,
      onChange: (uid, entry, previous) => this.#change(uid, entry, previous),
      onState: () => this.#settle(),
      onPage: () => this.#begin(),
      onWaiting: () => this.#fanOut.expect(),
    });
  }

  get stats(): { readonly reflectors: number; readonly objects: number } {
    let objects = 0;
    for (const reflector of this.#scoped.all.values()) objects += reflector.entries.size;
    return { reflectors: this.#scoped.all.size, objects };
  }

  join(spec: ViewSpec, sink: Sink): Membership {
    return this.#audience.join(spec, sink);
  }

  tap(listener: Tap): Tapped {
    return this.#audience.tap(listener);
  }

  find(uid: string): Entry | undefined {
    for (const reflector of this.#scoped.all.values()) {
      const entry = reflector.entries.get(uid);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership {
    this.#audience.keep();
    return this.#objects.open(namespace, name, sink);
  }

  update(cluster: ClusterSettings): void {
    const isChanged = cluster.namespaces.join(' ') !== this.#cluster.namespaces.join(' ');
    this.#cluster = cluster;
    if (isChanged && this.isLimited) this.#scoped.widen();
  }

  get isLimited(): boolean {
    return this.#scoped.isLimited;
  }

  renarrow(namespaces: readonly string[]): void {
    this.#scoped.renarrow(namespaces);
  }

  get credential(): string | undefined {
    return this.#credential;
  }

  reroute(): void {
    this.#scoped.reroute();
  }

  use(credential: string): void {
    if (this.#credential !== undefined && this.#credential !== credential) this.#scoped.widen();
  }

  retry(): void {
    for (const reflector of this.#scoped.all.values()) reflector.retry();
    this.#objects.retry();
  }

  trim(): void {
    this.#fanOut.trim();
  }

  get isUnused(): boolean {
    return this.#audience.isUnused;
  }

  giveWay(): void {
    this.#audience.giveWay(() => this.dispose());
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#scoped.dispose();
    this.#audience.dispose();
    this.#objects.dispose();
    this.#options.onDisposed();
  }

  *#entries(): Iterable<Entry> {
    for (const reflector of this.#scoped.all.values()) yield* reflector.entries.values();
  }

  #findByName(namespace: string, name: string): Entry | undefined {
    for (const entry of this.#entries())
      if (entry.name === name && entry.namespace === namespace) return entry;
    return undefined;
  }

  #takeAll(): void {
    for (const reflector of this.#scoped.all.values()) reflector.take();
  }

  async #transport(): Promise<ListTransport> {
    const own = await this.#options.transport();
    // Another server gives lists of whole clusters alone.
    const route = this.#scoped.isLimited ? undefined : this.#options.route;
    const transport: ListTransport = (await route?.(own)) ?? own;
    this.#credential = transport.credential;
    this.#mark = transport.mark ?? this.#mark;
    return transport;
  }

  /** The projector of the kind, which also offers each object to those who have it open. */
  #projector(): Projector {
    const { kind, log, clock } = this.#options;
    const project = createProjector(kind, log, clock);
    const adopt = createAdopter();
    return (object, previous) => {
      const carried = this.#mark === undefined ? undefined : carriedBy(object, this.#mark);
      if (carried !== undefined) return this.#take(carried, previous, adopt);
      if (!(isPartOfObject in object))
        this.#objects.offer(kind.hasTableCells === true ? withoutCells(object) : object);
      const before = previous?.version;
      const entry = project(object, previous);
      if (entry !== undefined && entry === previous && entry.version !== before) this.#audience.touch(entry);
      return entry;
    };
  }

  /** Takes what another server says of an object: its entry, or its version alone. */
  #take(
    carried: Entry | string,
    previous: Entry | undefined,
    adopt: ReturnType<typeof createAdopter>,
  ): Entry | undefined {
    if (typeof carried === 'string' && previous !== undefined) previous.version = carried;
    const entry = typeof carried === 'string' ? previous : adopt(carried, previous);
    if (entry !== undefined) this.#objects.noted(entry);
    return entry;
  }

  #change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void {
    // A list that is not complete yet may drop rows that another, narrower one brings again.
    if (this.#isReady && entry === undefined && previous !== undefined) this.#objects.dropped(previous);
    this.#audience.change(uid, entry, previous);
    if (this.#isReady && previous === undefined) this.#options.onFound?.();
  }

  /** A part of a list was read. */
  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#audience.begun();
  }

  /** A list was read, or the state of one changed. */
  #settle(): void {
    const all = [...this.#scoped.all.values()];
    const isSettled = all.every(
      ({ listed, state }) => listed || state.status === 'forbidden' || state.status === 'absent',
    );
    const becomesReady = !this.#isReady && isSettled && all.some(({ listed }) => listed);
    this.#isReady ||= becomesReady;
    // Of several namespaces the first that is read shows.
    if (this.#isReady) this.#isBegun = true;
    else if (all.some(({ entries }) => entries.size > 0)) this.#begin();
    this.#audience.settled(becomesReady);
    this.#objects.settled();
    if (becomesReady && this.stats.objects > 0) this.#options.onFound?.();
  }

  /** The state of a namespace's rows, or of all rows; of other namespaces than those within it says nothing. */
  #stateOf({ namespace, within }: RowsRead): ListState {
    const { all, narrowedTo, isUnnamed, skipped } = this.#scoped;
    const one = all.get('') ?? (namespace === undefined ? undefined : all.get(namespace));
    if (one?.state.status === 'forbidden' && isUnnamed) return this.#unnamed(one.state);
    if (one !== undefined)
      return narrowedTo === undefined || !all.has('') ? one.state : this.#narrowed(one.state, within);
    const isTold = (name: string) => within === undefined || within.has(name);
    const told = [...all].filter(([name]) => isTold(name));
    const states = new Map(told.map(([name, reflector]) => [name, reflector.state]));
    const merged = mergeStates(states, skipped.filter(isTold)) ?? {
      status: 'loading',
      since: new Date(this.#options.clock.now()).toISOString(),
    };
    if (namespace === undefined) return this.#narrowed(merged, within);
    return {
      status: 'forbidden',
      since: merged.since,
      remedy: 'namespaces',
      message: `This console's credential may not list ${noun(this.kind)} of ${this.#cluster.name} as a whole, and namespace “${namespace}” is not among those it reads there. An Owner can name it under “Cluster settings for everyone”.`,
    };
  }

  /** The state of a credential that may read namespaces at most, of which none is known. */
  #unnamed(state: ListState): ListState {
    const { name } = this.#cluster;
    const where = isNamespaceKind(this.kind) ? `of ${name}` : `in all namespaces of ${name}`;
    return {
      ...state,
      remedy: 'namespaces',
      message: `This console's credential may not list ${noun(this.kind)} ${where}. Which namespaces it may read is not known: an Owner can name them under “Cluster settings for everyone”.`,
    };
  }

  /** A state that names the namespaces which are read, where it has nothing more urgent to say. */
  #narrowed(state: ListState, within: RowsRead['within']): ListState {
    const narrowedTo = this.#scoped.narrowedTo;
    const names = narrowedTo?.filter((name) => within === undefined || within.has(name));
    // Namespaces that are read by name have no watch, which is no fault of the credential.
    const isHealthy =
      state.status === 'live'
        ? state.message === undefined
        : state.status === 'polled' && isNamespaceKind(this.kind);
    if (!isHealthy || names === undefined || names.length === 0) return state;
    const only =
      names.length === 1
        ? `Only namespace ${enumerate(names)} is`
        : `Only the namespaces ${enumerate(names)} are`;
    // No longer than the room that the line below a view has for it.
    return { ...state, message: `${only} read.` };
  }

  #isWhole(namespace: string): boolean {
    const { all, narrowedTo } = this.#scoped;
    // Namespaces that are read one by one, by their names, leave out all others.
    if (!this.#isReady || (isNamespaceKind(this.kind) && narrowedTo !== undefined)) return false;
    const reflector = all.get('') ?? all.get(namespace);
    const status = reflector?.listed === true ? reflector.state.status : undefined;
    return status === 'live' || status === 'polled';
  }
}
