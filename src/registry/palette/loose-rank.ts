import { onOtherLayouts, slipBetween } from './keyboard-slip.ts';
import { askedWords, contentWords, idleWords, tools, withoutOpenWords } from './words.ts';
import { synonymGroups } from './synonyms.ts';
import { maskOf } from './rank.ts';

/** What something is found by, prepared for comparison with many queries. All of it is in lower case. */
export interface LooseItem {
  readonly title: ReadonlySet<string>;
  /** The first word of the title. */
  readonly verb: string;
  /** Words of keywords and phrases. */
  readonly words: ReadonlySet<string>;
  /** The words of each phrase of several words, and those of all the others together. */
  readonly parts: readonly ReadonlySet<string>[];
  /** Words of the kinds that it acts on: they count beside another word alone. */
  readonly context: ReadonlySet<string>;
  /** Title, keywords and phrases without their idle words, each as its words in order. */
  readonly phrases: ReadonlySet<string>;
  /** Keywords and phrases of several words as they are. */
  readonly verbatim: ReadonlySet<string>;
}

/** How well a query finds an item, from 0 to 1, and how much of it. */
export interface LooseMatch {
  readonly share: number;
  /** The query is one of its phrases to the letter, or without idle words, every word of the query is found, all with a slip among them, or most of them. */
  readonly extent: 'verbatim' | 'phrase' | 'all' | 'slip' | 'most';
}

/** How well a word of a query is found: by title or other words, themselves, by a synonym, their beginning or a slip. */
const qualities = {
  title: 1,
  word: 0.9,
  titleSynonym: 0.75,
  wordSynonym: 0.6,
  titleBeginning: 0.7,
  wordBeginning: 0.55,
  titleSlip: 0.56,
  wordSlip: 0.5,
  context: 0.6,
  /** By a synonym of a word that is itself what other titles say to do. */
  otherVerb: 0.3,
} as const;
/** Those of matches in the title. */
const titleQualities: ReadonlySet<number> = new Set([
  qualities.title,
  qualities.titleSynonym,
  qualities.titleBeginning,
  qualities.titleSlip,
]);
/** Minimum share of a query, by the weights of its words, that has to be found; less will do where nothing has as much. */
const [minShare, minShareAlone] = [0.4, 0.1];
/** What is left of a match by the words of a title without its first, which says what is done. */
const withoutVerb = 0.85;
/** Share added where the known words of a query are one of the phrases: `make anna an admin`. */
const phraseShare = 0.15;
/** Most slips in one word. */
const maxSlips = 2;
/** Minimum length of a word that may stand for a longer one. */
const minBeginning = 3;

/** The endings that the forms of a word differ by. */
const endings = /(?:ies|ings?|ed|es|s|e|y)$/;
/** Minimum length of what is left of a word without its ending. */
const minStem = 3;

const stemsByWord = new Map<string, string>();
/** Maximum number of stems kept. */
const maxStems = 20_000;

/** What the forms of a word have in common, so far as they are regular: of `changed` and `change`, `policy` and `policies`. */
function stemOf(word: string): string {
  const known = stemsByWord.get(word);
  if (known !== undefined) return known;
  const cut = word.replace(endings, '');
  const stem = cut.length < minStem || word.endsWith('ss') ? word : cut;
  if (stemsByWord.size < maxStems) stemsByWord.set(word, stem);
  return stem;
}

const isPlainWord = /^[a-z0-9]*$/;

/** Splits the parts of a text further, most of which are one word. */
const splitWords = (parts: readonly string[], between: RegExp): readonly string[] =>
  parts
    .flatMap((part) => (isPlainWord.test(part) ? [part] : part.split(between)))
    .filter((word) => word !== '');

