import type { ActionCommand, Command } from './command.ts';
import { distanceOf } from './edit-distance.ts';
import { neededArgs } from './kind-action.ts';

/** A query that names an act and an object, in either order: `checkout logs`, `scale checkout 5`. */
export interface Intent {
  readonly command: ActionCommand;
  /** The words that name the object; empty for what the palette was opened on. */
  readonly object: string;
  /** Arguments that the query gives, ready for the command. */
  readonly args: Readonly<Record<string, unknown>>;
  /** How exactly the query names the act; only compared. */
  readonly score: number;
}

/** A command with the lower-case words by which people name the kinds it acts on. */
export interface Verb {
  readonly command: Command;
  readonly kindWords: readonly string[];
}

/** Words between an act and its object that name neither. */
const fillers: ReadonlySet<string> = new Set('a an at for from in kubectl of on the to'.split(' '));
/** Words before an object that ask for no more than its page. */
const openWords: ReadonlySet<string> = new Set(
  'decode describe details find get go goto inspect k open reveal show view'.split(' '),
);
/** Minimum length of a word that may stand for a longer one. */
const minPrefixLength = 3;
/** A number to set: `5`, `=5`, `x5`. */
const numberWord = /^[=x]?(\d{1,6})$/;

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('…', '')
    .split(/\s+/)
    .filter((word) => word !== '');

/** A query without the words that ask for no more than a page: `kubectl get pods` is `pods`. Never empty unless `text` is. */
export function withoutOpenWords(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isPlain = (word: string) => openWords.has(word.toLowerCase()) || fillers.has(word.toLowerCase());
  const from = words.findIndex((word) => !isPlain(word));
  const to = words.findLastIndex((word) => !isPlain(word));
  return from < 0 ? text : words.slice(from, to + 1).join(' ');
}

/** How words match a phrase: exactly, by the beginning of its only word, with a typing mistake, or not at all. */
const qualities = { exact: 2, prefix: 1, mistyped: 0.25, none: 0 } as const;
type Quality = (typeof qualities)[keyof typeof qualities];
/** Minimum length of an act with one typing mistake. */
const minMistypedLength = 4;

/** How the words from a position on match a phrase. */
function matchAt(words: readonly string[], phrase: readonly string[], from: number): Quality {
  if (from + phrase.length > words.length) return qualities.none;
  if (phrase.every((word, index) => words[from + index] === word)) return qualities.exact;
  const [only = '', ...others] = phrase;
  const typed = words[from] ?? '';
  if (others.length > 0) return qualities.none;
  if (typed.length >= minPrefixLength && only.startsWith(typed)) return qualities.prefix;
  return typed.length >= minMistypedLength && distanceOf(typed, only, 2) <= (typed.length > 6 ? 2 : 1)
    ? qualities.mistyped
    : qualities.none;
}

/** The best way to read an act from a query, and the words that are left. */
function readAct(
  words: readonly string[],
  { title, keywords = [] }: ActionCommand,
): { readonly score: number; readonly rest: readonly string[] } | undefined {
  const name = wordsOf(typeof title === 'string' ? title : '');
  // `Edit YAML` is named by its first word as well.
  const firstWord = name.slice(0, 1).filter((word) => !openWords.has(word));
  const phrases = [name, ...keywords.map(wordsOf), firstWord];
  let best: { readonly score: number; readonly rest: readonly string[] } | undefined;
  for (const [index, phrase] of phrases.entries()) {
    if (phrase.length === 0) continue;
    for (let from = 0; from <= words.length - phrase.length; from += 1) {
      const isAtEnd = from === 0 || from === words.length - phrase.length;
      const quality = matchAt(words, phrase, from);
      if (quality < qualities.exact && !isAtEnd) continue;
      // The title names an act better than a keyword does, and more words of it better than fewer.
      const score = quality === qualities.none ? 0 : quality * 4 + (index === 0 ? 2 : 0) + phrase.length;
      if (score > (best?.score ?? 0))
        best = { score, rest: [...words.slice(0, from), ...words.slice(from + phrase.length)] };
    }
  }
  return best;
}

/** Every score of an act that is not mistyped is at least this. */
const mistypedScore = 5;

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

/**
 * The acts that a query names together with an object, the best named first and a harsher act after the milder one. All
 * of them name the same object. Empty if the query names an act alone, or an act and no more than a kind.
 */
export function readIntents(text: string, verbs: readonly Verb[]): readonly Intent[] {
  const words = wordsOf(text);
  const content = words.filter((word) => !fillers.has(word));
  if (content.length < 2) return [];
  const found = verbs.flatMap(({ command, kindWords }): readonly Intent[] => {
    if (command.type !== 'action' || command.actsOn === undefined) return [];
    const act = readAct(content, command);
    if (act === undefined || act.rest.length === 0) return [];
    const { words: object, args } = readNumber(command, act.rest);
    const isNumbered = Object.keys(args).length > 0;
    if (object.every((word) => kindWords.includes(word)) && !isNumbered) return [];
    const named = object.every((word) => kindWords.includes(word)) ? [] : object;
    return [{ command, object: named.join(' '), args, score: act.score }];
  });
  const harshness = ({ command: { harsherThan } }: Intent): number =>
    harsherThan !== undefined && found.some(({ command }) => command.id === harsherThan) ? 1 : 0;
  // A mistyped act counts only where no other is named.
  const bestScore = Math.max(0, ...found.map(({ score }) => score));
  const named = found.filter(({ score }) => bestScore < mistypedScore || score >= mistypedScore);
  const sorted = named.toSorted((a, b) => harshness(a) - harshness(b) || b.score - a.score);
  return sorted.filter(({ object }) => object === sorted[0]?.object);
}
