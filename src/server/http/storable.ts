import { Problem } from '../../contract/problem.ts';

/**
 * Refuses NUL and half characters (lone surrogates) anywhere in what a caller sent, keys included: PostgreSQL takes
 * neither in a text or in JSON, so that a call would fail only after its work had begun.
 * @param parts by the name that the sentence uses: path, query, body
 * @throws Problem 400, which names the place and never the text
 */
export function requireStorable(parts: Readonly<Record<string, unknown>>): void {
  for (const [name, part] of Object.entries(parts)) {
    if (isStorable(part)) continue;
    throw new Problem({
      status: 400,
      title: `The ${name} of this request contains a NUL or a lone surrogate, which cannot be stored. Remove it and try again.`,
    });
  }
}

function isStorable(root: unknown): boolean {
  // Not by recursion: callers choose how deep a body is.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) left.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) left.push(key, item);
    }
  }
  return true;
}
