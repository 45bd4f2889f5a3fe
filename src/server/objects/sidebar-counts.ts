import { kinds } from '../../../commands/kinds/index.ts';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kinds/kind.ts';
import { hasSidebarCount } from '../../registry/sidebar.ts';
import { covers, type HeldPermissions, type Namespaces } from '../access/held.ts';
import { isNamespaceKind } from '../access/place.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { CachedReads } from '../kit/cached-reads.ts';
import { countObjects } from './count.ts';
import { readScoped } from './scoped-read.ts';
import type { Clock } from '../kit/clock.ts';

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

/** Counts of one place. */
interface CountedPlace {
  readonly counts: Counts;
  /** Why some are missing, where the cluster did not answer: one sentence. */
  readonly message: string | undefined;
}

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

/** Numbers of objects by kind: of all namespaces together, and of some namespaces each. */
export interface Counted {
  /** The only namespace that is asked about. */
  readonly namespace: string | undefined;
  readonly whole: Counts;
  readonly counted: ReadonlyMap<string, Counts>;
  /** Why some are missing, where the cluster did not answer: one sentence. */
  readonly message: string | undefined;
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

/** Counts of clusters: a request a kind and minute for everybody, one after the other, while anybody asks. */
export class SidebarCounts {
  /** By credential and namespace. */
  readonly #counts: CachedReads<CountedPlace>;
  readonly #namespaces: (clusterId: number) => Promise<readonly string[]>;

  /**
   * @param namespaces those of a cluster to read one by one where its credential may not list the whole of it
   */
  constructor(namespaces: (clusterId: number) => Promise<readonly string[]>, clock: Clock) {
    this.#namespaces = namespaces;
    this.#counts = new CachedReads(believedMs, clock);
  }

  /**
   * The counts that are needed for somebody who reaches some namespaces of a cluster and leaves others out. What the
   * cluster does not answer is left out.
   */
  async read(
    transport: Transport,
    {
      reached,
      excluded,
      namespace,
    }: {
      readonly reached: Namespaces;
      readonly excluded: ReadonlySet<string>;
      readonly namespace: string | undefined;
    },
  ): Promise<Counted> {
    const whole = reached === 'all' ? await this.#of(transport) : undefined;
    let message = whole?.message;
    const counted = new Map<string, Counts>();
    for (const one of namespacesToCount(reached, excluded, namespace)) {
      const place = await this.#of(transport, one);
      message ??= place.message;
      counted.set(one, place.counts);
    }
    return { namespace, whole: whole?.counts ?? new Map<string, number>(), counted, message };
  }

  #of(transport: Transport, namespace?: string): Promise<CountedPlace> {
    const key = JSON.stringify([transport.clusterId, transport.credential, namespace]);
    const namespaces = () => this.#namespaces(transport.clusterId);
    return this.#counts.of(key, () => countAll(transport, namespaces, namespace));
  }
}

/** The number of objects of each kind that somebody sees who leaves some namespaces out; without what is not known. */
export function countsFor(
  held: HeldPermissions,
  excluded: ReadonlySet<string>,
  counted: Counted,
): Record<string, number> {
  const counts = countedKinds.flatMap((kind) => {
    const count = countFor(kind, held.namespacesFor(kind.permissions.view), [...excluded], counted);
    return count === undefined ? [] : [[kind.id, count] as const];
  });
  return Object.fromEntries(counts);
}

/**
 * Counts one kind after the other, as far as the cluster answers: the pages of the others say why it does not.
 * @param namespace counts in this one alone, and kinds that have namespaces alone
 */
async function countAll(
  transport: Transport,
  namespaces: () => Promise<readonly string[]>,
  namespace?: string,
): Promise<CountedPlace> {
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
      if (!(error instanceof ClusterProblem) || error.upstream.status === undefined)
        return { counts, message: error.title };
    }
  }
  return { counts, message: undefined };
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
