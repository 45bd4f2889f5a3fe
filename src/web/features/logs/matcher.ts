import type { RegexEngine } from '../../data/rows/use-regex-engine.ts';

/** Finds what is searched for in a line. */
export interface Matcher {
  test(text: string): boolean;
  /** The places of the matches in a text, ascending and apart; the first many. */
  ranges(text: string): readonly (readonly [from: number, to: number])[];
}

/** Matches of one line that are marked: every one is an element of the page. */
const maxMatches = 500;
/** Longest text that an expression is tried on, characters. */
const maxTextLength = 8_192;

/** A matcher of a text, upper and lower case alike. */
export function textMatcher(query: string): Matcher {
  const wanted = query.toLowerCase();
  return {
    test: (text) => text.toLowerCase().includes(wanted),
    ranges(text) {
      const whole = text.toLowerCase();
      // A letter whose lower case is longer would shift what follows: such a line is shown without marks.
      if (whole.length !== text.length) return [];
      const found: [number, number][] = [];
      for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
        found.push([at, at + wanted.length]);
        if (found.length === maxMatches) break;
      }
      return found;
    },
  };
}

/**
 * A matcher of a search; undefined without one or while the engine loads, a sentence for an expression that cannot be
 * read.
 * @param isRegex the query is a regular expression, as filters have them: it may come from somebody's link
 */
export function createMatcher(
  query: string,
  isRegex: boolean,
  { compile, problem }: RegexEngine,
): Matcher | string | undefined {
  if (query === '') return undefined;
  if (!isRegex) return textMatcher(query);
  const regex = problem ?? compile?.(query);
  if (typeof regex !== 'object') return regex;
  return {
    test: (text) => regex.test(text.slice(0, maxTextLength)),
    ranges: (text) => regex.ranges(text.slice(0, maxTextLength), maxMatches),
  };
}
