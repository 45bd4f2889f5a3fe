import { RE2JS, RE2JSSyntaxException } from 're2js';
import { maxRegexLength, tooLong } from '../../../registry/filter/check.ts';
import { keepLatest } from './latest.ts';
import type { CompileRegex, RegexTest } from './regex.ts';

/** Maximum number of steps that an expression is compiled to: each character of a text may take that many. */
const maxSteps = 2_000;
const keptExpressions = 30;

/** `^` and `$` are the ends of each cell; upper and lower case are alike. */
const flags = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;

const refused = (source: string, reason: string) =>
  `The regular expression /${source}/ cannot be read: ${reason}.`;

function compile(source: string): RegexTest | string {
  if (source.length > maxRegexLength) return tooLong(source);
  try {
    const expression = RE2JS.compile(source, flags);
    if (expression.programSize() > maxSteps) return refused(source, 'it asks for too many repetitions');
    return (text) => expression.test(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const reason = error.error;
    return /Perl syntax|escape/.test(reason)
      ? refused(source, `${reason} (look-around and back-references are not known)`)
      : refused(source, reason);
  }
}

const compiled = new Map<string, RegexTest | string>();

/**
 * Regular expressions of RE2: they take time in proportion to the text, whatever the expression, so that nobody's link
 * can stop the page. Loaded when a filter first asks for one.
 */
export const compileRegex: CompileRegex = (source) => {
  const outcome = compiled.get(source) ?? compile(source);
  keepLatest(compiled, source, outcome, keptExpressions);
  return outcome;
};
