import { createHash } from 'node:crypto';
import { isFull } from '../prove.ts';

/**
 * Environment variable with the commit that chooses the hand of each journey and the slow files of a run; without it all
 * is done.
 */
export const turnVariable = 'GATE_COMMIT';

/** Tag of a journey that is done by both hands in every run. */
const bothHandsTag = '@both-hands';

/**
 * Declares that a journey is done by both hands in every run: it destroys something, signs somebody in or is about
 * rights. Every other one is done by one hand in the gate and by both in `npm run prove`.
 */
export const inBothHands = { tag: bothHandsTag };

/** A number that is even or odd by chance, the same for the same text. */
const draw = (text: string): number => createHash('sha256').update(text).digest()[0] ?? 0;

/** The commit that chooses, where there is one. */
export const turnOfRun = (): string | undefined => (isFull ? undefined : process.env[turnVariable]);

/** One of two, chosen by a text and the commit. */
export const oneOfTwo = <T>(pair: readonly [T, T], text: string, turn: string): T =>
  draw(`${turn}\n${text}`) % 2 === 0 ? pair[0] : pair[1];

/** Number of commits within which what the gate does now and then has its turn, on average. */
const share = 3;

/** Whether a commit chooses what a text names: one of three does. */
export const isChosen = (text: string, turn: string): boolean => draw(`${turn}\n${text}`) % share === 0;

/** The third of a list that a commit chooses: every third element from one of the first three on. */
export const thirdOf = <T>(list: readonly T[], turn: string): readonly T[] =>
  list.filter((_, index) => index % share === draw(turn) % share);

/** Tag of a test that a third of the commits run. */
const nowAndThenTag = '@now-and-then';

/**
 * Declares that a test asks of many screens what holds on every screen (axe), and proves nothing about one of them that no
 * journey proves. A commit runs a third of them in the gate, `npm run prove` all.
 */
export const nowAndThen = { tag: nowAndThenTag };

/** A test as far as the choice of its hand reads it. */
interface Journey {
  readonly title: string;
  readonly tags: readonly string[];
}

/** Whether this run does a journey by both hands. */
export const isDoneByBoth = ({ tags }: Pick<Journey, 'tags'>): boolean =>
  turnOfRun() === undefined || tags.includes(bothHandsTag);

/** Whether this run does a journey by a hand. */
export const isTurnOf = (hand: string, journey: Journey): boolean =>
  isDoneByBoth(journey) || isWholeBy(hand, journey);

/**
 * Whether this run does all of a journey by a hand. Of a journey `inBothHands` the gate's other hand does only what makes
 * it one. Its title names the hand, which does not count.
 */
export function isWholeBy(hand: string, { title }: Pick<Journey, 'title'>): boolean {
  const turn = turnOfRun();
  if (turn === undefined) return true;
  return oneOfTwo(['pointer', 'keyboard'], title.replaceAll(hand, ''), turn) === hand;
}

/** Whether this run leaves a test `nowAndThen` to `npm run prove`. */
export function isLeftToProve({ title, tags }: Journey): boolean {
  const turn = turnOfRun();
  return turn !== undefined && tags.includes(nowAndThenTag) && !isChosen(title, turn);
}

/** Whether this run looks at a state of a test by axe. A test `nowAndThen` is run for all of its states. */
export function isLookedAt(state: string, { tags }: Pick<Journey, 'tags'>): boolean {
  const turn = turnOfRun();
  return turn === undefined || tags.includes(nowAndThenTag) || isChosen(state, turn);
}
