import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import type { Need, Permission } from '../../../contract/permissions.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { type Access, satisfies } from '../access.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LiveSources } from '../cluster.ts';
import { mergeStates } from '../feed-state.ts';
import type { Tap, Tapped } from '../audience.ts';
import type { Entry } from '../projector.ts';
import { createCustomKinds, familyOf } from './custom-kinds.ts';
import { type ComposedGraph, composeGraph, type GraphScope } from './compose.ts';

/** A graph is composed at most this often, ms; one that takes long, so seldom that it takes a tenth of the time. */
export const graphInterval = 250;
const restPerWork = 10;

/** Whether objects of a kind are drawn in graphs of others. */
const isDrawn = ({ graph }: AnyKind) => graph !== 'none' && graph !== 'place';

/** Whom a graph is told to. */
export interface GraphSink {
  /** The graph or how fresh it is may be another. */
  changed(): void;
}

/** One look at a graph. */
export interface GraphMembership {
  /** Undefined until everything that it shows was read once. */
  readonly graph: ComposedGraph | undefined;
  readonly state: ListState;
  retry(): void;
  leave(): void;
}

/** The graphs of one cluster: each composed once for all people with the same permissions, while anybody looks. */
export interface Graphs {
  join(scope: GraphScope, access: Access, sink: GraphSink): GraphMembership;
}

/** Makes the graphs of a cluster; nothing is read before somebody looks. */
export function createGraphs(live: LiveSources, clock: Clock, log: Logger): Graphs {
  const open = new Map<string, ReturnType<typeof createGraph>>();
  return {
    join(scope, access, sink) {
      const held = access.isOwner ? ['owner'] : [...access.held].sort();
      const key = JSON.stringify(['root' in scope ? rootText(scope.root) : scope.namespace, held]);
      let graph = open.get(key);
      if (graph === undefined) {
        graph = createGraph(live, scope, access, clock, log);
        open.set(key, graph);
      }
      const joined = graph;
      const leave = joined.join(sink);
      return {
        get graph() {
          return joined.composed;
        },
        get state() {
          return joined.state;
        },
        retry: () => joined.retry(),
        leave() {
          leave();
          if (joined.isUsed || open.get(key) !== joined) return;
          open.delete(key);
          joined.end();
        },
      };
    },
  };
}

const rootText = ({ kind, namespace, name }: Extract<GraphScope, { root: unknown }>['root']) => [
  kind.id,
  kind.fingerprint,
  namespace,
  name,
];

interface Opened {
  readonly tap: Tapped;
  readonly retry: () => void;
}

