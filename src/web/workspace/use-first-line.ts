import { useEffect } from 'react';
import { useApp } from '../core/context.ts';
import { useView } from './view.ts';
import { focusFirstLine } from './walk.ts';

/**
 * Gives the focus of a page whose lines lead on to the first of them once they are there and whenever it is shown
 * anew, unless something of it has the focus already or a menu or dialog lies over it.
 */
export function useFirstLine(isThere: boolean): void {
  const { overlays, palette } = useApp();
  const { tab, isVisible, isFocused } = useView();
  useEffect(() => {
    const { menu, dialog } = overlays.get();
    const isUnder = menu > 0 || dialog > 0 || palette.get() !== undefined;
    if (isThere && isVisible && isFocused && !isUnder) focusFirstLine(tab);
  }, [overlays, palette, tab, isThere, isVisible, isFocused]);
}
