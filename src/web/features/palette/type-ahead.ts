import type { PaletteOpening } from './opening.ts';

/** Keys of the browser: reloading, full screen. */
const functionKey = /^F\d+$/;
/** Keys that move the highlight, which nobody sees yet. */
const movingKey = /^(?:Arrow|Page)/;

/**
 * Applies a key to a palette that is still loading, so that typed text is not lost and none of it means anything on the page
 * behind. Returns undefined if the key closes it, the same opening for a key without a meaning yet, and `left` for a key that
 * is no part of it.
 */
export function typedAhead(opening: PaletteOpening, key: string): PaletteOpening | undefined | 'left' {
  if (key === 'Escape') return undefined;
  if (functionKey.test(key)) return 'left';
  // After a move Enter means an entry that nobody has seen: it is taken for none.
  if (key === 'Enter') return opening.isMoved === true ? opening : { ...opening, isEntered: true };
  if (opening.isEntered === true) return opening;
  if (movingKey.test(key)) return { ...opening, isMoved: true };
  const text = textAfter(opening.text, key);
  return text === opening.text ? opening : { ...opening, text, isMoved: false };
}

/** A text after a key that edits it at its end; the same text for any other key. */
export function textAfter(text: string, key: string): string {
  if (key === 'Backspace') return text.slice(0, -1);
  return /^.$/u.test(key) ? text + key : text;
}
