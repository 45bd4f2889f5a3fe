import { distanceOf } from '../../../registry/edit-distance.ts';
import { namePartsOf } from '../../kit/names.ts';

/** A filter that may be a mistyped name: one word without operators, long enough for a similarity to be no accident. */
const word = /^[a-z\d][a-z\d-]{3,}$/;
/** One mistake is allowed for each this many letters of a word. */
const lettersEach = 4;

/**
 * A suggestion for a filter that finds nothing: the nearest name, or word of a name. Undefined for a filter of more
 * than one word, and if no word is near.
 */
export function nearWord(filter: string, names: Iterable<string>): string | undefined {
  if (!word.test(filter)) return undefined;
  const tried = new Set<string>();
  let best: { readonly text: string; readonly distance: number } | undefined;
  let most = Math.max(1, Math.floor(filter.length / lettersEach));
  for (const name of names) {
    const { stem } = namePartsOf(name);
    if (tried.has(stem)) continue;
    for (const text of [stem, ...stem.split('-')]) {
      if (tried.has(text)) continue;
      tried.add(text);
      const distance = distanceOf(filter, text, most);
      if (distance > most || distance >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue;
      best = { text, distance };
      most = distance;
    }
  }
  return best?.text;
}
