import {
  createBest,
  kindMatches,
  type Rankable,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
} from '../../../registry/rank.ts';
import { type Entry, maxEntries } from './entries.ts';

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

/** Id of the milder action that has to come before an entry, if there is one. */
const mildOf = ({ act }: Entry): string | undefined =>
  act.type === 'command' && act.command.type === 'action' ? act.command.harsherThan : undefined;

const isCommand = (one: Candidate | undefined, id: string): boolean =>
  one?.entry.act.type === 'command' && one.entry.act.command.id === id;

/** The score of a harsh action, behind that of the milder one where the same text finds both. */
const behind = (score: number, mild: readonly number[]): number => {
  const found = mild.filter((one) => one > 0);
  return found.length === 0 ? score : Math.min(score, Math.max(...found) - 0.5);
};

/** The candidates that a text finds, best first, each with its score; all in their order for an empty text. */
export function rankEntries(
  candidates: readonly Candidate[],
  text: string,
  limit: number = maxEntries,
): readonly { readonly score: number; readonly entry: Entry }[] {
  const query = rankQuery(text);
  if (query.terms.length === 0) return candidates.slice(0, limit).map(({ entry }) => ({ score: 1, entry }));
  const best = createBest<{ readonly entry: Entry; readonly at: number }>(limit, (a, b) => a.at - b.at);
  const scores = candidates.map(({ key, words, boost }) =>
    scoreOf(query, key, kindMatches(query, words), boost),
  );
  for (const [at, { entry }] of candidates.entries()) {
    const mild = mildOf(entry);
    const mildScores =
      mild === undefined ? [] : scores.filter((_, index) => isCommand(candidates[index], mild));
    const score = behind(scores[at] ?? 0, mildScores);
    if (score > 0) best.offer(score, { entry, at });
  }
  return best.result().map(({ score, item }) => ({ score, entry: item.entry }));
}
