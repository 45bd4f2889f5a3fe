import { kinds } from '../../../commands/kinds/index.ts';
import type { countEndpoints } from '../../contract/counts.ts';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kind.ts';
import { hasSidebarCount } from '../../registry/sidebar.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Handlers } from '../http/handlers.ts';
import { covers, type Namespaces } from '../access/held.ts';
import { isNamespaceKind } from '../access/place.ts';
import { countObjects } from '../objects/count.ts';
import { readScoped } from '../objects/scoped-read.ts';
import type { RouteParts } from './parts.ts';

/** Counts are believed this long, ms: the sidebar is no place for more. */
const believedMs = 60_000;

/**
 * The kinds of the sidebar. Kinds without an end (events) are not counted, and releases are counted by their Secrets and
 * ConfigMaps.
 */
const countedKinds = kinds.filter(
  (kind) => hasSidebarCount(kind) && kind.window === undefined && kind.source === undefined,
);

type Counts = ReadonlyMap<string, number>;

/** Namespaces that are counted one by one for a person, at most: each costs a request a kind. */
const maxCounted = 20;

/** The namespaces that are counted by themselves: those that grants name, or of a whole cluster what is left out. */
function namespacesToCount(
  reached: Namespaces,
  excluded: ReadonlySet<string>,
  asked: string | undefined,
): readonly string[] {
  if (asked !== undefined) return covers(reached, { namespace: asked }) ? [asked] : [];
  const names = reached === 'all' ? excluded : reached;
  return names.size > maxCounted ? [] : [...names];
}

/** What was counted, of all namespaces and of some by themselves. */
interface Counted {
  /** The only namespace that is asked about. */
  readonly namespace: string | undefined;
  readonly whole: Counts;
  readonly counted: ReadonlyMap<string, Counts>;
}

/**
 * How many objects of a kind somebody sees who may view it in these namespaces and leaves some out; undefined where that
 * is not known.
 */
function countFor(
  kind: Kind,
  seen: Namespaces,
  excluded: readonly string[],
  { namespace, whole, counted }: Counted,
): number | undefined {
  const isOfNamespaces = isNamespaceKind(kind);
  if (kind.scope === 'Cluster') {
    // Whether an excluded namespace exists is not known here: their number comes with the live tallies.
    if (isOfNamespaces && excluded.length > 0) return undefined;
    return seen === 'all' ? whole.get(kind.id) : undefined;
  }
  if (namespace !== undefined)
    return covers(seen, { namespace }) ? counted.get(namespace)?.get(kind.id) : undefined;
  const sumOf = (names: readonly string[]): number | undefined => {
    const each = names.map((one) => counted.get(one)?.get(kind.id));
    const known = each.filter((count) => count !== undefined);
    return known.length < each.length ? undefined : known.reduce((sum, count) => sum + count, 0);
  };
  if (seen === 'all') {
    const all = whole.get(kind.id);
    const left = sumOf(excluded);
    return all === undefined || left === undefined ? undefined : Math.max(0, all - left);
  }
  const names = [...seen].filter((name) => !excluded.includes(name));
  return names.length === 0 && seen.size === 0 ? undefined : sumOf(names);
}

/** Counts for the sidebar: a request a kind and minute for everybody, one after the other, while anybody asks. */
export function countHandlers({
  clusters,
  grants,
  now,
}: Pick<RouteParts, 'clusters' | 'grants' | 'now'>): Handlers<typeof countEndpoints> {
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
      const { held: before, excluded } = await grants.access(person, cluster.id);
      const { namespaces } = before;
      const whole = namespaces === 'all' ? await countsOf(transport, cluster.id) : new Map<string, number>();
      const counted = new Map<string, Counts>();
      for (const one of namespacesToCount(namespaces, excluded, namespace))
        counted.set(one, await countsOf(transport, cluster.id, one));
      // Counting takes a while, in which permissions may be withdrawn.
      const held = await grants.held(person, cluster.id);
      const counts = countedKinds.flatMap((kind) => {
        const count = countFor(kind, held.namespacesFor(kind.permissions.view), [...excluded], {
          namespace,
          whole,
          counted,
        });
        return count === undefined ? [] : [[kind.id, count] as const];
      });
      return { counts: Object.fromEntries(counts) };
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
