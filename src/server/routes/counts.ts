import { kinds } from '../../../commands/kinds/index.ts';
import type { countEndpoints } from '../../contract/counts.ts';
import { Problem } from '../../contract/problem.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { satisfies } from '../live/access.ts';
import { isNamespaceKind } from '../live/named-namespaces.ts';
import { countObjects } from '../objects/count.ts';
import { readScoped } from '../objects/scoped-read.ts';
import type { Services } from '../http/services.ts';

/** Counts are believed this long, ms: the sidebar is no place for more. */
const believedMs = 60_000;

/**
 * The kinds of the sidebar. Kinds without an end (events) are not counted, and releases are counted by their Secrets.
 */
const countedKinds = kinds.filter(
  ({ sidebar, window, source }) => sidebar !== undefined && window === undefined && source === undefined,
);

type Counts = ReadonlyMap<string, number>;

/** Counts for the sidebar: a request a kind and minute for everybody, one after the other, while anybody asks. */
export function countHandlers(
  { clusters, grants }: Pick<Services, 'clusters' | 'grants'>,
  now: () => number,
): Handlers<typeof countEndpoints> {
  /** By credential: what is being counted, or was within the minute. */
  const known = new Map<string, { readonly until: number; readonly counts: Promise<Counts> }>();

  function countsOf(transport: Transport, clusterId: number): Promise<Counts> {
    const key = `${transport.clusterId} ${transport.credential}`;
    const found = known.get(key);
    if (found !== undefined && found.until > now()) return found.counts;
    for (const [one, { until }] of known) if (until <= now()) known.delete(one);
    // Not ended with the caller: others may wait for the same.
    const counts = countAll(transport, () => clusters.namespaces(clusterId));
    known.set(key, { until: now() + believedMs, counts });
    counts.catch(() => known.delete(key));
    return counts;
  }

  return {
    async counts(_, { person, cluster }) {
      const counts = await countsOf(await clusters.transport(cluster.id), cluster.id);
      // Counting takes a while, in which permissions may be withdrawn.
      const held = await grants.permissions(person, cluster.id);
      const seen = countedKinds.filter(({ permissions }) => satisfies(held, permissions.view));
      return {
        counts: Object.fromEntries(
          seen.flatMap(({ id }) => {
            const count = counts.get(id);
            return count === undefined ? [] : [[id, count] as const];
          }),
        ),
      };
    },
  };
}

/** Counts one kind after the other, as far as the cluster answers: the pages of the others say why it does not. */
async function countAll(transport: Transport, namespaces: () => Promise<readonly string[]>): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const kind of countedKinds) {
    try {
      const isNamespaces = isNamespaceKind(kind);
      const found = await readScoped(
        (namespace) =>
          // If namespaces may not be listed, each namespace that is read by name counts as one.
          isNamespaces && namespace !== undefined
            ? Promise.resolve(1)
            : countObjects(transport, kind, namespace),
        // Other objects of the cluster cannot be counted namespace by namespace.
        isNamespaces || kind.scope === 'Namespaced' ? namespaces : () => Promise.resolve([]),
      );
      // One part that cannot be counted leaves the whole uncounted.
      if (found.every((count) => count !== undefined))
        counts.set(
          kind.id,
          found.reduce((sum, count) => sum + count, 0),
        );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // One that does not answer is not asked for each of the others.
      if (!(error instanceof ClusterProblem) || error.upstream.status === undefined) break;
    }
  }
  return counts;
}
