import { Lexer } from 'yaml';

/**
 * Whether a text of YAML has more tokens than this. Splitting it into tokens takes time in proportion to its length;
 * what takes long is to parse them.
 */
export function hasMoreTokens(text: string, limit: number): boolean {
  // No token is shorter than a character, but for the marks around documents and scalars.
  if (text.length * 2 < limit) return false;
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= limit; count += 1) if (tokens.next().done === true) return false;
  return true;
}
