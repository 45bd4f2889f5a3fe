import type { SearchHit, SearchResult } from '../../contract/search.ts';
import {
  createBest,
  isDoubtful,
  kindMatches,
  type RankQuery,
  scoreOf,
  shortBoost,
} from '../../registry/palette/rank.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Namespaces } from '../access/held.ts';
import { isWithin } from '../access/place.ts';
import { isExcluded } from '../access/sight.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { NameEntry, Names } from './names.ts';

/** A cluster whose names may be searched, with the kinds of it that the person may view. */
export interface SearchedCluster {
  readonly row: Pick<ClusterRow, 'id' | 'name'>;
  readonly names: readonly Names[];
  /** The namespaces in which the person may view objects of a kind. */
  readonly within: (kind: AnyKind) => Namespaces;
  /** The namespaces that the person leaves out, unless they ask for one by its name. */
  readonly excluded: ReadonlySet<string>;
}

export interface FindOptions {
  readonly query: RankQuery;
  readonly namespace?: string | undefined;
  readonly near?: number | undefined;
  readonly nearNamespace?: string | undefined;
  readonly limit: number;
}

interface Found {
  readonly entry: NameEntry;
  readonly kind: AnyKind;
  readonly clusterId: number;
  /** Place of the kind in the order of kinds: what people made comes before what follows from it. */
  readonly rank: number;
}

/** Same cluster and namespace as the person; below one tier. */
const nearBoosts = { cluster: 120, namespace: 120 } as const;
/**
 * Kinds that another object makes come after it. ReplicaSets, of which most are old, come after everything else that a
 * text finds equally well, wherever it is; so does what is named after the workload that it gives rights to.
 */
const kindBoosts: Readonly<Record<string, number>> = {
  Pod: 20,
  Job: 20,
  ReplicaSet: -500,
  ServiceAccount: -500,
  Role: -500,
  RoleBinding: -500,
  ClusterRole: -500,
  ClusterRoleBinding: -500,
};
const defaultKindBoost = 40;

const wordsOf = new WeakMap<AnyKind, readonly string[]>();

/** The words for a kind, lower-case. */
function kindWords(kind: AnyKind): readonly string[] {
  const known = wordsOf.get(kind);
  if (known !== undefined) return known;
  const words = [kind.kind.toLowerCase(), kind.plural, ...(kind.aliases ?? [])];
  wordsOf.set(kind, words);
  return words;
}

function compare(a: Found, b: Found): number {
  if (a.entry.name.length !== b.entry.name.length) return a.entry.name.length - b.entry.name.length;
  if (a.entry.name !== b.entry.name) return a.entry.name < b.entry.name ? -1 : 1;
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.entry.namespace !== b.entry.namespace) return a.entry.namespace < b.entry.namespace ? -1 : 1;
  return a.clusterId - b.clusterId;
}

type FoundNames = Pick<SearchResult, 'total' | 'clusters' | 'excluded'> & {
  readonly found: readonly (SearchHit & { uid: string })[];
};

/** Names that are compared in one step. */
const namesOfStep = 2_000;

/**
 * Searches names in steps, and once more with forgiveness for typing mistakes if nothing is found that may be meant.
 */
export function* findNames(
  clusters: readonly SearchedCluster[],
  options: FindOptions,
): Generator<void, FoundNames> {
  const { best, ...found } = yield* findOnce(clusters, options, false);
  if (options.query.terms.length === 0 || !isDoubtful(best)) return found;
  const { best: _, ...forgiven } = yield* findOnce(clusters, options, true);
  // What the words find as they are hides what they find with mistakes, also where it is left out.
  return found.excluded === 0 ? forgiven : { ...forgiven, excluded: found.excluded };
}

/** Searches all names in one pass; only the best are kept. */
function* findOnce(
  clusters: readonly SearchedCluster[],
  { query, namespace, near, nearNamespace, limit }: FindOptions,
  forgivesTypos: boolean,
): Generator<void, FoundNames & { readonly best: number }> {
  const best = createBest<Found>(limit, compare);
  let compared = 0;
  let total = 0;
  let clusterCount = 0;
  let excludedCount = 0;
  for (const { row, names, within, excluded } of clusters) {
    const before = total;
    const isNear = row.id === near;
    for (const [rank, one] of names.entries()) {
      const { kind } = one;
      const seen = within(kind);
      const isKind = kindMatches(query, kindWords(kind));
      const base = (isNear ? nearBoosts.cluster : 0) + (kindBoosts[kind.kind] ?? defaultKindBoost);
      for (const entry of one.entries()) {
        compared += 1;
        if (compared % namesOfStep === 0) yield;
        if (namespace !== undefined && entry.namespace !== namespace) continue;
        if (seen !== 'all' && !isWithin(seen, kind, entry)) continue;
        if (kind.isSearched?.(entry.name) === false) continue;
        const isHere = isNear && nearNamespace !== undefined && entry.namespace === nearNamespace;
        const boost = base + (isHere ? nearBoosts.namespace : 0) + shortBoost(entry.name);
        const score = scoreOf(query, entry, isKind, boost, forgivesTypos);
        if (score <= 0) continue;
        if (namespace === undefined && isExcluded(excluded, kind, entry)) {
          excludedCount += 1;
          continue;
        }
        total += 1;
        if (best.wants(score)) best.offer(score, { entry, kind, clusterId: row.id, rank });
      }
    }
    if (total > before) clusterCount += 1;
  }
  const found = best.result();
  return {
    total,
    clusters: clusterCount,
    excluded: excludedCount,
    best: found[0]?.score ?? 0,
    found: found.map(({ item: { entry, kind, clusterId } }) => ({
      uid: entry.listed ?? entry.uid,
      clusterId,
      kind: kind.id,
      kindName: kind.kind,
      ...(entry.namespace === '' ? {} : { namespace: entry.namespace }),
      name: entry.shown ?? entry.name,
    })),
  };
}
