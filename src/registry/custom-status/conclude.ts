import type { Tone } from '../tone.ts';

/** The health of a custom object and the words that explain it. */
export interface CustomHealth {
  readonly tone: Tone;
  /** One or a few words, the cluster's own if it has some. */
  readonly label: string;
  /** The explanation in the cluster's words. */
  readonly message?: string | undefined;
  /** Start time, epoch seconds. */
  readonly since?: number | undefined;
}

/** The health of an object whose controller has not observed the latest change of its spec. */
export const unobservedChange: CustomHealth = {
  tone: 'info',
  label: 'Progressing',
  message: 'Its controller has not seen the latest change yet.',
};

/**
 * What a statement of an object means for the object as a whole.
 * - `hard`: a problem, whatever else it says; `soft`: a problem unless work is in progress; `aside`: a problem of a
 *   part
 * - `under-way`: work is in progress; `open`: a summary condition is undecided
 * - `late`: refers to an earlier spec
 * - `head`: a summary condition is healthy; `well`: another statement is; `said`: an unknown word
 */
export type Meaning =
  | 'hard'
  | 'soft'
  | 'aside'
  | 'warn'
  | 'idle'
  | 'under-way'
  | 'open'
  | 'late'
  | 'head'
  | 'well'
  | 'said';
/** The first statement of each meaning. */
export type FirstByMeaning = Partial<Record<Meaning, CustomHealth>>;

/**
 * Concludes the health of an object from its statements.
 * @param isLate whether all statements refer to an earlier spec
 * @param isHalted whether its fields say that somebody paused it
 */
export function conclude(statements: FirstByMeaning, isLate: boolean, isHalted: boolean): CustomHealth {
  const { hard, soft, aside, warn, idle, open, head, well, said } = statements;
  const underWay = statements['under-way'] ?? (isLate || head === undefined ? statements.late : undefined);
  if (hard !== undefined) return hard;
  if (isHalted) return { tone: 'idle', label: 'Suspended' };
  if (aside !== undefined && head === undefined && underWay === undefined) return aside;
  if (soft !== undefined && underWay === undefined && idle === undefined) return soft;
  if (aside !== undefined) return { ...aside, tone: 'warn' };
  if (warn !== undefined) return warn;
  if (idle !== undefined) return idle;
  if (underWay !== undefined) return { ...underWay, message: soft?.message ?? underWay.message };
  return open ?? head ?? well ?? said ?? { tone: 'idle', label: 'No status' };
}