/** The words of a text that name something, as stems in order; all of them where none does. */
export function namingWords(text: string): readonly string[] {
  const parts = text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  // `-A`, `--sort-by` and `-f` are flags of a command line.
  const plain = parts.filter((part) => !part.startsWith('-'));
  const words = splitWords(plain.length === 0 ? parts : plain, /[^\p{L}\p{N}]+/u);
  const naming = words.filter((word) => (word.length > 1 || /\d/.test(word)) && !idleWords.has(word));
  return (naming.length === 0 ? words : naming).map(stemOf);
}

const stemsIn = (words: readonly string[]): readonly string[] =>
  splitWords(words, /[^\p{L}\p{N}-]+/u).map(stemOf);

/** The words of a text in order, as stems, with verbs and particles that `namingWords` leaves out: as a question, and without it. */
function sayings(text: string): readonly (readonly string[])[] {
  const asked = askedWords(text);
  const content = contentWords(asked);
  return (asked.length === content.length ? [asked] : [asked, content]).map(stemsIn);
}

const phraseKey = (words: readonly string[]): string => words.join(' ');

/** The number of words of a phrase that are no program and no flag. */
const countPlain = (phrase: string): number =>
  phrase.split(' ').filter((word) => !tools.has(word) && !word.startsWith('-')).length;

const stemsByText = new Map<string, readonly string[]>();

/** The words of the kinds that something acts on. */
export function contextWords(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) => {
      const stems = stemsByText.get(text) ?? namingWords(text);
      stemsByText.set(text, stems);
      return stems;
    }),
  );
}

/** Prepares something that is found by a title and by further words and phrases. */
export function looseItem(title: string, phrases: readonly string[]): LooseItem {
  const titleWords = namingWords(title);
  const others = phrases.map((phrase) => ({ phrase, words: namingWords(phrase) }));
  // `can I delete` does not mean what `delete` does.
  const whole = others.filter(({ phrase, words }) => words.length > 1 || countPlain(phrase) < 2);
  const said = phrases.flatMap(sayings).filter((words) => words.length > 1);
  return {
    title: new Set(titleWords),
    verb: titleWords[0] ?? '',
    words: new Set(others.flatMap(({ words }) => words)),
    parts: [
      new Set(others.flatMap(({ words }) => (words.length > 1 ? [] : words))),
      ...others.filter(({ words }) => words.length > 1).map(({ words }) => new Set(words)),
    ],
    context: new Set(),
    verbatim: new Set(phrases.filter((phrase) => phrase.includes(' '))),
    phrases: new Set([titleWords, ...whole.map(({ words }) => words), ...said].map(phraseKey)),
  };
}

/** A word of a query with the words that may be meant by it. */
interface Meaning {
  readonly word: string;
  readonly synonyms: readonly string[];
  /** Known words that it begins, where no item has it. */
  readonly beginnings: readonly string[];
  /** Known words of which it is a slip, where it means nothing else. */
  readonly slips: readonly string[];
  /** Whether titles begin with it. */
  readonly isVerb: boolean;
}

