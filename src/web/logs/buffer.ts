import type { LogLine } from '../../contract/log.ts';

/** Lines in one chunk: what is forgotten is forgotten by whole chunks. */
const chunkSize = 500;

/**
 * The lines of a log, at most so many: the oldest are forgotten. Lines are numbered from 0 as they come, and keep
 * their number.
 */
export interface LogBuffer {
  /** Number of the first line that is still there. */
  readonly first: number;
  /** Number that the next line will get. */
  readonly end: number;
  at(number: number): LogLine | undefined;
  push(lines: readonly LogLine[]): void;
  /** Where to go on after a break: the time of the last line, and how many of the last lines have exactly that time. */
  resume(): { readonly after: string; readonly skip: number } | undefined;
}

/** An empty buffer. @param limit most lines kept; up to a chunk more while it fills */
export function createLogBuffer(limit: number): LogBuffer {
  const chunks: LogLine[][] = [];
  let first = 0;
  let end = 0;
  const at = (number: number): LogLine | undefined => {
    if (number < first || number >= end) return undefined;
    const offset = number - first;
    return chunks[Math.floor(offset / chunkSize)]?.[offset % chunkSize];
  };
  return {
    get first() {
      return first;
    },
    get end() {
      return end;
    },
    at,
    push: (lines) => {
      for (const line of lines) {
        const last = chunks.at(-1);
        if (last === undefined || last.length === chunkSize) chunks.push([line]);
        else last.push(line);
        end += 1;
      }
      while (end - first > limit + chunkSize && chunks.length > 1) {
        chunks.shift();
        first += chunkSize;
      }
    },
    resume: () => {
      const after = at(end - 1)?.[0] ?? '';
      if (after === '') return undefined;
      let skip = 0;
      while (at(end - 1 - skip)?.[0] === after) skip += 1;
      return { after, skip };
    },
  };
}
