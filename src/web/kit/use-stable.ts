import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function at every render, which does what the one given last does: rows are not drawn anew for it. */
export function useStable<A extends readonly unknown[], R = void>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
