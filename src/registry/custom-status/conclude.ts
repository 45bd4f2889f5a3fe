import type { Tone } from '../tone.ts';

/** How a custom object does, and what of it says so. */
export interface CustomHealth {
  readonly tone: Tone;
  /** One or a few words, the cluster's own where it has some. */
  readonly label: string;
  /** Why, in the cluster's words. */
  readonly message?: string | undefined;
  /** Since when, epoch seconds. */
  readonly since?: number | undefined;
}

/** Of an object whose controller has not seen the latest change of its spec. */
export const unobservedChange: CustomHealth = {
  tone: 'info',
  label: 'Progressing',
  message: 'Its controller has not seen the latest change yet.',
};

/**
 * What an object says, by what it means for the whole:
 * - `hard` is trouble whatever else it says; `soft` is, unless something is under way; `aside` is trouble of a part
 * - `under-way`: something says that work goes on; `open`: a head is not decided yet
 * - `late`: it speaks of an earlier spec
 * - `head`: a head is well; `well`: something else is; `said`: a word that is not known
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
/** The first of each meaning. */
export type FirstByMeaning = Partial<Record<Meaning, CustomHealth>>;

/**
 * What all of it comes to.
 * @param isLate whether all of it speaks of an earlier spec
 * @param isHalted whether somebody stopped it, as far as its fields tell
 */
export function conclude(heard: FirstByMeaning, isLate: boolean, isHalted: boolean): CustomHealth {
  const { hard, soft, aside, warn, idle, open, head, well, said } = heard;
  const underWay = heard['under-way'] ?? (isLate || head === undefined ? heard.late : undefined);
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
