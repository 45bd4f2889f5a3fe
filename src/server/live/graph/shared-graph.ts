import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { covers, type May, type Namespaces } from '../../access/held.ts';
import { isWithin, listPlace } from '../../access/place.ts';
import { isExcluded, type Sight } from '../../access/sight.ts';
import type { Clock } from '../../kit/clock.ts';
import { KindTaps } from '../feed/kind-taps.ts';
import type { Entry } from '../source/projector.ts';
import { type ComposedGraph, composeGraph, type GraphScope } from './compose.ts';
import { createCustomKinds, type CustomKinds, familyOf } from './custom-kinds.ts';
import { graphState } from './graph-state.ts';
import type { GraphSources } from './sources.ts';

/** A graph is composed at most this often, ms. */
export const graphInterval = 250;
/** After composing, at least this many times the duration passes, so that it takes at most a tenth of the time. */
const pausePerDuration = 10;

/** Follows a graph. */
export interface GraphSink {
  /** The graph or its state may have changed. */
  changed(): void;
}

/** Inputs of a shared graph. */
export interface SharedGraphParts {
  readonly live: GraphSources;
  readonly scope: GraphScope;
  /** Of everybody who follows the graph. */
  readonly access: Sight;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whether objects of a kind are drawn in graphs of others. */
const isDrawn = ({ graph }: AnyKind) => graph !== 'none' && graph !== 'place';

/** The kinds that a graph follows from the start: those that are drawn, and the kind of the object that it begins with. */
function initialKinds(live: Pick<GraphSources, 'kinds' | 'kind'>, scope: GraphScope): readonly AnyKind[] {
  if (!('root' in scope)) return live.kinds.filter(isDrawn);
  const root = scope.root.kind;
  const kinds: readonly AnyKind[] = live.kinds.filter((kind) => isDrawn(kind) || kind.id === root.id);
  return live.kind(root.id) === undefined ? [...kinds, root] : kinds;
}

/** The namespaces that a graph leaves out: never the one that it is about. */
function excludedIn(scope: GraphScope, excluded: ReadonlySet<string>): ReadonlySet<string> {
  const own = 'root' in scope ? scope.root.namespace : scope.namespace;
  return new Set([...excluded].filter((name) => name !== own));
}

/** One graph, composed for all people who look at the same until `end`. */
export class SharedGraph {
  readonly #parts: SharedGraphParts;
  /** The kinds of the start that these people may view, and those that they may not. */
  readonly #kinds: readonly AnyKind[];
  readonly #unviewable: readonly AnyKind[];
  readonly #customKinds: CustomKinds;
  readonly #taps: KindTaps;
  readonly #excluded: ReadonlySet<string>;
  readonly #sinks = new Set<GraphSink>();
  #composed: ComposedGraph | undefined;
  #cancelCompose: (() => void) | undefined;
  /** When it may be composed again, epoch ms. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: SharedGraphParts) {
    const { live, scope, access, clock, log } = parts;
    this.#parts = parts;
    this.#excluded = excludedIn(scope, access.excluded);
    const all = initialKinds(live, scope);
    this.#kinds = all.filter((kind) => this.#mayList(kind));
    this.#unviewable = all.filter((kind) => !this.#kinds.includes(kind));
    this.#taps = new KindTaps({
      feed: (kind) => live.feed(kind),
      listener: {
        changed: (entry, previous) => {
          if (this.#concerns(entry) || this.#concerns(previous)) this.#composeSoon();
        },
        settled: () => {
          this.#composeSoon();
          this.#report();
        },
      },
      clock,
    });
    this.#customKinds = createCustomKinds(live, {
      mayList: (kind) => this.#mayList(kind),
      isFollowed: ({ group, plural }) =>
        this.#kinds.some((kind) => kind.group === group && kind.plural === plural),
      changed: () => this.#customKindsChanged(),
      onError: (error) =>
        log.error({ err: error }, 'A custom kind that a graph names could not be looked up'),
    });
    for (const kind of this.#kinds) this.#taps.open(kind);
    if ('root' in scope) this.#customKinds.look(familyOf(scope.root.kind));
    this.#composeSoon();
  }

  /** Undefined until everything that it shows was read once. */
  get composed(): ComposedGraph | undefined {
    return this.#composed;
  }

