import {
  createBest,
  isDoubtful,
  kindMatches,
  type Rankable,
  rankable,
  type RankQuery,
  rankQuery,
  scoreOf,
  shortBoost,
  tiers,
  tierStep,
} from '../../../registry/palette/rank.ts';
import { type Entry, maxEntries } from './entries.ts';
import { changesSomething } from './preselect.ts';

/** An entry with what it is found by. */
export interface Candidate {
  readonly entry: Entry;
  readonly key: Rankable;
  /** Lower-case words besides the title: aliases, keywords. */
  readonly words: readonly string[];
  /** Words or phrases that, typed whole, name it besides its title, and the tier that each reaches. */
  readonly aliases: { readonly words: readonly string[]; readonly tierOf: (word: string) => number };
  /** Below one tier. */
  readonly boost: number;
}

/** Of titles that a text finds equally well, that of which it is a keyword as well comes first. */
const aliasBoost = 100;
/** Highest score by an alias where something else has the text as its title. */
const belowTitle = tiers.equal * tierStep - 1;
const noAliases: Candidate['aliases'] = { words: [], tierOf: () => tiers.none };

/** Makes a candidate of an entry; done once when the palette opens, not for each key. */
export function candidate(
  entry: Entry,
  words: readonly string[] = [],
  boost = 0,
  aliases: Candidate['aliases'] = noAliases,
): Candidate {
  return {
    entry,
    // The dots say that it asks for more; nobody types them.
    key: rankable(entry.title.replace(/…$/, ''), entry.namespace),
    // Each word of a phrase finds it as well.
    words: [
      ...new Set(words.flatMap((word) => [word, ...word.split(' ')]).map((word) => word.toLowerCase())),
    ],
    aliases,
    boost: boost + shortBoost(entry.title),
  };
}

/** Id of the milder action that has to come before an entry, if there is one. */
export const mildOf = ({ act }: Entry): string | undefined =>
  act.type === 'command' && act.command.type === 'action' ? act.command.harsherThan : undefined;

const isCommand = (one: Candidate | undefined, id: string): boolean =>
  one?.entry.act.type === 'command' && one.entry.act.command.id === id;

const wordsOfName = (name: string): readonly string[] => name.split(/[ \-./:_,]+/);

/**
 * Whether a text names an action in full: by its title, by a whole keyword, or by whole words of it and of what it acts on,
 * the verb among them. A word that is only begun or mistyped may be meant for something else.
 */
function isNamedBy({ whole, terms }: RankQuery, { entry, key, words, aliases }: Candidate): boolean {
  if (key.name === whole || aliases.words.includes(whole)) return true;
  const [verb = '', ...title] = wordsOfName(key.name);
  const note = entry.note?.toLowerCase() ?? '';
  const known = new Set([verb, ...title, ...words, note, ...wordsOfName(note)]);
  return terms.some(({ text }) => text === verb) && terms.every(({ text }) => known.has(text));
}

/** The entry as a text finds it: what changes something says whether the text names it in full. */
export const asFound = (text: string, one: Candidate): Entry =>
  changesSomething(one.entry) && isNamedBy(rankQuery(text), one)
    ? { ...one.entry, isNamed: true }
    : one.entry;

/** An entry with how well a text finds it. */
export interface FoundEntry {
  readonly score: number;
  readonly entry: Entry;
}

/** The score of a harsh action, behind that of the milder one where the same text finds both. */
const behind = (score: number, mild: readonly number[]): number => {
  const found = mild.filter((one) => one > 0);
  return found.length === 0 ? score : Math.min(score, Math.max(...found) - 0.5);
};

/** Whether a text is the whole title of a candidate. */
export function isTitleIn(candidates: readonly Candidate[], text: string): boolean {
  const { whole } = rankQuery(text);
  return candidates.some(({ key }) => key.name === whole);
}

/** The candidates that a text finds, best first, each with its score; all in their order for an empty text. */
export function rankEntries(
  candidates: readonly Candidate[],
  text: string,
  limit: number = maxEntries,
): readonly FoundEntry[] {
  const query = rankQuery(text);
  if (query.terms.length === 0) return candidates.slice(0, limit).map(({ entry }) => ({ score: 1, entry }));
  const best = createBest<{ readonly one: Candidate; readonly at: number }>(limit, (a, b) => a.at - b.at);
  const matched = candidates.map(({ words }) => kindMatches(query, words));
  // No boost lifts another name of something above what has the text as its title.
  const isTitle = isTitleIn(candidates, text);
  const isOther = ({ name }: Rankable) => isTitle && name !== query.whole;
  const scoresWith = (forgivesTypos: boolean) =>
    candidates.map(({ key, aliases, boost }, index) => {
      const score = scoreOf(query, key, matched[index] ?? [], boost, forgivesTypos);
      if (!aliases.words.includes(query.whole)) return score;
      const byAlias = aliases.tierOf(query.whole) * tierStep + boost;
      return Math.max(isOther(key) ? Math.min(byAlias, belowTitle) : byAlias, score + aliasBoost);
    });
  const exact = scoresWith(false);
  const scores = isDoubtful(Math.max(0, ...exact)) ? scoresWith(true) : exact;
  for (const [at, one] of candidates.entries()) {
    const mild = mildOf(one.entry);
    const mildScores =
      mild === undefined ? [] : scores.filter((_, index) => isCommand(candidates[index], mild));
    const score = behind(scores[at] ?? 0, mildScores);
    if (score > 0) best.offer(score, { one, at });
  }
  return best.result().map(({ score, item }) => ({ score, entry: asFound(text, item.one) }));
}