const hasAny = (words: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.some((word) => words.has(word));

function qualityOf(
  { word, synonyms, beginnings, slips, isVerb }: Meaning,
  { title, words }: Pick<LooseItem, 'title' | 'words'>,
): number {
  if (title.has(word)) return qualities.title;
  if (words.has(word)) return qualities.word;
  if (isVerb) return hasAny(title, synonyms) || hasAny(words, synonyms) ? qualities.otherVerb : 0;
  if (hasAny(title, synonyms)) return qualities.titleSynonym;
  if (hasAny(title, beginnings)) return qualities.titleBeginning;
  if (hasAny(words, synonyms)) return qualities.wordSynonym;
  if (hasAny(words, beginnings)) return qualities.wordBeginning;
  if (hasAny(title, slips)) return qualities.titleSlip;
  return hasAny(words, slips) ? qualities.wordSlip : 0;
}

/**
 * The qualities of all words of a query, of which those that only phrases have are of one phrase: words of several say
 * nothing together.
 */
function qualitiesOf(
  meanings: readonly Meaning[],
  item: LooseItem,
  all: readonly number[],
): readonly number[] {
  const ofPhrases = all.filter((value) => value > 0 && !titleQualities.has(value)).length;
  const [single, ...phrases] = item.parts;
  if (ofPhrases < 2 || single === undefined) return all;
  const base = meanings.map((meaning) => qualityOf(meaning, { title: item.title, words: single }));
  let best = base;
  let most = sumOf(base);
  for (const words of phrases) {
    const own = meanings.map((meaning, at) =>
      titleQualities.has(all[at] ?? 0) || (all[at] ?? 0) === 0
        ? (all[at] ?? 0)
        : Math.max(base[at] ?? 0, qualityOf(meaning, { title: item.title, words })),
    );
    const sum = sumOf(own);
    if (sum > most) [best, most] = [own, sum];
  }
  return best;
}

const isSubset = (part: ReadonlySet<string>, words: ReadonlySet<string>): boolean =>
  part.size <= words.size && [...part].every((word) => words.has(word));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const masks = new Map<string, number>();

/** Whether two words have enough letters in common; rules out almost all words cheaply. */
function mayBeSlip(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > maxSlips) return false;
  const mask = masks.get(known) ?? maskOf(known);
  if (masks.size < maxStems) masks.set(known, mask);
  let rest = maskOf(word) & ~mask;
  for (let count = 0; rest !== 0; count += 1) {
    if (count === maxSlips) return false;
    rest &= rest - 1;
  }
  return true;
}

/** Minimum length of a word whose ending may be mistyped. */
const minWithEnding = 6;

/** The known stems of a word whose ending is mistyped by two swapped letters or one too many: of `billign` that of `billing`. */
function stemsOfSlips(word: string, known: ReadonlySet<string>): readonly string[] {
  if (word.length < minWithEnding) return [];
  const found = new Set<string>();
  for (let at = minStem; at < word.length; at += 1) {
    const [before, own, next, after] = [
      word.slice(0, at),
      word.charAt(at),
      word.charAt(at + 1),
      word.slice(at + 2),
    ];
    for (const meant of [before + next + own + after, before + next + after]) {
      const stem = meant.replace(endings, '');
      if (stem !== meant && stem.length >= minStem && known.has(stem)) found.add(stem);
    }
  }
  return [...found];
}

/** The nearest known words of which a word may be a slip. */
function slipsOf(word: string, known: ReadonlySet<string>): readonly string[] {
  const typed = onOtherLayouts(word)
    .map(stemOf)
    .filter((one) => known.has(one));
  if (typed.length > 0) return typed;
  let best = Number.POSITIVE_INFINITY;
  let found: string[] = [];
  for (const one of known) {
    if (!mayBeSlip(word, one)) continue;
    const slip = slipBetween(word, one);
    if (slip === undefined || slip > best) continue;
    if (slip < best) found = [];
    best = slip;
    found.push(one);
  }
  return found.length > 0 ? found : stemsOfSlips(word, known);
}

const synonymsByStem = new Map<string, ReadonlySet<string>>();
for (const group of synonymGroups) {
  const stems = group.split(' ').map(stemOf);
  for (const stem of stems)
    synonymsByStem.set(stem, new Set([...(synonymsByStem.get(stem) ?? []), ...stems]));
}

const synonymsOf = (word: string): readonly string[] =>
  [...(synonymsByStem.get(word) ?? [])].filter((one) => one !== word);

/** Whether people use other words for this one. */
export const hasSynonyms = (word: string): boolean => synonymsByStem.has(stemOf(word));

