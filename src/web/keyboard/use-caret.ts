import { useSyncExternalStore } from 'react';
import { useCell } from '../core/state/state.ts';
import { useOverlays } from '../kit/overlays.ts';
import { isField, takesEscape, terminalOf } from './keyed-elements.ts';

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
  if (terminalOf(element) !== null) return 'terminal';
  return isField(element) ? 'field' : 'view';
}

/** Which keys of the topmost dialog work: mod+Enter where a button acts, Esc where nothing takes it before. */
function keysOfDialog(): 'both' | 'submit' | 'close' | 'no' {
  const acts = [...document.querySelectorAll('[data-dialog]')].at(-1)?.querySelector('footer [data-acts]');
  const closes = !takesEscape(document.activeElement);
  if (acts == null) return closes ? 'close' : 'no';
  return closes ? 'both' : 'submit';
}

/** Which keys of the topmost dialog work at this moment. */
export const useDialogKeys = (): 'both' | 'submit' | 'close' | 'no' =>
  useSyncExternalStore(subscribe, keysOfDialog);

/** Where the caret is at this moment. */
export function useCaret(): Caret {
  const overlay = useCell(useOverlays(), ({ menu, dialog }) =>
    menu > 0 ? 'menu' : dialog > 0 ? 'dialog' : undefined,
  );
  const part = useSyncExternalStore(subscribe, focusedPart);
  return overlay ?? part;
}
