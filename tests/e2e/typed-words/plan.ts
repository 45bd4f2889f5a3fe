import { type Ending, endings, type FocusPlace, focusPlaces, type Rhythm, rhythms } from './typist.ts';

/** A word to type, and how. */
export interface PlannedWord {
  readonly word: string;
  readonly ending: Ending;
  /** Where the focus is; a page without this place takes the next one that it has. */
  readonly focus: FocusPlace;
  readonly rhythm: Rhythm;
}

/** Words in which each place of focus comes with each ending and each rhythm. */
const wordsOfRound = focusPlaces.length * endings.length * rhythms.length;

/** Words that one visit of a page types, in the gate and in full: in full three rounds. */
export const wordsOfVisit = { inGate: 5, inFull: 3 * wordsOfRound } as const;

/** Words of a full visit that are in some of its rounds; each round is another third of its words. */
export const wordsInRounds = (planned: readonly PlannedWord[], rounds: Share): PlannedWord[] =>
  planned.filter((_, at) => isInShare(rounds, Math.floor(at / wordsOfRound)));

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

/** A part of the pages, or of the rounds of each: the `part`th of every `of`. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/**
 * Reads WORD_SHARE or WORD_ROUND, such as `1/4`; without it everything is one share. Throws for what is no share.
 * @param variable the name in the message
 */
export function readShare(text: string | undefined, variable = 'WORD_SHARE'): Share {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text ?? '1/1') ?? [];
  const share = { part: Number(part), of: Number(of) };
  if (share.part >= 1 && share.part <= share.of) return share;
  throw new Error(`${variable} is a part of a number, such as 1/4, and not “${text}”.`);
}

/** Whether an element is in a share, by its place among all. */
export const isInShare = ({ part, of }: Share, index: number): boolean => index % of === part - 1;
