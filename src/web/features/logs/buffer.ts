import type { LogLine } from '../../../contract/log.ts';
import { type LogPosition, positionAfter } from '../../../kube/log-position.ts';

/** Lines in one chunk: what is forgotten is forgotten by whole chunks. */
const chunkSize = 500;

/**
 * The lines of a log, up to a maximum: the oldest are dropped. Lines are numbered from 0 as they arrive, and keep their
 * number.
 */
export interface LogBuffer {
  /** Number of the first line that is still there. */
  readonly first: number;
  /** Number that the next line will get. */
  readonly end: number;
  at(number: number): LogLine | undefined;
  /** @param isNoted where these lines' sources go on was noted already */
  push(lines: readonly LogLine[], isNoted?: boolean): void;
  /** Remembers where the sources of lines go on without keeping the lines: they are pushed later, or never. */
  note(lines: readonly LogLine[]): void;
  /** Where each source goes on after a break, also where its lines are forgotten. */
  positions(): ReadonlyMap<number, LogPosition>;
}

/** An empty buffer. @param limit most lines kept; up to a chunk more while it fills */
export function createLogBuffer(limit: number): LogBuffer {
  const chunks: LogLine[][] = [];
  const positions = new Map<number, LogPosition>();
  let first = 0;
  let end = 0;

  function remember([time, , source, mark]: LogLine): void {
    if (time === '' || mark !== undefined) return;
    positions.set(source, positionAfter(positions.get(source), time));
  }

  return {
    get first() {
      return first;
    },
    get end() {
      return end;
    },
    at: (number) => {
      if (number < first || number >= end) return undefined;
      const offset = number - first;
      return chunks[Math.floor(offset / chunkSize)]?.[offset % chunkSize];
    },
    push: (lines, isNoted = false) => {
      for (const line of lines) {
        const last = chunks.at(-1);
        if (last === undefined || last.length === chunkSize) chunks.push([line]);
        else last.push(line);
        end += 1;
        if (!isNoted) remember(line);
      }
      while (end - first > limit + chunkSize && chunks.length > 1) {
        chunks.shift();
        first += chunkSize;
      }
    },
    note: (lines) => {
      for (const line of lines) remember(line);
    },
    positions: () => positions,
  };
}
