import type { Logger } from 'pino';
import { flushInterval, type ListState } from '../../contract/live.ts';
import { collectionPath } from '../../kube/change.ts';
import type { Kind } from '../../registry/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Clock } from './clock.ts';
import { noun } from './faults.ts';
import { mergeStates } from './feed-state.ts';
import { createProjector, type Entry } from './projector.ts';
import { createReflector, type Reflector } from './reflector.ts';
import { type Batch, type Change, rowText } from './rows.ts';
import { createView, type View, type ViewSpec, viewKey } from './view.ts';

/** How long a feed goes on after its last subscriber, ms. */
export const feedGrace = 60_000;

/** Who hears of a feed. */
export interface Sink {
  /** The list is complete for the first time: send a snapshot. */
  ready(): void;
  changes(batch: Batch): void;
  /** The state may have changed. */
  state(): void;
}

/** A subscription's side of a feed. */
export interface Membership {
  readonly view: View;
  readonly isReady: boolean;
  readonly state: ListState;
  leave(): void;
}

export interface FeedOptions {
  readonly kind: Kind;
  readonly cluster: ClusterRow;
  readonly transport: () => Promise<Transport>;
  /** Whether the cluster may have one more reflector. */
  readonly hasPlace: () => boolean;
  readonly onDisposed: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The rows of one kind in one cluster, shared by everyone who may view them. */
export interface Feed {
  readonly kind: Kind;
  readonly clusterId: number;
  readonly stats: { readonly reflectors: number; readonly objects: number };
  join(spec: ViewSpec, sink: Sink): Membership;
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
  const project = createProjector(kind, options.log);
  /** By namespace; the empty name is the whole cluster, and then the only one. */
  const reflectors = new Map<string, Reflector>();
  const views = new Map<string, { readonly view: View; readonly sinks: Set<Sink> }>();
  const pending = new Map<string, Change>();
  let skipped: string[] = [];
  let cluster = options.cluster;
  let credential: string | undefined;
  let isReady = false;
  let isDisposed = false;
  let cancelFlush: (() => void) | undefined;
  let cancelGrace: (() => void) | undefined;

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

  function flush(): void {
    cancelFlush = undefined;
    const texts = new Map<Entry, string>();
    const text = (entry: Entry) => {
      const known = texts.get(entry) ?? rowText(entry);
      texts.set(entry, known);
      return known;
    };
    for (const { view, sinks } of views.values()) {
      const batch = view.flush(pending, text);
      if (batch !== undefined) for (const sink of sinks) sink.changes(batch);
    }
    pending.clear();
  }

  function change(uid: string, entry: Entry | undefined, previous: Entry | undefined): void {
    const last = entry ?? previous;
    // Before the first complete list nobody has rows that could change.
    if (!isReady || last === undefined) return;
    pending.set(uid, { entry: last, gone: entry === undefined });
    cancelFlush ??= clock.after(flushInterval, flush);
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
    for (const { sinks } of views.values()) {
      for (const sink of sinks) {
        if (becomesReady) sink.ready();
        sink.state();
      }
    }
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
        clock,
        log: options.log,
        held,
        onChange: change,
        onState: update,
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
    cancelFlush?.();
    cancelGrace?.();
    shut();
    views.clear();
    pending.clear();
    options.onDisposed();
  }

  open('', undefined);
  cancelGrace = clock.after(feedGrace, dispose);

  return {
    kind,
    clusterId: cluster.id,
    get stats() {
      let objects = 0;
      for (const reflector of reflectors.values()) objects += reflector.entries.size;
      return { reflectors: reflectors.size, objects };
    },
    join(spec, sink) {
      cancelGrace?.();
      cancelGrace = undefined;
      const key = viewKey(spec);
      const known = views.get(key) ?? { view: createView(spec, kind, source), sinks: new Set<Sink>() };
      views.set(key, known);
      known.sinks.add(sink);
      return {
        view: known.view,
        get isReady() {
          return isReady;
        },
        get state() {
          return stateOf(spec.namespace);
        },
        leave() {
          known.sinks.delete(sink);
          if (known.sinks.size === 0 && views.get(key) === known) views.delete(key);
          if (views.size === 0 && !isDisposed) cancelGrace ??= clock.after(feedGrace, dispose);
        },
      };
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
    },
    trim() {
      for (const { view } of views.values()) view.trim();
    },
    dispose,
  };
}
