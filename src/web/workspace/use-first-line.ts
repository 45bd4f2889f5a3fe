import { useEffect } from 'react';
import { useView } from './view.ts';
import { focusFirstLine } from './walk.ts';

/**
 * Gives the focus of a page whose lines lead on to the first of them once they are there and whenever it is shown
 * anew, unless something of it has the focus already.
 */
export function useFirstLine(isThere: boolean): void {
  const { tab, isVisible, isFocused } = useView();
  useEffect(() => {
    if (isThere && isVisible && isFocused) focusFirstLine(tab);
  }, [tab, isThere, isVisible, isFocused]);
}
