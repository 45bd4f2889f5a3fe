import { passwordMinimum } from '../../contract/account.ts';
import { commonPasswords } from './common-passwords.ts';

/** The words that somebody who guesses the password of a person tries first. */
export interface OwnWords {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** Names of the organisations that they belong to, or are about to join. */
  readonly organisations?: readonly string[];
}

/** Characters in a row on a keyboard, in the alphabet or in counting. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz 0123456789012345678901234567890',
  'qwertyuiop asdfghjkl zxcvbnm qwertzuiopü yxcvbnm azertyuiop !@#$%^&*()',
  '1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik, 9ol. 0p;/',
].flatMap((all) => all.split(' ').flatMap((row) => [row, Array.from(row).toReversed().join('')]));
/** A shorter row is no pattern: many words have one. */
const shortestRow = 3;
/** Characters besides what is guessed first that make a password hard to guess. */
const enough = 8;
/** Own words that are shorter are part of too many others. */
const shortestWord = 3;
const letterOf: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Why a password is easy to guess, as a sentence for the person who chose it; undefined for one that is not. Length is not
 * its question.
 */
export function guessable(password: string, own: OwnWords): string | undefined {
  const text = fold(password);
  const unit = text.slice(0, periodOf(text));
  if (isCommon(text) || isCommon(unit))
    return 'This is one of the most common passwords, or differs little from one. Choose another, such as a few unrelated words.';
  if (unit.length < Math.min(passwordMinimum, text.length) || weightOf(text) < enough)
    return 'This password repeats itself, or follows the alphabet, numbers or the keys of a keyboard. Choose another, such as a few unrelated words.';
  for (const [words, sentence] of guessesOf(own)) if (isMadeOf(text, words)) return sentence;
  return undefined;
}

/** Lower case, full-width and accented letters as plain ones. */
const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Length of the part that a text repeats, the last time perhaps not whole; its own length where it repeats none. */
function periodOf(text: string): number {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.startsWith(text.slice(period))) return period;
  return text.length;
}

/** Whether a password is on the list, or is a word of it with digits and signs around it or in place of letters. */
function isCommon(text: string): boolean {
  const common = commonPasswords();
  if (common.has(text)) return true;
  const cores = [
    text.replaceAll(/^[^a-z]+|[^a-z]+$/g, ''),
    text.replace(/^[^a-z0-9@$!]+/, '').replace(/[^a-z]+$/, ''),
  ];
  return cores.some((core) => {
    const word = Array.from(core, (character) => letterOf[character] ?? character).join('');
    if (!common.has(core) && !common.has(word)) return false;
    return weightOf(text.replace(core, '')) < enough;
  });
}

/** Characters of a text, of which those in a row count as one. */
function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; ) {
    const length = rowAt(text, at);
    at += length >= shortestRow ? length : 1;
    weight += 1;
  }
  return weight;
}

/** Length of the longest row that begins at a place of a text. */
function rowAt(text: string, at: number): number {
  let longest = 1;
  while (text[at + longest] === text[at]) longest += 1;
  let length = Math.max(longest, shortestRow - 1);
  while (at + length < text.length) {
    const part = text.slice(at, at + length + 1);
    if (!rows.some((row) => row.includes(part))) break;
    length += 1;
    longest = length;
  }
  return longest;
}

/** Words about the person that are guessed first, each with the sentence that refuses it. */
function guessesOf({ name = '', email = '', organisations = [] }: OwnWords) {
  const instead = 'Choose one that says nothing about you.';
  return [
    [wordsOf(name), `This password is made of your name. ${instead}`],
    [wordsOf(email), `This password is made of your email address. ${instead}`],
    [organisations.flatMap(wordsOf), `This password is made of the name of your organisation. ${instead}`],
    [['wheelhouse'], 'This password is made of the name of this product. Choose another.'],
    [
      [...[name, email, ...organisations].flatMap(wordsOf), 'wheelhouse'],
      `This password is made of your name, your email address and the name of your organisation. ${instead}`,
    ],
  ] as const;
}

/** The words of a text, and the text as one, the longest first. */
function wordsOf(text: string): readonly string[] {
  const folded = fold(text);
  const words = folded.split(/[^\p{L}\p{N}]+/u);
  return [folded, words.join(''), ...words]
    .filter((word) => word.length >= shortestWord)
    .sort((a, b) => b.length - a.length);
}

/** Whether too little is left of a password without some words. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  let left = text;
  for (const word of words) left = left.replaceAll(word, '');
  return left !== text && weightOf(left) < enough;
}