  get state(): ListState {
    const kinds = {
      kinds: this.#kinds,
      customKinds: this.#customKinds.kinds,
      unviewable: this.#unviewable,
    };
    return graphState(kinds, (kind) => this.#taps.state(kind, this.#seen(kind)), this.#parts.clock.now());
  }

  get isUsed(): boolean {
    return this.#sinks.size > 0;
  }

  /** Follows the graph; the answer ends that. */
  join(sink: GraphSink): () => void {
    this.#sinks.add(sink);
    return () => void this.#sinks.delete(sink);
  }

  /** Lists again what the graph is made of. */
  retry(): void {
    for (const kind of this.#allKinds()) {
      this.#taps.open(kind);
      this.#taps.retry(kind);
    }
  }

  end(): void {
    this.#cancelCompose?.();
    this.#cancelCompose = undefined;
    this.#customKinds.end();
    this.#taps.closeAll();
  }

  /** The namespaces in which these people may view a kind. */
  #seen({ permissions }: AnyKind): Namespaces {
    return this.#parts.access.held.namespacesFor(permissions.view);
  }

  /** Whether these people see any object of a kind. */
  #mayList(kind: AnyKind): boolean {
    return covers(this.#seen(kind), listPlace(kind));
  }

  /** Whether what others name is shown where it is. */
  readonly #mayShow: May = (need, place) => {
    if (typeof place === 'object' && this.#excluded.has(place.namespace)) return false;
    return this.#parts.access.held.may(need, place);
  };

  #allKinds(): readonly AnyKind[] {
    return [...this.#kinds, ...this.#customKinds.kinds];
  }

  /** Whether an object may belong to the graph. */
  #concerns(entry: Entry | undefined): boolean {
    if (entry === undefined) return false;
    const { scope } = this.#parts;
    return !('namespace' in scope) || entry.namespace === '' || entry.namespace === scope.namespace;
  }

  #report(): void {
    for (const sink of this.#sinks) sink.changed();
  }

  #composeSoon(): void {
    const { clock } = this.#parts;
    this.#cancelCompose ??= clock.after(Math.max(0, this.#notBefore - clock.now()), () => this.#compose());
  }

  #compose(): void {
    this.#cancelCompose = undefined;
    // Custom kinds are not waited for: until they are read, their objects are drawn by their names.
    if (!this.#kinds.every((kind) => this.#taps.isSettled(kind))) return;
    const { scope, clock } = this.#parts;
    const from = performance.now();
    const source = {
      kinds: this.#allKinds(),
      entries: (kind: AnyKind) => this.#entries(kind),
      may: this.#mayShow,
    };
    this.#composed = composeGraph(source, scope);
    this.#customKinds.look(this.#composed.unfollowed);
    const duration = performance.now() - from;
    this.#notBefore = clock.now() + Math.max(graphInterval, duration * pausePerDuration);
    this.#report();
  }

  /** The objects of a kind that these people may view and do not leave out. */
  #entries(kind: AnyKind): Iterable<Entry> | undefined {
    const entries = this.#taps.entries(kind);
    const seen = this.#seen(kind);
    if (entries === undefined || (seen === 'all' && this.#excluded.size === 0)) return entries;
    return [...entries].filter(
      (entry) => isWithin(seen, kind, entry) && !isExcluded(this.#excluded, kind, entry),
    );
  }

  #customKindsChanged(): void {
    const kinds = new Set(this.#allKinds());
    this.#taps.closeExcept(kinds);
    for (const kind of kinds) this.#taps.open(kind);
    this.#composeSoon();
  }
}
