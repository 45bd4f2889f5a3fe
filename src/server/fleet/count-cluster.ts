import type { Logger } from 'pino';
import type { FleetKind } from '../../contract/fleet.ts';
import { collectionPath } from '../../kube/change.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import type { Budget } from '../kit/memory-budget.ts';
import { readList } from '../live/source/list.ts';
import { createProjector } from '../live/source/projector.ts';
import { isBad } from '../live/tallies/tallies.ts';
import { TallyCount } from '../live/tallies/tally-count.ts';
import { countObjects } from '../objects/count.ts';
import { readScoped } from '../objects/scoped-read.ts';
import type { StoredTallies } from './tally-store.ts';

/** A kind with more objects than these in one place is not read to be counted. */
const mostCounted = 2_000;

/** Parts of kinds that are read: of pods those that may fail by themselves, of which there are few. */
const selectors: Partial<Record<FleetKind, string>> = {
  pod: 'status.phase!=Running,status.phase!=Succeeded',
};

/** Inputs of a count. */
export interface CountParts {
  readonly name: string;
  readonly transport: Transport;
  /** The namespaces to read one by one where the cluster may not be read as a whole. Throws Problem. */
  readonly namespaces: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Reads some kinds of a cluster once, without a watch, and counts them by namespace. Kinds that may not be read or that
 * the cluster does not have are left out; those that are too many are null. Throws Problem where the cluster does not answer.
 */
export async function countCluster(kinds: readonly Kind[], parts: CountParts): Promise<StoredTallies> {
  const tallies: Record<string, StoredTallies[string]> = {};
  for (const kind of kinds) {
    const count = new TallyCount();
    try {
      await readScoped(
        (namespace) => countInto(count, kind, namespace, parts),
        kind.scope === 'Namespaced' ? parts.namespaces : () => Promise.resolve([]),
      );
      tallies[kind.id] = count.byNamespace;
    } catch (error) {
      if (error instanceof TooMany) tallies[kind.id] = null;
      else if (!isNotGiven(error)) throw error;
    }
  }
  return tallies;
}

class TooMany extends Error {}

/** Whether the cluster does not have a kind, or does not let it be read. */
const isNotGiven = (error: unknown): boolean =>
  error instanceof ClusterProblem && (error.upstream.status === 403 || error.upstream.status === 404);

async function countInto(
  count: TallyCount,
  kind: Kind,
  namespace: string | undefined,
  { name, transport, clock, budget, log, signal }: CountParts,
): Promise<void> {
  const fieldSelector = selectors[kind.id as FleetKind];
  // An API server does not count the objects that a field selects.
  const most = fieldSelector === undefined ? await countObjects(transport, kind, namespace) : 0;
  if (most !== undefined && most > mostCounted) throw new TooMany();
  const { entries } = await readList(
    {
      path: collectionPath(kind, namespace),
      subject: () => ({ cluster: name, kind, namespace }),
      project: createProjector(kind, log, clock),
      clock,
      budget,
    },
    fieldSelector === undefined ? transport : selecting(transport, fieldSelector),
    { held: new Map(), own: () => 0, signal },
  );
  for (const entry of entries.values()) count.add(entry.namespace, isBad(kind, entry), 1);
}

/** The same cluster, asked only for what these fields select. */
const selecting = (transport: Transport, fieldSelector: string): Transport => ({
  clusterId: transport.clusterId,
  credential: transport.credential,
  json: (request) => transport.json({ ...request, query: { ...request.query, fieldSelector } }),
  stream: (request) => transport.stream(request),
  close: () => transport.close(),
});
