import type { ActionCommand, Command } from '../commands/command.ts';
import { distanceOf } from '../edit-distance.ts';
import { neededArgs } from '../kinds/kind-action.ts';
import { askedWords, asksForFact, contentWords, fillers, openWords, wordsOf } from './words.ts';

/** A query that names an act and an object, in either order: `checkout logs`, `scale checkout 5`. */
export interface Intent {
  readonly command: ActionCommand;
  /** The words that name the object; empty for what the palette was opened on. */
  readonly object: string;
  /** Arguments that the query gives, ready for the command. */
  readonly args: Readonly<Record<string, unknown>>;
  /** How exactly the query names the act; only compared. */
  readonly score: number;
  /** Whether the act is named by whole words, none of them mistyped. */
  readonly isExact: boolean;
}

/** A command with the lower-case words by which people name the kinds it acts on. */
export interface Verb {
  readonly command: Command;
  readonly kindWords: readonly string[];
}

/** Minimum length of a word that may stand for a longer one. */
const minPrefixLength = 3;
/** A number to set: `5`, `=5`, `x5`, `replicas=5`. */
const numberWord = /^(?:[a-z]+=|[=x])?(\d{1,6})$/;

/** How words match a phrase: exactly, by the beginning of its only word, with a typing mistake, or not at all. */
const qualities = { exact: 2, prefix: 1, mistyped: 0.25, none: 0 } as const;
type Quality = (typeof qualities)[keyof typeof qualities];
/** Minimum length of an act with one typing mistake. */
const minMistypedLength = 4;

/** How the words from a position on match a phrase. */
function matchAt(
  words: readonly string[],
  phrase: readonly string[],
  from: number,
  forgivesTypos: boolean,
): Quality {
  if (from + phrase.length > words.length) return qualities.none;
  if (phrase.every((word, index) => words[from + index] === word)) return qualities.exact;
  const [only = '', ...others] = phrase;
  const typed = words[from] ?? '';
  if (others.length > 0) return qualities.none;
  if (typed.length >= minPrefixLength && only.startsWith(typed)) return qualities.prefix;
  if (!forgivesTypos) return qualities.none;
  return typed.length >= minMistypedLength && distanceOf(typed, only, 2) <= (typed.length > 6 ? 2 : 1)
    ? qualities.mistyped
    : qualities.none;
}

const phrasesByCommand = new WeakMap<Command, readonly (readonly string[])[]>();

/** The phrases that name a command: its title first, its keywords, the first word of its title. */
function phrasesOf(command: Command): readonly (readonly string[])[] {
  const known = phrasesByCommand.get(command);
  if (known !== undefined) return known;
  const { title, keywords = [] } = command;
  const name = wordsOf(typeof title === 'string' ? title : '');
  // `Edit YAML` is named by its first word as well.
  const firstWord = name.slice(0, 1).filter((word) => !openWords.has(word));
  const phrases = [name, ...keywords.map(wordsOf), firstWord];
  phrasesByCommand.set(command, phrases);
  return phrases;
}

/** The best way to read an act from a query, and the words that are left. */
function readAct(
  words: readonly string[],
  command: ActionCommand,
  forgivesTypos: boolean,
): ReadAct | undefined {
  const phrases = phrasesOf(command);
  let best: ReadAct | undefined;
  for (const [index, phrase] of phrases.entries()) {
    if (phrase.length === 0) continue;
    for (let from = 0; from <= words.length - phrase.length; from += 1) {
      const isAtEnd = from === 0 || from === words.length - phrase.length;
      const quality = matchAt(words, phrase, from, forgivesTypos);
      if (quality < qualities.exact && !isAtEnd) continue;
      // The title names an act better than a keyword does, and more words of it better than fewer.
      const score = quality === qualities.none ? 0 : quality * 4 + (index === 0 ? 2 : 0) + phrase.length;
      if (score > (best?.score ?? 0))
        best = {
          score,
          isExact: quality === qualities.exact,
          rest: [...words.slice(0, from), ...words.slice(from + phrase.length)],
        };
    }
  }
  return best === undefined ? undefined : withoutSynonyms(best, phrases);
}

