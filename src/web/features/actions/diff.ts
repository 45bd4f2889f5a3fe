import { diffLines } from 'diff';

/** One line of a difference; `skip` stands for equal lines that are left out. */
export type DiffLine =
  | { readonly type: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly type: 'skip'; readonly count: number };

/** Equal lines kept around a change. */
const contextLines = 2;

/** The difference of two texts by lines, equal stretches shortened. Empty when they are equal. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  if (before === after) return [];
  const parts = diffLines(before, after);
  return parts.flatMap((part, index): readonly DiffLine[] => {
    const texts = part.value.replace(/\n$/, '').split('\n');
    if (part.added || part.removed)
      return texts.map((text) => ({ type: part.added ? 'added' : 'removed', text }));
    const head = index === 0 ? 0 : contextLines;
    const tail = index === parts.length - 1 ? 0 : contextLines;
    const same = (some: readonly string[]) => some.map((text) => ({ type: 'same' as const, text }));
    if (texts.length <= head + tail + 1) return same(texts);
    return [
      ...same(texts.slice(0, head)),
      { type: 'skip', count: texts.length - head - tail },
      ...same(texts.slice(texts.length - tail)),
    ];
  });
}