function createGraph(
  live: LiveSources,
  scope: GraphScope,
  { held, isOwner }: { readonly held: ReadonlySet<Permission>; readonly isOwner: boolean },
  clock: Clock,
  log: Logger,
) {
  const may = (need: Need) => (need === 'owner' ? isOwner : satisfies(held, need));
  const followed: readonly AnyKind[] = live.kinds.filter(
    (kind) => isDrawn(kind) || ('root' in scope && scope.root.kind.id === kind.id),
  );
  const all =
    'root' in scope && !followed.includes(scope.root.kind) && live.kind(scope.root.kind.id) === undefined
      ? [...followed, scope.root.kind]
      : followed;
  const kinds = all.filter(({ permissions }) => may(permissions.view));
  const hidden = all.filter((kind) => !kinds.includes(kind));
  const sinks = new Set<GraphSink>();
  const taps = new Map<AnyKind, Opened>();
  const refused = new Map<AnyKind, ListState>();
  let composed: ComposedGraph | undefined;
  let cancelNext: (() => void) | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;

  const tell = () => {
    for (const sink of sinks) sink.changed();
  };
  const isShut = ({ status }: ListState) =>
    status === 'forbidden' || status === 'absent' || status === 'unreachable';
  const isSettled = (kind: AnyKind) => {
    const tap = taps.get(kind)?.tap;
    return tap === undefined || tap.isReady || isShut(tap.state);
  };
  const place = 'namespace' in scope ? scope.namespace : undefined;
  const concerns = (entry: Entry | undefined) =>
    entry !== undefined && (place === undefined || entry.namespace === '' || entry.namespace === place);

  const listener: Tap = {
    changed(entry, previous) {
      if (concerns(entry) || concerns(previous)) soon();
    },
    settled() {
      soon();
      tell();
    },
  };

  function soon(): void {
    cancelNext ??= clock.after(Math.max(0, notBefore - clock.now()), compose);
  }

  /** Kinds that objects name come and go; they hold nothing up, as what they have is drawn by its name until then. */
  const isFollowed = ({ group, plural }: AnyKind) =>
    kinds.some((kind) => kind.group === group && kind.plural === plural);
  const follow = () => {
    const now = new Set([...kinds, ...custom.kinds]);
    for (const [kind, { tap }] of taps) {
      if (now.has(kind)) continue;
      tap.leave();
      taps.delete(kind);
    }
    for (const kind of now) openKind(kind);
    soon();
  };
  const custom = createCustomKinds(live, {
    may,
    isFollowed,
    changed: follow,
    onError: (error) => log.error({ err: error }, 'A custom kind that a graph names could not be looked up'),
  });

  function compose(): void {
    cancelNext = undefined;
    if (!kinds.every(isSettled)) return;
    const from = performance.now();
    composed = composeGraph(
      {
        kinds: [...kinds, ...custom.kinds],
        entries(kind) {
          const tap = taps.get(kind)?.tap;
          return tap?.isReady === true ? tap.entries() : undefined;
        },
        may,
      },
      scope,
    );
    custom.look(composed.unfollowed);
    const cost = performance.now() - from;
    notBefore = clock.now() + Math.max(graphInterval, cost * restPerWork);
    tell();
  }

  function openKind(kind: AnyKind): void {
    if (taps.has(kind)) return;
    try {
      const feed = live.feed(kind);
      taps.set(kind, { tap: feed.tap(listener), retry: () => feed.retry() });
      refused.delete(kind);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const since = new Date(clock.now()).toISOString();
      refused.set(kind, { status: 'unreachable', since, message: error.title });
    }
  }

  function stateNow(): ListState {
    const states = new Map<string, ListState>();
    for (const kind of kinds) {
      const state = taps.get(kind)?.tap.state ?? refused.get(kind);
      // What a cluster does not serve, it has none of.
      if (state !== undefined && state.status !== 'absent') states.set(kind.title, state);
    }
    for (const kind of custom.kinds) {
      const state = taps.get(kind)?.tap.state ?? refused.get(kind);
      if (state !== undefined && state.status !== 'absent' && state.status !== 'loading')
        states.set(kind.title, state);
    }
    const merged = mergeStates(states) ?? { status: 'live', since: new Date(clock.now()).toISOString() };
    const said = merged.message ?? [...states.values()].find(({ message }) => message !== undefined)?.message;
    const titles = hidden.map(({ title }) => title);
    const unseen =
      titles.length === 0 ? undefined : `Not shown because you may not view them: ${titles.join(', ')}.`;
    const message = [unseen, said].filter((one) => one !== undefined).join(' ');
    return message === '' ? merged : { ...merged, message };
  }

  for (const kind of kinds) openKind(kind);
  if ('root' in scope) custom.look(familyOf(scope.root.kind));
  soon();

  return {
    get composed() {
      return composed;
    },
    get state() {
      return stateNow();
    },
    get isUsed() {
      return sinks.size > 0;
    },
    join(sink: GraphSink) {
      sinks.add(sink);
      return () => void sinks.delete(sink);
    },
    retry() {
      for (const kind of [...kinds, ...custom.kinds]) {
        openKind(kind);
        taps.get(kind)?.retry();
      }
    },
    end() {
      cancelNext?.();
      cancelNext = undefined;
      custom.end();
      for (const { tap } of taps.values()) tap.leave();
      taps.clear();
    },
  };
}
