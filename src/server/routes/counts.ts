import { kinds } from '../../../commands/kinds/index.ts';
import type { countEndpoints } from '../../contract/counts.ts';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kind.ts';
import { hasSidebarCount } from '../../registry/sidebar.ts';
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
  (kind) => hasSidebarCount(kind) && kind.window === undefined && kind.source === undefined,
);

type Counts = ReadonlyMap<string, number>;

const isNamespaced = (id: string): boolean =>
  countedKinds.some((kind) => kind.id === id && kind.scope === 'Namespaced');

/** Counts for the sidebar: a request a kind and minute for everybody, one after the other, while anybody asks. */
export function countHandlers(
  { clusters, grants }: Pick<Services, 'clusters' | 'grants'>,
  now: () => number,
): Handlers<typeof countEndpoints> {
  /** By credential and namespace: what is being counted, or was within the minute. */
  const known = new Map<string, { readonly until: number; readonly counts: Promise<Counts> }>();

  function countsOf(transport: Transport, clusterId: number, namespace?: string): Promise<Counts> {
    const key = JSON.stringify([transport.clusterId, transport.credential, namespace]);
    const found = known.get(key);
    if (found !== undefined && found.until > now()) return found.counts;
    for (const [one, { until }] of known) if (until <= now()) known.delete(one);
    // Not ended with the caller: others may wait for the same.
    const counts = countAll(transport, () => clusters.namespaces(clusterId), namespace);
    known.set(key, { until: now() + believedMs, counts });
    counts.catch(() => known.delete(key));
    return counts;
  }

  return {
    async counts({ query: { namespace } }, { person, cluster }) {
      const transport = await clusters.transport(cluster.id);
      const whole = countsOf(transport, cluster.id);
      const within = namespace === undefined ? undefined : countsOf(transport, cluster.id, namespace);
      const counts = new Map([...(await whole)].filter(([id]) => within === undefined || !isNamespaced(id)));
      for (const [id, count] of (await within) ?? []) counts.set(id, count);
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

/**
 * Counts one kind after the other, as far as the cluster answers: the pages of the others say why it does not.
 * @param namespace counts in this one alone, and kinds that have namespaces alone
 */
async function countAll(
  transport: Transport,
  namespaces: () => Promise<readonly string[]>,
  namespace?: string,
): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const kind of countedKinds) {
    if (namespace !== undefined && kind.scope !== 'Namespaced') continue;
    try {
      const count =
        namespace === undefined
          ? await countEverywhere(transport, kind, namespaces)
          : await countObjects(transport, kind, namespace);
      if (count !== undefined) counts.set(kind.id, count);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // One that does not answer is not asked for each of the others.
      if (!(error instanceof ClusterProblem) || error.upstream.status === undefined) break;
    }
  }
  return counts;
}

/** @returns undefined if a part cannot be counted */
async function countEverywhere(
  transport: Transport,
  kind: Kind,
  namespaces: () => Promise<readonly string[]>,
): Promise<number | undefined> {
  const isNamespaces = isNamespaceKind(kind);
  const found = await readScoped(
    (namespace) =>
      // If namespaces may not be listed, each namespace that is read by name counts as one.
      isNamespaces && namespace !== undefined ? Promise.resolve(1) : countObjects(transport, kind, namespace),
    // Other objects of the cluster cannot be counted namespace by namespace.
    isNamespaces || kind.scope === 'Namespaced' ? namespaces : () => Promise.resolve([]),
  );
  return found.every((count) => count !== undefined)
    ? found.reduce((sum, count) => sum + count, 0)
    : undefined;
}
