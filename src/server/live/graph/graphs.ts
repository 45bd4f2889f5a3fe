import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import { sightKey } from '../../access/sight.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Access } from '../wire/access.ts';
import type { ComposedGraph, GraphRoot, GraphScope } from './compose.ts';
import { type GraphSink, SharedGraph } from './shared-graph.ts';
import type { GraphSources } from './sources.ts';

/** A follower's side of a graph. */
export interface GraphMembership {
  /** Undefined until everything that it shows was read once. */
  readonly graph: ComposedGraph | undefined;
  readonly state: ListState;
  retry(): void;
  leave(): void;
}

/** The graphs of one cluster: each composed once for all people who look at the same, while anybody does. */
export interface Graphs {
  join(scope: GraphScope, access: Access, sink: GraphSink): GraphMembership;
}

/** Reads nothing before somebody looks. */
export function createGraphs(live: GraphSources, clock: Clock, log: Logger): Graphs {
  const open = new Map<string, SharedGraph>();
  return {
    join(scope, access, sink) {
      const key = JSON.stringify(['root' in scope ? rootKey(scope.root) : scope.namespace, sightKey(access)]);
      let graph = open.get(key);
      if (graph === undefined) {
        graph = new SharedGraph({ live, scope, access, clock, log });
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

const rootKey = ({ kind, namespace, name }: GraphRoot) => [kind.id, kind.fingerprint, namespace, name];
