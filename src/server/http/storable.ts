import { Problem } from '../../contract/problem.ts';
import { isStorable } from '../kit/storable.ts';

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
