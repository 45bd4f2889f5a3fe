import type { Tone } from '../tone.ts';
import type { Meaning } from './conclude.ts';

/** Maximum length of a label, characters: more does not fit a cell. */
const maxLabelLength = 80;

/** A label from the cluster, cut to the length of a cell; a cut never leaves half a surrogate pair. */
export const labelIn = (text: string): string =>
  text.length > maxLabelLength ? `${text.slice(0, maxLabelLength).toWellFormed()}…` : text;

/** The meaning of a word or of a statement with this tone. */
export const meaningOfTone: Readonly<Record<Tone, Meaning>> = {
  bad: 'hard',
  warn: 'warn',
  info: 'under-way',
  idle: 'idle',
  ok: 'well',
};
