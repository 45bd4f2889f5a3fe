import { firstFacts } from '../../../../commands/kinds/first-facts.ts';
import type { Command } from '../../../registry/commands/command.ts';
import {
  contextWords,
  type LooseItem,
  looseItem,
  looseMatches,
  type LooseMatch,
} from '../../../registry/palette/loose-rank.ts';
import { onQwerty } from '../../../registry/palette/keyboard-slip.ts';
import type { searchPhrases } from '../../../registry/palette/phrases/search.ts';
import { tiers, tierStep } from '../../../registry/palette/rank.ts';
import { maxEntries } from './entries.ts';
import { asFound, type Candidate, type FoundEntry, mildOf, rankEntries } from './rank-entries.ts';

let itemsByCandidate = new WeakMap<Candidate, LooseItem>();
/** Items of commands by title, without the words of kinds; made once for all openings of the palette. */
let itemsByCommand = new WeakMap<Command, Map<string, LooseItem>>();

/** The phrases that people type for a command; none until they are loaded. */
let phrasesOf: typeof searchPhrases | undefined;

/** Whether commands are found by the phrases that people type for them. */
export const arePhrasesThere = (): boolean => phrasesOf !== undefined;

/** Loads the phrases that people type for commands: half of the palette's weight, and nothing is found by them before a key. */
export async function loadPhrases(): Promise<void> {
  const phrases = await import('../../../registry/palette/phrases/search.ts');
  if (phrasesOf !== undefined) return;
  phrasesOf = phrases.searchPhrases;
  itemsByCandidate = new WeakMap();
  itemsByCommand = new WeakMap();
}

/** The item of a command under one of its titles. */
function itemOfCommand(command: Command, title: string, isOnSubject: boolean): LooseItem {
  const own = itemsByCommand.get(command) ?? new Map<string, LooseItem>();
  itemsByCommand.set(command, own);
  const key = `${String(isOnSubject)} ${title}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const item = looseItem(title, [
    ...(command.keywords ?? []),
    ...(phrasesOf?.(command.id, isOnSubject) ?? []),
  ]);
  own.set(key, item);
  return item;
}

/** The command that makes an object of any kind. */
const createId = 'resource.create';
const everyKind: readonly string[] = firstFacts.flatMap(({ kind, title, plural, aliases = [] }) => [
  kind,
  title,
  plural,
  ...aliases,
]);

/** The words of the kinds that a candidate is about. */
function contextOf({ entry: { act }, words }: Candidate): readonly string[] {
  if (act.type !== 'command' || act.command.type !== 'action') return [];
  return act.command.id === createId ? everyKind : words;
}

/** What a candidate is found by in part: its words, and the phrases that people type for its command. */
function itemOf(one: Candidate): LooseItem {
  const known = itemsByCandidate.get(one);
  if (known !== undefined) return known;
  const { act } = one.entry;
  const item =
    act.type === 'command'
      ? {
          ...itemOfCommand(act.command, one.key.name, act.subject.type === 'objects'),
          context: contextWords(contextOf(one)),
        }
      : looseItem(one.key.name, one.words);
  itemsByCandidate.set(one, item);
  return item;
}

/** What a boost counts for beside how much of the text is found. */
const boostShare = 0.4;

/** The score of what is found in part, among those of what all words find. */
function scoreOf({ share, extent }: LooseMatch, boost: number): number {
  const own = boost * boostShare;
  switch (extent) {
    case 'verbatim':
      // Before what the text is a phrase of once idle words are left out: `run it again` is not `run`.
      return tiers.prefix * tierStep - 1 + own * 0.1;
    case 'phrase':
      // As a keyword that is typed whole.
      return (tiers.prefix - 0.5) * tierStep + own;
    case 'all':
      return tiers.namespace * tierStep + Math.min(share * 900 + own, tierStep - 1);
    case 'slip':
      // Behind objects whose names are mistyped.
      return tiers.mistyped * tierStep - 100 + Math.min(share * 60 + own * 0.1, 99);
    case 'most':
      return Math.min(share * 1_200 + own, tiers.mistyped * tierStep - 101);
    default:
      return extent satisfies never;
  }
}

/** Score from which on what most words find is no noise beside what is found by them all. */
const wellFound = 540;

/** Score below which what is found is noise beside something better. */
const noiseBelow = (best: number): number => {
  if (best >= tiers.namespace * tierStep) return tiers.mistyped * tierStep;
  return best > tiers.subsequence * tierStep + tierStep / 2 ? tiers.subsequence * tierStep + tierStep / 8 : 0;
};

/** Prepares candidates for the first text, which else takes as long as several keys. */
export const prepareCandidates = (candidates: readonly Candidate[]): void => {
  for (const one of candidates) itemOf(one);
};

/**
 * Ranks the candidates by a text, or by what its keys write on QWERTY where the text itself finds nothing.
 * @param own names of the objects at hand, which are left out of the text
 */
export function rankLoosely(
  candidates: readonly Candidate[],
  text: string,
  own: readonly string[] = [],
): readonly FoundEntry[] {
  const found = rankByWords(candidates, text, own);
  const meant = found.length === 0 ? onQwerty(text.toLowerCase()) : undefined;
  return meant === undefined ? found : rankByWords(candidates, meant, own);
}

/**
 * Ranks the candidates by all words of a text, else by most of them and by synonyms. Drops scattered letters beside anything
 * better.
 * @param own names of the objects at hand, which are left out of the text
 */
function rankByWords(
  candidates: readonly Candidate[],
  text: string,
  own: readonly string[],
): readonly FoundEntry[] {
  const byId = new Map<string, FoundEntry>(
    rankEntries(candidates, text).map((found) => [found.entry.id, found]),
  );
  const said = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !own.includes(word));
  const matches = looseMatches(said.join(' '), candidates.map(itemOf));
  const loose = new Set<string>();
  for (const [at, one] of candidates.entries()) {
    const match = matches[at];
    if (match === undefined) continue;
    const score = scoreOf(match, one.boost);
    const known = byId.get(one.entry.id);
    if (score <= (known?.score ?? 0)) continue;
    loose.add(one.entry.id);
    byId.set(one.entry.id, { score, entry: known?.entry ?? asFound(text, one) });
  }
  // A harsh action stays behind the milder one, whichever words find it.
  const best = new Map<string, FoundEntry>();
  for (const one of byId.values()) {
    const id = one.entry.act.type === 'command' ? one.entry.act.command.id : undefined;
    if (id !== undefined && one.score > (best.get(id)?.score ?? 0)) best.set(id, one);
  }
  for (const { score, entry } of byId.values()) {
    const mild = loose.has(entry.id) ? best.get(mildOf(entry) ?? '') : undefined;
    if (mild !== undefined && mild.score <= score)
      byId.set(mild.entry.id, { entry: mild.entry, score: score + 0.5 });
  }
  const sorted = [...byId.values()].sort((a, b) => b.score - a.score);
  const least = noiseBelow(sorted[0]?.score ?? 0);
  const isLoose = sorted[0] !== undefined && loose.has(sorted[0].entry.id);
  return sorted
    .filter(({ score, entry }) => score >= least || (isLoose && loose.has(entry.id) && score >= wellFound))
    .slice(0, maxEntries);
}
