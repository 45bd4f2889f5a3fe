import { distanceOf } from '../../../registry/edit-distance.ts';
import { namePartsOf } from '../../kit/names.ts';

/** What may be a name that was mistyped: one word without operators, long enough to be like another by more than chance. */
const word = /^[a-z\d][a-z\d-]{3,}$/;
/** So many letters of a word may each have one mistake. */
const lettersEach = 4;

/**
 * What somebody may have meant by a filter that finds nothing: the name, or the word of a name, that is nearest to it.
 * Undefined for a filter that is more than a word, and where no word is near.
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