/** What is meant by each word of a query: by one that no item has, what it begins, else what it is a slip of. */
function meaningsOf(words: readonly string[], items: readonly LooseItem[]): readonly Meaning[] {
  let known: ReadonlySet<string> | undefined;
  return words.map((word): Meaning => {
    const plain: Meaning = { word, synonyms: synonymsOf(word), beginnings: [], slips: [], isVerb: false };
    if (items.some(({ title, words: others }) => title.has(word) || others.has(word)))
      return { ...plain, isVerb: items.some(({ verb }) => verb === word) };
    known ??= new Set(items.flatMap(({ title, words: others }) => [...title, ...others]));
    const beginnings = word.length < minBeginning ? [] : [...known].filter((one) => one.startsWith(word));
    const isKnown = beginnings.length > 0 || hasAny(known, plain.synonyms);
    return { ...plain, beginnings, slips: isKnown ? [] : slipsOf(word, known) };
  });
}

/**
 * How well each item is found by most of a query's words, rare words counting more than those that many items have; by
 * synonyms, the beginnings of words and slips of the keyboard as well. Undefined for an item that is not found.
 */
export function looseMatches(text: string, items: readonly LooseItem[]): readonly (LooseMatch | undefined)[] {
  const words = [...new Set(namingWords(text))];
  if (words.length === 0) return items.map(() => undefined);
  const said = sayings(text);
  const wholes = [namingWords(text), ...said, ...sayings(withoutOpenWords(text))].map(phraseKey);
  const meanings = meaningsOf(words, items);
  const found = meanings.map((meaning) => items.map((item) => qualityOf(meaning, item)));
  const weights = found.map((values) => {
    const count = values.filter((value) => value > 0).length;
    // A word that nothing has says little: people put what they mean beside it.
    return count === 0 ? 1 : Math.log((items.length + 1) / (count + 1)) + 0.5;
  });
  const wordSet = new Set(words);
  const unknown = new Set(
    words.filter((_, at) => !(found[at] ?? []).some((value) => value > qualities.titleSlip)),
  );
  const knownParts = said
    .map((one) => one.filter((word) => !unknown.has(word)))
    .filter(({ length }) => length > 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const letters = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const matches = items.map((item, at): LooseMatch | undefined => {
    if (item.verbatim.has(letters)) return { share: 1, extent: 'verbatim' };
    if (wholes.some((whole) => item.phrases.has(whole))) return { share: 1, extent: 'phrase' };
    const own = qualitiesOf(
      meanings,
      item,
      found.map((one) => one[at] ?? 0),
    );
    if (own.every((value) => value === 0)) return undefined;
    const values = own.map((value, index) =>
      value === 0 && item.context.has(words[index] ?? '') ? qualities.context : value,
    );
    const sum = values.reduce((before, value, index) => before + value * (weights[index] ?? 0), 0);
    const isDone =
      own.some((value) => value > 0 && !titleQualities.has(value)) ||
      meanings.some(
        ({ word, synonyms, beginnings, slips }) =>
          word === item.verb || [synonyms, beginnings, slips].some((meant) => meant.includes(item.verb)),
      );
    // Of two that are found by the same words, the one whose title says less beside them.
    const named = own.filter((value) => titleQualities.has(value)).length;
    const bonus = item.title.size === 0 ? 0 : (0.1 * Math.min(named, item.title.size)) / item.title.size;
    // Names of people and things beside a phrase are no words of it.
    const isPhrase =
      item.parts.slice(1).some((part) => part.size > 1 && isSubset(part, wordSet)) ||
      knownParts.some((known) => item.phrases.has(phraseKey(known)));
    const share = (sum / total) * 0.9 * (isDone ? 1 : withoutVerb) + bonus + (isPhrase ? phraseShare : 0);
    const isSlip = own.some((value) => value === qualities.titleSlip || value === qualities.wordSlip);
    return { share, extent: values.some((value) => value === 0) ? 'most' : isSlip ? 'slip' : 'all' };
  });
  const best = Math.max(0, ...matches.map((match) => match?.share ?? 0));
  const least = best >= minShare ? minShare : Math.max(minShareAlone, best * 0.8);
  return matches.map((match) => (match === undefined || match.share < least ? undefined : match));
}
