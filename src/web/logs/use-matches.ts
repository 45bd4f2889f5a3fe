import { useMemo, useState } from 'react';
import type { LogBuffer } from './buffer.ts';
import { follow, type Matches, noMatches } from './matches.ts';

/** Remembers what was looked at already, so that only new lines are. */
function createFollower() {
  let known: Matches = noMatches;
  let of: LogBuffer | undefined;
  return (query: string, buffer: LogBuffer): Matches => {
    known = follow(of === buffer ? known : noMatches, query, buffer);
    of = buffer;
    return known;
  };
}

/** The lines that a search matches. `version` says when the buffer has changed. */
export function useMatches(query: string, buffer: LogBuffer, version: number): Matches {
  const [matchesOf] = useState(createFollower);
  // oxlint-disable-next-line react/exhaustive-deps -- the buffer changes in place, and `version` says so
  return useMemo(() => matchesOf(query, buffer), [matchesOf, query, buffer, version]);
}
