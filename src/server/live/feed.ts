import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { ClusterRow } from '../store/schema.ts';
import { createAudience, type Membership, type Tap, type Tapped } from './audience.ts';
import type { Clock } from '../kit/clock.ts';
import { createFanOut, type Sink } from './fan-out.ts';
import { noun } from './faults.ts';
import { enumerate, mergeStates } from './feed-state.ts';
import type { Joins } from './joins/join.ts';
import { isNamespaceKind } from './named-namespaces.ts';
import type { ObjectMembership, ObjectSink } from './object-watch.ts';
import { createObjectWatches } from './object-watches.ts';
import { createProjector, type Entry, entryAt } from './projector.ts';
import type { Pulse } from './pulse.ts';
import { createScopedReflectors } from './scoped-reflectors.ts';
import type { ViewSpec } from './view.ts';
import type { Budget } from './weight.ts';

export interface FeedOptions {
  readonly kind: AnyKind;
  readonly cluster: ClusterRow;
  readonly transport: () => Promise<Transport>;
  readonly joins: Joins;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  /** Whether the cluster may have one more reflector. */
  readonly hasPlace: () => boolean;
  readonly onDisposed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the cluster answers. */
  readonly pulse: Pulse;
  /** Shared by all lists of the server. */
  readonly budget: Budget;
}

/** The rows of one kind in one cluster, shared by everyone who may view them. */
export interface Feed {
  readonly kind: AnyKind;
  readonly clusterId: number;
  readonly stats: { readonly reflectors: number; readonly objects: number };
  /** Throws Problem 400 for a label selector that cannot be read. */
  join(spec: ViewSpec, sink: Sink): Membership;
  tap(listener: Tap): Tapped;
  /** What is held of an object at the moment; keeps nothing going. */
  find(uid: string): Entry | undefined;
  /** Follows one object. The namespace is empty for objects of the cluster. */
  open(namespace: string, name: string, sink: ObjectSink): ObjectMembership;
  /** What is now stored of the cluster; lists again when its namespaces changed. */
  update(cluster: ClusterRow): void;
  /** Lists again unless this credential is the one in use. */
  use(credential: string): void;
  retry(): void;
  /** Frees what is only kept for speed. */
  trim(): void;
  dispose(): void;
}

