import type { PaletteOpening } from './opening.ts';

/**
 * What a key does to a palette that was asked for and is still being loaded: what is typed meanwhile is not lost.
 * Answers undefined when it closes it, and the same opening for a key that means nothing yet.
 */
export function typedAhead(opening: PaletteOpening, key: string): PaletteOpening | undefined {
  if (key === 'Escape') return undefined;
  if (key === 'Enter') return { ...opening, isEntered: true };
  if (opening.isEntered === true) return opening;
  if (key === 'Backspace') return { ...opening, text: opening.text.slice(0, -1) };
  return /^.$/u.test(key) ? { ...opening, text: opening.text + key } : opening;
}
