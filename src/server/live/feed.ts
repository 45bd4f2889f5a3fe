import type { Logger } from 'pino';
import type { ListState } from '../../contract/live.ts';
import { collectionPath } from '../../kube/change.ts';
import type { AnyKind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { ClusterRow } from '../store/schema.ts';
import { createAudience, type Membership, type Tap, type Tapped } from './audience.ts';
import type { Clock } from './clock.ts';
import { createFanOut, type Sink } from './fan-out.ts';
import { noun } from './faults.ts';
import { mergeStates } from './feed-state.ts';
import type { Joins } from './joins/join.ts';
import { createObjectWatches, type ObjectMembership, type ObjectSink } from './object-watch.ts';
import { createProjector, type Entry, entryAt } from './projector.ts';
import { createReflector, type Reflector } from './reflector.ts';
import type { ViewSpec } from './view.ts';
import type { Budget } from './weight.ts';

export interface FeedOptions {
  readonly kind: AnyKind;
  readonly cluster: ClusterRow;
  readonly transport: () => Promise<Transport>;
  readonly joins: Joins;
  /** Whether the cluster may have one more reflector. */
  readonly hasPlace: () => boolean;
  readonly onDisposed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
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
  /** By namespace; the empty name is the whole cluster, and then the only one. */
  const reflectors = new Map<string, Reflector>();
  let skipped: string[] = [];
  let cluster = options.cluster;
  let credential: string | undefined;
  let isReady = false;
  let isDisposed = false;

  const source = {
    *entries(): Iterable<Entry> {
      for (const reflector of reflectors.values()) yield* reflector.entries.values();
    },
    find(uid: string): Entry | undefined {
      for (const reflector of reflectors.values()) {
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
      for (const reflector of reflectors.values()) reflector.take();
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
    const whole = reflectors.get('');
    if (whole !== undefined) return whole.state;
    const one = namespace === undefined ? undefined : reflectors.get(namespace);
    if (one !== undefined) return one.state;
    const merged = mergeStates(
      new Map([...reflectors].map(([name, reflector]) => [name, reflector.state])),
      skipped,
    );
    const fallback: ListState = { status: 'loading', since: new Date(clock.now()).toISOString() };
    if (namespace === undefined) return merged ?? fallback;
    return {
      status: 'forbidden',
      since: (merged ?? fallback).since,
      message: `This console's credential may not list ${noun(kind)} of ${cluster.name} as a whole, and namespace “${namespace}” is not among those named for it.`,
    };
  }

  function update(): void {
    const all = [...reflectors.values()];
    const settled = all.every(
      ({ listed, state }) => listed || state.status === 'forbidden' || state.status === 'absent',
    );
    const becomesReady = !isReady && settled && all.some(({ listed }) => listed);
    isReady ||= becomesReady;
    audience.settled(becomesReady);
    objects.settled();
  }

  function open(namespace: string, held: ReadonlyMap<string, Entry> | undefined): void {
    const scope = namespace === '' ? undefined : namespace;
    reflectors.set(
      namespace,
      createReflector({
        path: collectionPath(kind, scope),
        subject: () => ({ cluster: cluster.name, kind, namespace: scope }),
        transport: async () => {
          const transport = await options.transport();
          credential = transport.credential;
          return transport;
        },
        project,
        advance: (entry, now) => entryAt(kind, entry, now),
        clock,
        log: options.log,
        budget: options.budget,
        held,
        onChange: change,
        onState: update,
        onWaiting: () => fanOut.expect(),
        ...(scope === undefined ? { onDenied: narrow } : {}),
      }),
    );
  }

  /** Ends every reflector; gives back what they held, if any of them had a complete list. */
  function shut(): Map<string, Entry> | undefined {
    const held = isReady ? new Map([...source.entries()].map((entry) => [entry.uid, entry])) : undefined;
    for (const reflector of reflectors.values()) reflector.dispose();
    reflectors.clear();
    return held;
  }

  /** The whole cluster may not be listed: read the namespaces that are named for it instead. */
  function narrow(): boolean {
    const namespaces = new Set(cluster.namespaces);
    if (kind.scope !== 'Namespaced' || namespaces.size === 0) return false;
    const held = shut();
    skipped = [];
    for (const namespace of namespaces) {
      if (!options.hasPlace()) {
        skipped.push(namespace);
        continue;
      }
      const own = [...(held ?? [])].filter(([, entry]) => entry.namespace === namespace);
      open(namespace, held === undefined ? undefined : new Map(own));
    }
    for (const [uid, entry] of held ?? [])
      if (!reflectors.has(entry.namespace)) change(uid, undefined, entry);
    update();
    return true;
  }

  /** Begins with the whole cluster again. */
  function widen(): void {
    const whole = reflectors.get('');
    if (whole !== undefined) {
      whole.restart();
      return;
    }
    const held = shut();
    open('', held);
    update();
  }

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    shut();
    audience.dispose();
    objects.dispose();
    options.onDisposed();
  }

  open('', undefined);

  return {
    kind,
    clusterId: cluster.id,
    get stats() {
      let objects = 0;
      for (const reflector of reflectors.values()) objects += reflector.entries.size;
      return { reflectors: reflectors.size, objects };
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
      if (changed && (!reflectors.has('') || reflectors.get('')?.state.status === 'forbidden')) widen();
    },
    use(next) {
      if (credential !== undefined && credential !== next) widen();
    },
    retry() {
      for (const reflector of reflectors.values()) reflector.retry();
      objects.retry();
    },
    trim() {
      fanOut.trim();
    },
    dispose,
  };
}
