import type { Logger } from 'pino';
import { Problem } from '../../../contract/problem.ts';
import type { JoinName } from '../../../registry/kinds/kind-action.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../../clusters/transport.ts';
import { countObjects } from '../../objects/count.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Budget } from '../../kit/memory-budget.ts';
import { createCustomKinds, type CustomKinds } from '../definitions/custom-kinds.ts';
import { type Board, createBoard } from '../dashboard/board.ts';
import type { TroubleStore } from '../dashboard/trouble-memory.ts';
import { createDefinedKinds, type DefinedKinds } from '../definitions/defined-kinds.ts';
import { createDefinitions, type Definitions } from '../definitions/definitions.ts';
import type { Feed } from '../feed/feed.ts';
import { createGraphs, type Graphs } from '../graph/graphs.ts';
import type { Join, Joins } from '../feed/join.ts';
import { createTallies, fixedKinds, type Tallies, talliedKinds } from '../tallies/tallies.ts';
import { createMetrics, type MetricsJoin } from '../joins/metrics.ts';
import { createPodsOfNode } from '../joins/pods-of-node.ts';
import { createScaledBy } from '../joins/scaled-by.ts';
import { UsageRecorder } from '../joins/usage-recorder.ts';
import { NameConflicts } from '../definitions/name-conflicts.ts';
import type { Pulse } from '../source/pulse.ts';

/** How long counts use one way to the cluster, ms. */
const transportKept = 5_000;

/** Live data of one cluster, shared by everybody who looks at it. Authorise before: nothing here checks permissions. */
export interface ClusterLive {
  /** The rows of a kind. Throws NoPlace when the cluster has too many lists open. */
  feed(kind: AnyKind): Feed;
  /** The same of a kind that is watched for no person in particular: gives way to what people open. Throws NoPlace. */
  feedAhead(kind: AnyKind): Feed;
  /** The names of the cluster's definitions. Throws NoPlace. */
  definitionNames(): Feed;
  /** The kind with this id, if the console has it. */
  kind(id: string): Kind | undefined;
  readonly kinds: readonly Kind[];
  readonly join: Joins;
  metrics(kind: AnyKind): MetricsJoin;
  readonly definitions: Definitions;
  /** Whether the cluster answers. */
  readonly pulse: Pulse;
  /** Reads and follows every custom kind of the cluster, until the answer is disposed. */
  definedKinds(onChange: () => void): DefinedKinds;
  /** Any kind by its name, as the cluster has it. Throws Problem. */
  readonly find: (name: string) => Promise<AnyKind>;
  /** The custom kinds whose objects may be in trouble. */
  readonly customKinds: CustomKinds;
  readonly board: Board;
  readonly graphs: Graphs;
  /** Of the kinds of the sidebar. */
  readonly tallies: Tallies;
  /** Of the cluster's custom kinds. */
  readonly customTallies: Tallies;
  /** Ends what goes on without anybody who looks. */
  dispose(): void;
}

/** The sources of views over the whole cluster. */
type LiveSources = Omit<ClusterLive, 'board' | 'graphs' | 'tallies' | 'customTallies' | 'dispose'>;

export interface ClusterLiveOptions {
  readonly kinds: readonly Kind[];
  readonly feed: (kind: AnyKind) => Feed;
  readonly feedAhead: (kind: AnyKind) => Feed;
  /** How many objects of a kind are watched. */
  readonly held: (kind: AnyKind) => number;
  /** The names of the definitions of the cluster. */
  readonly definitionNames: () => Feed;
  /** The kind of this name, as the cluster was found to have it a moment ago. */
  readonly find: (name: string) => Promise<AnyKind>;
  /** The same, as the cluster has it now. */
  readonly refresh: (name: string) => Promise<AnyKind>;
  readonly log: Logger;
  readonly pulse: Pulse;
  /** Name of the cluster. */
  readonly name: () => string;
  readonly transport: () => Promise<Transport>;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Of the samples of usage of all clusters. */
  readonly budget: Budget;
  /** Where troubles are remembered for all servers. */
  readonly troubles?: TroubleStore | undefined;
}

