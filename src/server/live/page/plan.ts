import type {
  SubscribeDashboard,
  SubscribeGraph,
  SubscribeList,
  SubscribeObject,
  SubscribeTallies,
} from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { parseKindName } from '../../../registry/kinds/resource-key.ts';
import { listPlace, viewPlace } from '../../access/place.ts';
import type { PlacedNeed } from '../../access/held.ts';
import type { Channel } from '../wire/channel.ts';
import { createDashboardChannel } from '../dashboard/channel.ts';
import { createDescribedChannel } from './described-channel.ts';
import { createGraphChannel } from '../graph/channel.ts';
import type { GraphScope } from '../graph/compose.ts';
import { ListChannel } from '../feed/list-channel.ts';
import { NoPlace } from '../source/no-place.ts';
import { ObjectChannel } from '../object/object-channel.ts';
import { createTallyChannel } from '../tallies/tally-channel.ts';
import { sortColumn } from '../feed/view.ts';
import { createWaitingChannel, waitingState } from './waiting-channel.ts';
import type { OpenParts } from './open-parts.ts';

/** A message that asks for a subscription. */
export type SubscribeMessage =
  | SubscribeList
  | SubscribeObject
  | SubscribeDashboard
  | SubscribeTallies
  | SubscribeGraph;

/** What a subscription needs, and how it is opened. */
export interface Plan {
  /** Only that the person reaches the cluster without it. */
  readonly required: PlacedNeed | undefined;
  /** Opens it for a person who has what is needed. Throws Problem. */
  open(parts: OpenParts): Channel;
}

/** Where kinds are found. */
export interface PlanKinds {
  /** A kind that pages know. */
  declared(id: string): AnyKind | undefined;
  /** Any kind by its name, as its cluster has it. The person reaches that cluster. Throws Problem. */
  find(name: string): Promise<AnyKind>;
}

/** Reads what is asked for. Throws Problem 400 or 404 for what no cluster could answer. */
export async function planOf(message: SubscribeMessage, kinds: PlanKinds): Promise<Plan> {
  if ('dashboard' in message) {
    return {
      required: undefined,
      open: ({ post, live, access }) =>
        createDashboardChannel(post, live.board, access, message.withExcluded === true),
    };
  }
  if ('tallies' in message) {
    return {
      required: undefined,
      open: ({ post, live, access }) =>
        createTallyChannel(
          post,
          message.tallies === 'custom' ? live.customTallies : live.tallies,
          access,
          message.namespace,
        ),
    };
  }
  if ('graph' in message) return planGraph(message, kinds);
  const declared = kinds.declared(message.kind);
  if (declared !== undefined) return whenThereIsRoom(planFor(declared, message), message);
  if (parseKindName(message.kind) === undefined) {
    throw new Problem({ status: 404, title: 'This console does not know that kind of resource.' });
  }
  let kind: AnyKind;
  try {
    kind = await kinds.find(message.kind);
  } catch (error) {
    const state = waitingState(error);
    if (state === undefined) throw error;
    return { required: undefined, open: (parts) => createWaitingChannel(parts, waitingFor(message), state) };
  }
  // A page that does not know the kind yet does not know either that it has no namespaces.
  const { namespace, ...everywhere } = message;
  const plan = planFor(kind, namespace === undefined || kind.scope === 'Cluster' ? everywhere : message);
  return whenThereIsRoom(
    {
      required: plan.required,
      open: (parts) => createDescribedChannel(parts, kind, () => plan.open(parts)),
    },
    message,
  );
}

const waitingFor = (message: SubscribeList | SubscribeObject) => ({
  name: message.kind,
  isList: !('name' in message),
});

/** The same plan, which waits while its cluster has as many lists open as this console keeps. */
function whenThereIsRoom(plan: Plan, message: SubscribeList | SubscribeObject): Plan {
  return {
    required: plan.required,
    open(parts) {
      try {
        return plan.open(parts);
      } catch (error) {
        if (!(error instanceof NoPlace)) throw error;
        const state = { status: 'unreachable', message: error.title } as const;
        return createWaitingChannel(parts, waitingFor(message), state);
      }
    },
  };
}

/** A graph shows each person what they may view: of a namespace maybe nothing, of an object at least that. */
async function planGraph({ graph, ...message }: SubscribeGraph, kinds: PlanKinds): Promise<Plan> {
  const withExcluded = message.withExcluded === true;
  if (!('name' in graph)) return graphPlan(undefined, { scope: graph, withExcluded });
  const { namespace = '', name } = graph;
  const known = kinds.declared(graph.kind);
  if (known === undefined && parseKindName(graph.kind) === undefined) {
    throw new Problem({ status: 404, title: 'This console does not know that kind of resource.' });
  }
  const kind = known ?? (await kinds.find(graph.kind));
  if (kind.source !== undefined) {
    throw new Problem({
      status: 400,
      title: `${kind.title} have no graph: the cluster does not serve them.`,
    });
  }
  if (kind.scope === 'Namespaced' && namespace === '') {
    throw new Problem({ status: 400, title: `Choose a namespace: ${kind.title} are namespaced.` });
  }
  // A page that does not know the kind yet does not know either that it has no namespaces.
  const place = kind.scope === 'Cluster' ? '' : namespace;
  const required = { need: kind.permissions.view, place: viewPlace(kind, { namespace: place, name }) };
  return graphPlan(required, { scope: { root: { kind, namespace: place, name } }, withExcluded });
}

const graphPlan = (
  required: PlacedNeed | undefined,
  graph: { readonly scope: GraphScope; readonly withExcluded: boolean },
): Plan => ({
  required,
  open: ({ post, live, access }) => createGraphChannel(post, live.graphs, graph, access),
});

function planFor(kind: AnyKind, message: SubscribeList | SubscribeObject): Plan {
  const need = kind.permissions.view;
  const { namespace } = message;
  if ('name' in message) {
    if ((kind.scope === 'Namespaced') !== (namespace !== undefined)) {
      throw new Problem({
        status: 400,
        title:
          kind.scope === 'Cluster'
            ? `${kind.title} are not namespaced.`
            : `Choose a namespace: ${kind.title} are namespaced.`,
      });
    }
    return {
      required: { need, place: viewPlace(kind, { namespace, name: message.name }) },
      open: ({ post, live, access, clock }) =>
        new ObjectChannel({ post, live, access, clock, kind, message }),
    };
  }
  if (message.sort !== undefined && sortColumn(kind, message.sort) === undefined) {
    throw new Problem({
      status: 400,
      title: `${kind.title} cannot be sorted by “${message.sort}”: there is no such column.`,
    });
  }
  const isOfOne = namespace !== undefined && kind.scope === 'Namespaced';
  return {
    // A list of all namespaces leaves out those in which the person may not view it.
    required: { need, place: isOfOne ? { namespace } : listPlace(kind) },
    open: ({ post, live, access }) => new ListChannel({ post, feed: live.feed(kind), message, access }),
  };
}
