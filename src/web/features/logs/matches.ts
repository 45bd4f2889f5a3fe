import { plainText } from './ansi.ts';
import type { LogBuffer } from './buffer.ts';
import { isFoundIn } from './columns.ts';
import { jsonOf } from './json.ts';
import { type LogLevel, levelOf, logLevels } from './level.ts';
import type { Matcher } from './matcher.ts';

/** A search, by identity: another matcher or level is another search. */
export interface Look {
  readonly matcher: Matcher | undefined;
  /** Only matching lines are shown. */
  readonly isOnly: boolean;
  /** Only lines this loud or louder are shown. */
  readonly level: LogLevel | undefined;
  /** Lines of JSON are shown by their message and fields: `failed$` means the end of one of them. */
  readonly hasFields: boolean;
}

/** The matches of a search in a buffer, kept current while lines arrive and are dropped. */
export interface Found {
  readonly look: Look;
  /** Numbers of the lines that match, ascending; of those that are shown. */
  readonly matches: readonly number[];
  /** Numbers of the lines that are shown, ascending; undefined: all. */
  readonly shown: readonly number[] | undefined;
  /** Lines before this number have been looked at. */
  readonly until: number;
  /** Every line has been looked at; false where time ran out, until the rest follows. */
  readonly isWhole: boolean;
  /** How loud each source was last: lines that do not say it belong to the one before. */
  readonly levels: Map<number, LogLevel>;
}

export const noLook: Look = { matcher: undefined, isOnly: false, level: undefined, hasFields: true };
export const noMatches: Found = {
  look: noLook,
  matches: [],
  shown: undefined,
  until: 0,
  isWhole: true,
  levels: new Map(),
};

const isSame = (a: Look, b: Look) =>
  a.matcher === b.matcher && a.isOnly === b.isOnly && a.level === b.level && a.hasFields === b.hasFields;

/** Whether a line matches as it was written, or as it is shown. */
function isMatchOf(text: string, { matcher, hasFields }: Look): boolean {
  if (matcher === undefined) return false;
  if (matcher.test(text)) return true;
  const json = hasFields ? jsonOf(text) : undefined;
  return json !== undefined && isFoundIn(json, [], matcher);
}

const from = (lines: readonly number[], first: number) =>
  (lines[0] ?? first) >= first ? lines : lines.filter((line) => line >= first);

/** Time for one turn of looking at lines, ms: expressions over long logs take longer, and the page is to stay awake. */
const maxTime = 40;
/** Lines between two glances at the clock. */
const linesOfGlance = 16;

/**
 * Looks at the lines that came since, or at all of them for another look; goes on with the same look where time ran out.
 * @param now the present moment, ms
 */
export function follow(known: Found, look: Look, buffer: LogBuffer, now = () => performance.now()): Found {
  const goesOn = isSame(known.look, look);
  const start = Math.max(goesOn ? known.until : 0, buffer.first);
  const matches = goesOn ? from(known.matches, buffer.first) : [];
  const filters = (look.isOnly && look.matcher !== undefined) || look.level !== undefined;
  const shown = !filters ? undefined : goesOn ? from(known.shown ?? [], buffer.first) : [];
  if (goesOn && start === buffer.end && matches === known.matches && shown === known.shown) return known;
  const levels = goesOn ? known.levels : new Map<number, LogLevel>();
  const newMatches: number[] = [];
  const newShown: number[] = [];
  const least = look.level === undefined ? 0 : logLevels.indexOf(look.level);
  let until = buffer.end;
  const began = now();
  if (look.matcher !== undefined || filters) {
    for (let at = start; at < buffer.end; at += 1) {
      if (at > start && (at - start) % linesOfGlance === 0 && now() - began > maxTime) {
        until = at;
        break;
      }
      const line = buffer.at(at);
      if (line === undefined) continue;
      const [, coloured, source, mark] = line;
      // Messages of the console are never hidden.
      if (mark !== undefined) {
        if (filters) newShown.push(at);
        continue;
      }
      const text = plainText(coloured);
      if (look.level !== undefined) {
        const own = levelOf(text);
        if (own !== undefined) levels.set(source, own);
        const level = own ?? levels.get(source);
        if (level === undefined || logLevels.indexOf(level) < least) continue;
      }
      const isMatch = isMatchOf(text, look);
      if (isMatch) newMatches.push(at);
      if (filters && (isMatch || !look.isOnly || look.matcher === undefined)) newShown.push(at);
    }
  }
  return {
    look,
    matches: newMatches.length === 0 ? matches : [...matches, ...newMatches],
    shown: shown === undefined ? undefined : newShown.length === 0 ? shown : [...shown, ...newShown],
    until,
    isWhole: until === buffer.end,
    levels,
  };
}

/** The match after (or before) a line, round the ends; undefined without any. */
export function stepMatch(
  { matches }: Pick<Found, 'matches'>,
  at: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (matches.length === 0) return undefined;
  if (at === undefined) return by > 0 ? matches[0] : matches.at(-1);
  const next = by > 0 ? matches.find((line) => line > at) : matches.findLast((line) => line < at);
  return next ?? (by > 0 ? matches[0] : matches.at(-1));
}

/** The match at a line or nearest above it; where there is none, the first below. Undefined without any. */
const nearestMatch = ({ matches }: Pick<Found, 'matches'>, line: number): number | undefined =>
  matches.findLast((one) => one <= line) ?? matches[0];

/** Where somebody was when they began to type a search. */
export interface SearchOrigin {
  readonly line: number;
  /** The log was followed. */
  readonly isAtEnd: boolean;
}

/** The line that a typed search goes to; undefined without any match, and where the log is followed: it goes on to be. */
export const searchedLine = (
  found: Pick<Found, 'matches'>,
  { line, isAtEnd }: SearchOrigin,
): number | undefined => (isAtEnd ? undefined : nearestMatch(found, line));

/** The lines that are shown, by their place. */
export interface Rows {
  readonly count: number;
  /** The number of the line in this place. */
  at(index: number): number;
  /** The place of a line, or of the first after it. */
  indexOf(line: number): number;
}

/** The rows of a buffer: all of its lines, or those that were found. */
export function rowsOf(buffer: LogBuffer, { shown }: Pick<Found, 'shown'>): Rows {
  if (shown === undefined) {
    const { first, end } = buffer;
    return {
      count: end - first,
      at: (index) => first + index,
      indexOf: (line) => Math.max(0, Math.min(line, end) - first),
    };
  }
  return {
    count: shown.length,
    at: (index) => shown[index] ?? -1,
    indexOf(line) {
      let [low, high] = [0, shown.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((shown[middle] ?? 0) < line) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
