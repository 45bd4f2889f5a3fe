import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function at every render, which does what the one given last does: rows are not drawn anew for it. */
export function useStable<A extends readonly unknown[]>(run: (...args: A) => void): (...args: A) => void {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
