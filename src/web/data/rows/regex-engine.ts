import { RE2JS, RE2JSSyntaxException } from 're2js';
import { maxRegexLength, tooLong } from '../../../registry/filter/check.ts';
import { keepLatest } from './latest.ts';
import type { CompileRegex, Regex } from './regex.ts';

/** Maximum number of steps that an expression is compiled to: each character of a text may take that many. */
const maxSteps = 2_000;
const keptExpressions = 30;
/**
 * Steps that finding one match may take, about 10 ms: an expression of many steps is looked for in the beginning of a long
 * text only.
 */
const maxWork = 256_000;
/** Time for finding all matches of one text, ms: each of them alone may take the time of the whole text. */
const maxTime = 20;
/** Most that counts for one match, ms: what takes longer was done by others meanwhile. */
const maxTimeOfMatch = 10;

/** `^` and `$` are the ends of each cell; upper and lower case are alike. */
const flags = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;

const refused = (source: string, reason: string) =>
  `The regular expression /${source}/ cannot be read: ${reason}.`;

function rangesOf(expression: RE2JS, text: string, most: number): [number, number][] {
  const matcher = expression.matcher(text.slice(0, Math.floor(maxWork / expression.programSize())));
  const found: [number, number][] = [];
  let from = performance.now();
  let spent = 0;
  while (found.length < most && matcher.find()) {
    if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
    const now = performance.now();
    spent += Math.min(now - from, maxTimeOfMatch);
    from = now;
    if (spent > maxTime) break;
  }
  return found;
}

function compile(source: string): Regex | string {
  if (source.length > maxRegexLength) return tooLong(source);
  try {
    const expression = RE2JS.compile(source, flags);
    if (expression.programSize() > maxSteps) return refused(source, 'it asks for too many repetitions');
    return {
      test: (text) => expression.test(text),
      ranges: (text, most) => rangesOf(expression, text, most),
    };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const reason = error.error;
    return /Perl syntax|escape/.test(reason)
      ? refused(source, `${reason} (look-around and back-references are not known)`)
      : refused(source, reason);
  }
}

const compiled = new Map<string, Regex | string>();

/**
 * Regular expressions of RE2: they take time in proportion to the text, whatever the expression, so that nobody's link
 * can stop the page. Loaded when a filter or the search of a log first asks for one.
 */
export const compileRegex: CompileRegex = (source) => {
  const outcome = compiled.get(source) ?? compile(source);
  keepLatest(compiled, source, outcome, keptExpressions);
  return outcome;
};
