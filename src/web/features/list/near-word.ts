import { namePartsOf } from '../../kit/names.ts';

/** What may be a name that was mistyped: one word without operators, long enough to be like another by more than chance. */
const word = /^[a-z\d][a-z\d-]{3,}$/;
/** So many letters of a word may each have one mistake. */
const lettersEach = 4;

/**
 * How many letters lie between two words: put in, left out, replaced, or two next to each other swapped. Above `most` it is
 * only known to be more.
 */
export function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last]: [readonly number[], readonly number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, at) => at),
  ];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    if (Math.min(...next) > most) return most + 1;
    [before, last] = [last, next];
  }
  return last[b.length] ?? most + 1;
}

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
