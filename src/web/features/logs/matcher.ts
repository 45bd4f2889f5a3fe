/** Finds what is searched for in a line. */
export interface Matcher {
  test(text: string): boolean;
  /** The places of the matches in a text, ascending and apart; the first many. */
  ranges(text: string): readonly (readonly [from: number, to: number])[];
}

/** Matches of one line that are marked: every one is an element of the page. */
const maxMatches = 500;
/** Longest text that a pattern is tried on, characters: some patterns take ever longer. */
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
 * A matcher of a search; undefined without one, a sentence for a pattern that cannot be read.
 * @param isRegex the query is a regular expression, as JavaScript has them
 */
export function createMatcher(query: string, isRegex: boolean): Matcher | string | undefined {
  if (query === '') return undefined;
  if (!isRegex) return textMatcher(query);
  let pattern: RegExp;
  try {
    pattern = new RegExp(query, 'giu');
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    return `Invalid regular expression: ${words}`;
  }
  return {
    test(text) {
      pattern.lastIndex = 0;
      return pattern.test(text.slice(0, maxTextLength));
    },
    ranges(text) {
      const found: [number, number][] = [];
      pattern.lastIndex = 0;
      for (const match of text.slice(0, maxTextLength).matchAll(pattern)) {
        if (match[0] === '') continue;
        found.push([match.index, match.index + match[0].length]);
        if (found.length === maxMatches) break;
      }
      return found;
    },
  };
}
