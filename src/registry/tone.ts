/** The five tones of a status. */
export type Tone = 'ok' | 'info' | 'idle' | 'warn' | 'bad';

/** Rank of a tone when a list is sorted worst first. */
export const toneRank: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, info: 2, ok: 3, idle: 4 };
