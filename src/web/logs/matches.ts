import { plainText } from './ansi.ts';
import type { LogBuffer } from './buffer.ts';

/** The lines of a log that a search matches, kept up while lines come and go. */
export interface Matches {
  readonly query: string;
  /** Numbers of the lines, ascending. */
  readonly lines: readonly number[];
  /** Lines before this number have been looked at. */
  readonly until: number;
}

export const noMatches: Matches = { query: '', lines: [], until: 0 };

/** Looks at the lines that came since, or at all of them for another query. Upper and lower case are alike. */
export function follow(known: Matches, query: string, buffer: LogBuffer): Matches {
  if (query === '') return noMatches;
  const wanted = query.toLowerCase();
  const isSame = known.query === query;
  const kept = isSame ? known.lines.filter((line) => line >= buffer.first) : [];
  const found: number[] = [];
  for (let at = Math.max(isSame ? known.until : 0, buffer.first); at < buffer.end; at += 1) {
    if (
      plainText(buffer.at(at)?.[1] ?? '')
        .toLowerCase()
        .includes(wanted)
    )
      found.push(at);
  }
  if (isSame && found.length === 0 && kept.length === known.lines.length && known.until === buffer.end)
    return known;
  return { query, lines: [...kept, ...found], until: buffer.end };
}

/** The match after (or before) a line, round the ends; undefined without any. */
export function stepMatch({ lines }: Matches, from: number | undefined, by: 1 | -1): number | undefined {
  if (lines.length === 0) return undefined;
  if (from === undefined) return by > 0 ? lines[0] : lines.at(-1);
  const next = by > 0 ? lines.find((line) => line > from) : lines.findLast((line) => line < from);
  return next ?? (by > 0 ? lines[0] : lines.at(-1));
}
