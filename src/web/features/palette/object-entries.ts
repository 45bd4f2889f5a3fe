import type { Cluster } from '../../../contract/clusters.ts';
import type { SearchHit } from '../../../contract/search.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import {
  isDoubtful,
  kindMatches,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
} from '../../../registry/palette/rank.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { type Entry, maxEntries } from './entries.ts';
import { iconOfKind, kindNote } from '../../core/kinds/listed.ts';

/** A hit as a reference. */
export function refOfHit({ clusterId, kind, namespace, name }: SearchHit): ObjectRef {
  return { cluster: String(clusterId), kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A hit as an entry that opens the object. */
export function objectEntry(
  hit: SearchHit,
  clusters: readonly Cluster[],
  section = 'Objects',
  act?: Entry['act'],
): Entry {
  const ref = refOfHit(hit);
  return {
    id: `object ${hit.clusterId} ${hit.kind} ${hit.namespace ?? ''} ${hit.name}`,
    section,
    title: hit.name,
    note: kindNote(hit.kind, hit.kindName),
    icon: iconOfKind(hit.kind),
    status: hit.status,
    namespace: hit.namespace,
    cluster: clusters.find(({ id }) => id === hit.clusterId),
    act: act ?? { type: 'object', ref },
  };
}

/** Lower-case words by which the server knows the kind of a hit. */
function wordsOfKind({ kind, kindName }: SearchHit): readonly string[] {
  const { plural, aliases = [] } = kindById(kind) ?? {};
  return [kindName.toLowerCase(), kind.toLowerCase(), ...(plural === undefined ? [] : [plural]), ...aliases];
}

/**
 * Hits ranked for the text of this moment: the last answer goes on serving while the next is under way, less what no
 * longer matches. Its order is the server's.
 */
export function rankHits(
  hits: readonly SearchHit[],
  text: string,
): readonly { readonly score: number; readonly hit: SearchHit }[] {
  const query = rankQuery(text);
  const ranked = (forgivesTypos: boolean) =>
    hits.flatMap((hit) => {
      const isKind = kindMatches(query, wordsOfKind(hit));
      const key = rankable(hit.name, hit.namespace);
      const score = scoreOf(query, key, isKind, shortBoost(hit.name), forgivesTypos);
      return score > 0 ? [{ score, hit }] : [];
    });
  const exact = ranked(false);
  return isDoubtful(Math.max(0, ...exact.map(({ score }) => score))) ? ranked(true) : exact;
}

/**
 * Objects and behind them, never cut off, a line that says how many more matches are in namespaces which the person leaves
 * out, and shows them. Without such matches the objects alone.
 */
export function withExcluded(
  objects: readonly Entry[],
  count: number,
  section = 'Objects',
): readonly Entry[] {
  if (count === 0) return objects;
  const isTabTaken = objects.some(({ act }) => act.type === 'all-objects');
  const line: Entry = {
    id: 'excluded objects',
    section,
    title: `${count} more ${count === 1 ? 'match' : 'matches'} in excluded namespaces`,
    icon: 'more',
    ...(isTabTaken ? {} : { keys: 'tab' }),
    act: { type: 'excluded-objects' },
  };
  return [...objects.slice(0, maxEntries - 1), line];
}
