import type { Statement } from './conditions.ts';
import type { Tone } from '../tone.ts';

/** The status of an object that has none. */
export const noStatus = { tone: 'idle', label: 'No status' } as const;

/** Maximum length of a label, characters: more does not fit a cell. */
const maxLabelLength = 80;

/** A label from the cluster, cut to the length of a cell; a cut never leaves half a surrogate pair. */
export const labelIn = (text: string): string =>
  text.length > maxLabelLength ? `${text.slice(0, maxLabelLength).toWellFormed()}…` : text;

/** The meaning of a statement for the whole object. */
export const meaningOf: Readonly<Record<Statement, Meaning>> = {
  bad: 'hard',
  soft: 'soft',
  aside: 'aside',
  warn: 'warn',
  slow: 'slow',
  info: 'under-way',
  idle: 'idle',
  ok: 'well',
};

/** The tone of an object about which a statement is right. */
export function toneOf(says: Statement): Tone {
  if (says === 'soft' || says === 'aside') return 'bad';
  return says === 'slow' ? 'warn' : says;
}

/**
 * The meaning of a statement for the object as a whole.
 * - `hard`: a problem, whatever else it says; `soft`: a problem unless work is in progress, or may be; `aside`: a
 *   problem of a part
 * - `under-way`: work is in progress; `open`: a summary condition is undecided; `slow`: a part is undecided
 * - `late`: refers to an earlier spec
 * - `head`: a summary condition is healthy; `word`: its status word is; `well`: another statement is
 * - `unmet`, `done`: a step is not done yet, or is; `said`: an unknown word
 */
export type Meaning =
  | 'hard'
  | 'soft'
  | 'aside'
  | 'warn'
  | 'idle'
  | 'under-way'
  | 'open'
  | 'slow'
  | 'late'
  | 'head'
  | 'word'
  | 'well'
  | 'unmet'
  | 'done'
  | 'said';