/** Starts a feed. It stops a while after its last subscriber, or when nobody comes. */
export function createFeed(options: FeedOptions): Feed {
  const { clock, kind } = options;
  const projector = createProjector(kind, options.log, clock);
  let cluster = options.cluster;
  let credential: string | undefined;
  let isReady = false;
  let isDisposed = false;

  const source = {
    *entries(): Iterable<Entry> {
      for (const reflector of scoped.all.values()) yield* reflector.entries.values();
    },
    find(uid: string): Entry | undefined {
      for (const reflector of scoped.all.values()) {
        const entry = reflector.entries.get(uid);
        if (entry !== undefined) return entry;
      }
      return undefined;
    },
  };

  const fanOut = createFanOut({
    kind,
    source,
    joins: options.joins,
    take() {
      for (const reflector of scoped.all.values()) reflector.take();
    },
    clock,
    log: options.log,
  });
  const objects = createObjectWatches({
    kind,
    cluster: () => cluster.name,
    transport: options.transport,
    find: (namespace, name) => {
      for (const entry of source.entries())
        if (entry.name === name && entry.namespace === namespace) return entry;
      return undefined;
    },
    isReady: () => isReady,
    state: stateOf,
    onClosed: () => audience.leaveIfUnused(),
    clock,
    log: options.log,
  });
  const audience = createAudience({
    fanOut,
    source,
    isReady: () => isReady,
    stateOf,
    isWhole,
    hasOpen: () => objects.size > 0,
    onUnused: dispose,
    clock,
  });

  const project: typeof projector = (object, previous) => {
    objects.offer(object);
    return projector(object, previous);
  };

  function change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void {
    if (entry === undefined && previous !== undefined) objects.dropped(previous);
    audience.change(uid, entry, previous);
  }

  function stateOf(namespace: string | undefined): ListState {
    const { all, narrowedTo, skipped } = scoped;
    const one = all.get('') ?? (namespace === undefined ? undefined : all.get(namespace));
    if (one !== undefined) return narrowedTo === undefined || !all.has('') ? one.state : saying(one.state);
    const states = new Map([...all].map(([name, reflector]) => [name, reflector.state]));
    const merged = mergeStates(states, skipped) ?? {
      status: 'loading',
      since: new Date(clock.now()).toISOString(),
    };
    if (namespace === undefined) return saying(merged);
    return {
      status: 'forbidden',
      since: merged.since,
      message: `This console's credential may not list ${noun(kind)} of ${cluster.name} as a whole, and namespace “${namespace}” is not among those it reads there. An Owner can name it under Cluster rules.`,
    };
  }

  function isWhole(namespace: string): boolean {
    // Namespaces that are read one by one, by their names, leave out all others.
    if (!isReady || (isNamespaceKind(kind) && scoped.narrowedTo !== undefined)) return false;
    const reflector = scoped.all.get('') ?? scoped.all.get(namespace);
    const status = reflector?.listed === true ? reflector.state.status : undefined;
    return status === 'live' || status === 'polled';
  }

  /** A state that says which namespaces are read, where it has nothing more urgent to say. */
  function saying(state: ListState): ListState {
    const names = scoped.narrowedTo;
    // Namespaces that are read by name have no watch: that is no fault of the credential.
    const isHealthy =
      state.status === 'live'
        ? state.message === undefined
        : state.status === 'polled' && isNamespaceKind(kind);
    if (!isHealthy || names === undefined) return state;
    const only =
      names.length === 1
        ? `Only namespace ${enumerate(names)} is`
        : `Only the namespaces ${enumerate(names)} are`;
    return {
      ...state,
      message: `${only} read: this console's credential may not list ${noun(kind)} of the whole cluster.`,
    };
  }

  function update(): void {
    const all = [...scoped.all.values()];
    const settled = all.every(
      ({ listed, state }) => listed || state.status === 'forbidden' || state.status === 'absent',
    );
    const becomesReady = !isReady && settled && all.some(({ listed }) => listed);
    isReady ||= becomesReady;
    audience.settled(becomesReady);
    objects.settled();
  }

  const scoped = createScopedReflectors({
    kind,
    cluster: () => cluster.name,
    transport: async () => {
      const transport = await options.transport();
      credential = transport.credential;
      return transport;
    },
    namespaces: options.namespaces,
    hasPlace: options.hasPlace,
    held: () => (isReady ? new Map([...source.entries()].map((entry) => [entry.uid, entry])) : undefined),
    project,
    advance: (entry, now) => entryAt(kind, entry, now),
    clock,
    log: options.log,
    pulse: options.pulse,
    budget: options.budget,
    onChange: change,
    onState: update,
    onWaiting: () => fanOut.expect(),
  });

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    scoped.dispose();
    audience.dispose();
    objects.dispose();
    options.onDisposed();
  }

  return {
    kind,
    clusterId: cluster.id,
    get stats() {
      let objects = 0;
      for (const reflector of scoped.all.values()) objects += reflector.entries.size;
      return { reflectors: scoped.all.size, objects };
    },
    join: audience.join,
    tap: audience.tap,
    find: (uid) => source.find(uid),
    open(namespace, name, sink) {
      audience.keep();
      return objects.open(namespace, name, sink);
    },
    update(next) {
      const changed = next.namespaces.join(' ') !== cluster.namespaces.join(' ');
      cluster = next;
      const isLimited = scoped.narrowedTo !== undefined || scoped.all.get('')?.state.status === 'forbidden';
      if (changed && isLimited) scoped.widen();
    },
    use(next) {
      if (credential !== undefined && credential !== next) scoped.widen();
    },
    retry() {
      for (const reflector of scoped.all.values()) reflector.retry();
      objects.retry();
    },
    trim() {
      fanOut.trim();
    },
    dispose,
  };
}
