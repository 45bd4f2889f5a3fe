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

/** A test as far as the choice of its hand reads it. */
interface Journey {
  readonly title: string;
  readonly tags: readonly string[];
}

/** Whether this run does a journey by both hands. */
export const isDoneByBoth = ({ tags }: Pick<Journey, 'tags'>): boolean =>
  turnOfRun() === undefined || tags.includes(bothHandsTag);

/** Whether this run does a journey by a hand. Its title names the hand, which does not count. */
export function isTurnOf(hand: string, journey: Journey): boolean {
  const turn = turnOfRun();
  if (turn === undefined || isDoneByBoth(journey)) return true;
  const title = journey.title.replaceAll(hand, '');
  return oneOfTwo(['pointer', 'keyboard'], title, turn) === hand;
}
