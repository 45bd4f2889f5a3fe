import {
  createBest,
  kindMatches,
  type Rankable,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
} from '../../registry/rank.ts';
import { type Entry, mostEntries } from './entries.ts';

/** An entry with what it is found by. */
export interface Candidate {
  readonly entry: Entry;
  readonly key: Rankable;
  /** Lower-case words besides the title: aliases, keywords. */
  readonly words: readonly string[];
  /** Below one tier. */
  readonly boost: number;
}

/** Makes a candidate of an entry; done once when the palette opens, not for each key. */
export function candidate(entry: Entry, words: readonly string[] = [], boost = 0): Candidate {
  return {
    entry,
    key: rankable(entry.title, entry.namespace),
    words: words.map((word) => word.toLowerCase()),
    boost: boost + shortBoost(entry.title),
  };
}

/** The candidates that a text finds, best first, each with its score; all in their order for an empty text. */
export function rankEntries(
  candidates: readonly Candidate[],
  text: string,
  limit: number = mostEntries,
): readonly { readonly score: number; readonly entry: Entry }[] {
  const query = rankQuery(text);
  if (query.terms.length === 0) return candidates.slice(0, limit).map(({ entry }) => ({ score: 1, entry }));
  const best = createBest<{ readonly entry: Entry; readonly at: number }>(limit, (a, b) => a.at - b.at);
  for (const [at, { entry, key, words, boost }] of candidates.entries()) {
    const score = scoreOf(query, key, kindMatches(query, words), boost);
    if (score > 0) best.offer(score, { entry, at });
  }
  return best.result().map(({ score, item }) => ({ score, entry: item.entry }));
}
