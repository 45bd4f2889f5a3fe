import { useSyncExternalStore } from 'react';
import { useCell } from '../core/state/state.ts';
import { useOverlays } from '../kit/overlays.ts';
import { isField, isTerminal } from './keyed-elements.ts';

/** Where the caret is, and with it what keys mean: in a menu, a dialog, a text field, a terminal, or a view. */
export type Caret = 'menu' | 'dialog' | 'field' | 'terminal' | 'view';

function subscribe(listener: () => void): () => void {
  document.addEventListener('focusin', listener);
  document.addEventListener('focusout', listener);
  return () => {
    document.removeEventListener('focusin', listener);
    document.removeEventListener('focusout', listener);
  };
}

function focusedPart(): Exclude<Caret, 'dialog'> {
  const element = document.activeElement;
  // The palette and other lists to choose from lie over the view without being counted as a dialog.
  if (element?.closest('[role=dialog]') != null) return 'menu';
  if (isTerminal(element)) return 'terminal';
  return isField(element) ? 'field' : 'view';
}

/** Where the caret is at this moment. */
export function useCaret(): Caret {
  const overlay = useCell(useOverlays(), ({ menu, dialog }) =>
    menu > 0 ? 'menu' : dialog > 0 ? 'dialog' : undefined,
  );
  const part = useSyncExternalStore(subscribe, focusedPart);
  return overlay ?? part;
}
