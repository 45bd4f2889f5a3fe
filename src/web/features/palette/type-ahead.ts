import type { PaletteOpening } from './opening.ts';

/**
 * Applies a key to a palette that is still loading, so that typed text is not lost. Returns undefined if the key closes
 * it, and the same opening for a key without a meaning yet.
 */
export function typedAhead(opening: PaletteOpening, key: string): PaletteOpening | undefined {
  if (key === 'Escape') return undefined;
  if (key === 'Enter') return { ...opening, isEntered: true };
  if (opening.isEntered === true) return opening;
  if (key === 'Backspace') return { ...opening, text: opening.text.slice(0, -1) };
  return /^.$/u.test(key) ? { ...opening, text: opening.text + key } : opening;
}
