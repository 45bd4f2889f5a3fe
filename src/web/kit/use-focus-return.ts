import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * For a component that is an overlay: runs what gives the focus back after it closed, unless something took the focus in
 * the meantime. The library asks for it in a timer, which on a busy page comes after the next key; what that key gave the
 * focus to keeps it.
 */
export function useFocusReturn(): (giveBack: () => void) => void {
  /** What had the focus once the overlay was gone. */
  const rested = useRef<Element | null>(null);
  useLayoutEffect(
    () => () => {
      // The observer of what is removed from the page has its turn between the two.
      queueMicrotask(() =>
        queueMicrotask(() => {
          rested.current = document.activeElement;
        }),
      );
    },
    [],
  );
  return useCallback((giveBack) => {
    const active = document.activeElement;
    if (active === rested.current || active === null || active === document.body) giveBack();
  }, []);
}