interface ReadAct {
  readonly score: number;
  readonly isExact: boolean;
  readonly rest: readonly string[];
}

/** Leaves out further words for the same act: `rollout undo checkout`, `scale checkout to 5 replicas`. */
function withoutSynonyms(
  { score, isExact, rest }: ReadAct,
  phrases: readonly (readonly string[])[],
): ReadAct {
  const synonyms = new Set(phrases.flatMap((phrase) => (phrase.length === 1 ? phrase : [])));
  const others = rest.filter((word) => !synonyms.has(word));
  const isAllNumbers = others.every((word) => numberWord.test(word));
  return isAllNumbers
    ? { score, isExact, rest }
    : { score: score + rest.length - others.length, isExact, rest: others };
}

/** Takes the number that a command's only number argument asks for from the words. */
function readNumber(command: ActionCommand, words: readonly string[]) {
  const [asked, ...others] = neededArgs(command.args);
  const [name, arg] = asked ?? [];
  if (name === undefined || arg?.type !== 'number' || others.length > 0) return { words, args: {} };
  const at = words.findLastIndex((word) => numberWord.test(word));
  const value = Number(numberWord.exec(words[at] ?? '')?.[1]);
  if (at < 0 || value < arg.min || value > arg.max) return { words, args: {} };
  return { words: words.toSpliced(at, 1), args: { [name]: value } };
}

/** Whether words are the whole title or a whole keyword of a command, and so name no object. */
const isNamedBy = (command: Command, words: readonly string[]): boolean =>
  phrasesOf(command).some(
    (phrase) => phrase.length === words.length && phrase.every((word, at) => word === words[at]),
  );

/** Whether words begin the title of a command, as somebody types it: `resource gr`. */
function isBeginningOf(command: Command, words: readonly string[]): boolean {
  const [title = []] = phrasesOf(command);
  return !openWords.has(words[0] ?? '') && title.join(' ').startsWith(words.join(' '));
}

/**
 * The acts that a query names together with an object, the best named first and a harsher act after the milder one. All
 * of them name the same object. Empty if the query names an act alone, or an act and no more than a kind.
 * @param others commands without an object: `resource graph` is the title of one, and no act on `grafana`
 */
export function readIntents(
  text: string,
  verbs: readonly Verb[],
  others: readonly Command[] = [],
): readonly Intent[] {
  const content = contentWords(askedWords(text));
  if (content.length < 2 || asksForFact(text)) return [];
  // `let me know` is a keyword of words that else ask.
  const readings = [content, wordsOf(text).filter((word) => !fillers.has(word))];
  if (verbs.some(({ command }) => readings.some((words) => isNamedBy(command, words)))) return [];
  if (
    others.some((other) => readings.some((words) => isNamedBy(other, words) || isBeginningOf(other, words)))
  )
    return [];
  // A mistyped act counts only where no other is named.
  const exact = intentsIn(content, verbs, false);
  const found = exact.length > 0 ? exact : intentsIn(content, verbs, true);
  const harshness = ({ command: { harsherThan } }: Intent): number =>
    harsherThan !== undefined && found.some(({ command }) => command.id === harsherThan) ? 1 : 0;
  const sorted = found.toSorted((a, b) => harshness(a) - harshness(b) || b.score - a.score);
  return sorted.filter(({ object }) => object === sorted[0]?.object);
}

/** Every act that some words name beside an object. */
function intentsIn(
  content: readonly string[],
  verbs: readonly Verb[],
  forgivesTypos: boolean,
): readonly Intent[] {
  return verbs.flatMap(({ command, kindWords }): readonly Intent[] => {
    if (command.type !== 'action' || command.actsOn === undefined) return [];
    const act = readAct(content, command, forgivesTypos);
    if (act === undefined || act.rest.length === 0) return [];
    const { words: object, args } = readNumber(command, act.rest);
    const isNumbered = Object.keys(args).length > 0;
    if (object.every((word) => kindWords.includes(word)) && !isNumbered) return [];
    const named = object.every((word) => kindWords.includes(word)) ? [] : object;
    return [{ command, object: named.join(' '), args, score: act.score, isExact: act.isExact }];
  });
}
