import { useEffect } from 'react';
import { useCommands } from '../core/commands.ts';
import { useView } from './view.ts';
import { focusFirstLine } from './walk.ts';

/**
 * Gives the focus of a page whose lines lead on to the first of them once they are there and whenever it is shown
 * anew, unless something of it has the focus already or a menu or dialog lies over it.
 */
export function useFirstLine(isThere: boolean): void {
  const { moment } = useCommands();
  const { tab, isVisible, isFocused } = useView();
  useEffect(() => {
    const isUncovered = moment.context().overlay === 'none';
    if (isThere && isVisible && isFocused && isUncovered) focusFirstLine(tab);
  }, [moment, tab, isThere, isVisible, isFocused]);
}
