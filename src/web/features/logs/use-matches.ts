import { useEffect, useMemo, useReducer, useState } from 'react';
import type { LogBuffer } from './buffer.ts';
import { type Found, follow, type Look, noMatches } from './matches.ts';

/** Remembers what was looked at already, so that only new lines are. */
function createFollower() {
  let known: Found = noMatches;
  let of: LogBuffer | undefined;
  return (look: Look, buffer: LogBuffer): Found => {
    known = follow(of === buffer ? known : noMatches, look, buffer);
    of = buffer;
    return known;
  };
}

/** The matches of a search, found in turns where there is much to look at. `version` changes with the buffer. */
export function useMatches(look: Look, buffer: LogBuffer, version: number): Found {
  const [foundOf] = useState(createFollower);
  const [turn, goOn] = useReducer((count: number) => count + 1, 0);
  // oxlint-disable-next-line react/exhaustive-deps -- the buffer changes in place, and `version` says so; a turn goes on
  const found = useMemo(() => foundOf(look, buffer), [foundOf, look, buffer, version, turn]);
  useEffect(() => {
    if (found.isWhole) return undefined;
    const timer = setTimeout(goOn);
    return () => clearTimeout(timer);
  }, [found]);
  return found;
}
