import {
  createBest,
  kindMatches,
  type Rankable,
  rankable,
  rankQuery,
  scoreOf,
  shortBoost,
  tiers,
  tierStep,
} from '../../../registry/rank.ts';
import { type Entry, maxEntries } from './entries.ts';

/** An entry with what it is found by. */
export interface Candidate {
  readonly entry: Entry;
  readonly key: Rankable;
  /** Lower-case words besides the title: aliases, keywords. */
  readonly words: readonly string[];
  /** Words or phrases that, typed whole, name it as well as its title, with the tier that they reach. */
  readonly aliases: { readonly words: readonly string[]; readonly tier: number };
  /** Below one tier. */
  readonly boost: number;
}

/** Makes a candidate of an entry; done once when the palette opens, not for each key. */
export function candidate(
  entry: Entry,
  words: readonly string[] = [],
  boost = 0,
  aliases: Candidate['aliases'] = { words: [], tier: tiers.none },
): Candidate {
  return {
    entry,
    key: rankable(entry.title, entry.namespace),
    // Each word of a phrase finds it as well.
    words: [
      ...new Set(words.flatMap((word) => [word, ...word.split(' ')]).map((word) => word.toLowerCase())),
    ],
    aliases,
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
  const scoresWith = (forgivesTypos: boolean) =>
    candidates.map(({ key, words, aliases, boost }) =>
      Math.max(
        aliases.words.includes(query.whole) ? aliases.tier * tierStep + boost : 0,
        scoreOf(query, key, kindMatches(query, words), boost, forgivesTypos),
      ),
    );
  const exact = scoresWith(false);
  const scores = exact.some((score) => score > 0) ? exact : scoresWith(true);
  for (const [at, { entry }] of candidates.entries()) {
    const mild = mildOf(entry);
    const mildScores =
      mild === undefined ? [] : scores.filter((_, index) => isCommand(candidates[index], mild));
    const score = behind(scores[at] ?? 0, mildScores);
    if (score > 0) best.offer(score, { entry, at });
  }
  return best.result().map(({ score, item }) => ({ score, entry: item.entry }));
}
