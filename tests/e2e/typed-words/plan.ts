import { type Ending, endings, type FocusPlace, focusPlaces, type Rhythm, rhythms } from './typist.ts';

/** A word to type, and how. */
export interface PlannedWord {
  readonly word: string;
  readonly ending: Ending;
  /** Where the focus is; a page without this place takes the next one that it has. */
  readonly focus: FocusPlace;
  readonly rhythm: Rhythm;
}

/** Words that one visit of a page types, in the gate and in full: each place of focus with each ending and each rhythm. */
export const wordsOfVisit = {
  inGate: 5,
  inFull: focusPlaces.length * endings.length * rhythms.length,
} as const;

/** In full this many words are drawn, and so many are needed for what the plan promises. */
export const drawnWords = 200;

/**
 * Words of one visit of a page. Each number from 0 stands for a word, an ending, a place of focus and a rhythm; the visits
 * take the numbers one after another. 200 words and three endings have no common divisor, so 600 numbers in a row are every
 * word with every ending; 18 in a row, from a multiple of 18, are every place of focus with every ending. The shift by 1,800
 * lets each word meet the other places with the next ones.
 * @param visit number of the visit, over all pages and modes
 */
export function wordsOf(visit: number, words: readonly string[], isFull: boolean): PlannedWord[] {
  const count = isFull ? wordsOfVisit.inFull : wordsOfVisit.inGate;
  return Array.from({ length: count }, (_, at): PlannedWord => {
    const number = visit * count + at;
    const place = number + Math.floor(number / 6) + Math.floor(number / 1_800);
    const isPerson = isFull ? Math.floor(number / 18) % 2 === 1 : at === visit % count;
    return {
      word: words[number % words.length] ?? '',
      ending: endings[number % endings.length] ?? 'Enter',
      focus: focusPlaces[place % focusPlaces.length] ?? 'view',
      rhythm: isPerson ? 'person' : 'burst',
    };
  });
}

/** A part of the pages: the `part`th of every `of`. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** Reads WORD_SHARE, such as `1/4`; without it everything is one share. Throws for what is no share. */
export function readShare(text: string | undefined): Share {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text ?? '1/1') ?? [];
  const share = { part: Number(part), of: Number(of) };
  if (share.part >= 1 && share.part <= share.of) return share;
  throw new Error(`WORD_SHARE is a part of a number, such as 1/4, and not “${text}”.`);
}

/** Whether an element is in a share, by its place among all. */
export const isInShare = ({ part, of }: Share, index: number): boolean => index % of === part - 1;