/** Nothing is read before somebody looks. */
export function createClusterLive(options: ClusterLiveOptions): ClusterLive {
  const { kinds, feed, feedAhead, name, transport, namespaces, clock, budget, log } = options;
  const joins = new Map<string, Join>();
  const metrics = new Map<string, MetricsJoin>();

  function kindOf(id: string): Kind | undefined {
    return kinds.find((kind) => kind.id === id);
  }

  function feedOf(id: string): Feed {
    const kind = kindOf(id);
    if (kind === undefined) throw new Problem({ status: 404, title: `This console has no kind ${id}.` });
    return feed(kind);
  }

  function metricsOf(kind: AnyKind): MetricsJoin {
    const known =
      metrics.get(kind.id) ?? createMetrics({ kind, cluster: name, transport, namespaces, clock, budget });
    metrics.set(kind.id, known);
    return known;
  }

  function create(join: JoinName, kind: AnyKind): Join {
    switch (join) {
      case 'podsOfNode':
        return createPodsOfNode(() => feedOf('pod'));
      case 'scaledBy':
        return createScaledBy(kind, feed);
      case 'metrics':
        return metricsOf(kind);
      default: {
        const unknown: never = join;
        return unknown;
      }
    }
  }

  const definedBy = { names: options.definitionNames, transport, clock, log };
  const definedKinds = (onChange: () => void) => createDefinedKinds({ ...definedBy, onChange });
  const conflicts = new NameConflicts({ clock, log });
  /** The way to the cluster of the last count: to find it takes a query, and kinds are counted by hundreds. */
  let counting: { readonly transport: Promise<Transport>; readonly until: number } | undefined;

  /** Where the whole cluster may not be counted, its namespaces that are read one by one. */
  async function count(kind: AnyKind): Promise<number | undefined> {
    if (counting === undefined || counting.until < clock.now())
      counting = { transport: transport(), until: clock.now() + transportKept };
    const cluster = await counting.transport;
    try {
      return await countObjects(cluster, kind);
    } catch (error) {
      const isDenied = error instanceof ClusterProblem && error.upstream.status === 403;
      const names = isDenied && kind.scope === 'Namespaced' ? await namespaces() : [];
      if (names.length === 0) throw error;
      return await countWithin(names, (one) => countObjects(cluster, kind, one));
    }
  }

  const live: LiveSources = {
    feed,
    feedAhead,
    definitionNames: options.definitionNames,
    kind: kindOf,
    kinds,
    metrics: metricsOf,
    pulse: options.pulse,
    find: options.find,
    definitions: createDefinitions({ names: options.definitionNames, refresh: options.refresh, log }),
    definedKinds,
    customKinds: createCustomKinds(
      {
        read: (onChange) => createDefinedKinds({ ...definedBy, conflicts, onChange }),
        count,
        held: options.held,
      },
      clock,
    ),
    join(join, kind) {
      const key = `${join} ${kind.id}`;
      const known = joins.get(key) ?? create(join, kind);
      joins.set(key, known);
      return known;
    },
  };
  const measured = (id: string) => {
    const kind = kindOf(id);
    return kind === undefined ? undefined : metricsOf(kind);
  };
  const recorder = new UsageRecorder({
    pulse: options.pulse,
    nodes: measured('node'),
    pods: measured('pod'),
    clock,
  });
  return {
    ...live,
    dispose() {
      recorder.dispose();
      options.pulse.dispose();
    },
    board: createBoard(live, { clock, log, troubles: options.troubles }),
    graphs: createGraphs(live, clock, log),
    tallies: createTallies(live, fixedKinds(talliedKinds(kinds)), clock),
    customTallies: createTallies({ feed: feedAhead }, live.customKinds, clock),
  };
}

/**
 * About how many objects the namespaces have that may be read: those of the first one that has any, since what matters is
 * whether there are some. Throws the refusal where none of them may be read.
 */
async function countWithin(
  namespaces: readonly string[],
  count: (namespace: string) => Promise<number | undefined>,
): Promise<number> {
  let refusal: ClusterProblem | undefined;
  let isRead = false;
  for (const one of namespaces) {
    try {
      const found = (await count(one)) ?? 1;
      if (found > 0) return found;
      isRead = true;
    } catch (error) {
      if (!(error instanceof ClusterProblem) || error.upstream.status !== 403) throw error;
      refusal = error;
    }
  }
  if (isRead || refusal === undefined) return 0;
  throw refusal;
}
