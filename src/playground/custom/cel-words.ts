/** A mistake in an expression, at a place in it. */
export interface Mistake {
  readonly at: number;
  readonly text: string;
}

/** The compiler's words: where, what, and the line with the place under it. */
export function explain(text: string, mistakes: readonly Mistake[]): string {
  return [...mistakes]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text: what }) => {
      const before = text.slice(0, at).split('\n');
      const column = before.at(-1)?.length ?? 0;
      const line = text.split('\n')[before.length - 1] ?? '';
      return `ERROR: <input>:${before.length}:${column + 1}: ${what}\n | ${line}\n | ${'.'.repeat(column)}^`;
    })
    .join('\n');
}
