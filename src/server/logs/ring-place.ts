import { logTimeKey } from '../../kube/log-line.ts';
import type { FollowQuery } from './follow.ts';
import type { LogRing } from './ring.ts';

/** A stream whose last entries are kept. */
export interface KeptStream {
  /** The query that opened the stream. */
  readonly query: FollowQuery;
  readonly ring: LogRing;
  /** Whether everything that was written before the stream was opened has come. */
  readonly isPresent: boolean;
}

/** The number from which the newest lines of a ring are `count`; undefined when there are fewer. Marks do not count. */
function newest(ring: LogRing, count: number): number | undefined {
  let left = count;
  let at = ring.end;
  while (left > 0 && at > ring.first) {
    at -= 1;
    if (ring.at(at)?.isMark === false) left -= 1;
  }
  return left === 0 ? at : undefined;
}

/** The number of the first line written at or after a time (ms since 1970); undefined when older ones are not kept. */
function sinceTime(ring: LogRing, from: number): number | undefined {
  for (let at = ring.end - 1; at >= ring.first; at -= 1) {
    const time = ring.at(at)?.time ?? '';
    if (time !== '' && Date.parse(time) < from) return at + 1;
  }
  return undefined;
}

/**
 * The number of the first line of a ring that was written after a time; its end if all are older. Undefined if lines
 * after that time may have been dropped. A reader that has read up to there knows the lines before, marks included.
 */
function afterTime(ring: LogRing, after: string): number | undefined {
  const key = logTimeKey(after);
  let isReached = false;
  for (let at = ring.first; at < ring.end; at += 1) {
    const time = ring.at(at)?.time ?? '';
    if (time === '') continue;
    if (logTimeKey(time) >= key) return isReached ? at : undefined;
    isReached = true;
  }
  return isReached ? ring.end : undefined;
}

/**
 * The number in a stream's ring from which it answers a query.
 * @param now ms since 1970
 * @returns undefined where the kept entries do not answer it
 */
export function placeIn(
  { query: own, ring, isPresent }: KeptStream,
  query: FollowQuery,
  now: number,
): number | undefined {
  const isWhole = ring.first === 0;
  if (query.after !== undefined) return afterTime(ring, query.after);
  // While older lines are still coming, the same query gets the same lines.
  const isSame =
    own.after === undefined && own.tailLines === query.tailLines && own.sinceSeconds === query.sinceSeconds;
  if (!isPresent) return isSame && isWhole ? 0 : undefined;
  const isUnbounded = isWhole && own.after === undefined && own.sinceSeconds === undefined;
  const isAll = isUnbounded && own.tailLines === undefined;
  const { tailLines, sinceSeconds } = query;
  if (sinceSeconds === undefined) {
    if (tailLines === undefined) return isAll ? 0 : undefined;
    const enough = newest(ring, tailLines);
    if (enough !== undefined) return enough;
    // Fewer are kept because the log itself has no more.
    return isAll || (isUnbounded && (own.tailLines ?? 0) >= tailLines) ? 0 : undefined;
  }
  const since = sinceTime(ring, now - sinceSeconds * 1000) ?? (isAll ? 0 : undefined);
  if (since === undefined || tailLines === undefined) return since;
  return Math.max(since, newest(ring, tailLines) ?? 0);
}
