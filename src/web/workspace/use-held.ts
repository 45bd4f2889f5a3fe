import { useEffect } from 'react';
import { useWorkspace, type HeldThing, type HeldByTab } from './port.ts';
import type { Cell } from '../core/state/state.ts';
import { useView } from './view.ts';

/** Keeps a tab's view mounted, in however many other tabs somebody works, until the answer is called. */
export function hold(held: Cell<HeldByTab>, tab: string, thing: HeldThing): () => void {
  held.update((tabs) => new Map([...tabs, [tab, thing]]));
  return () => held.update((tabs) => new Map([...tabs].filter(([one]) => one !== tab)));
}

/**
 * Keeps the view around this component mounted while it holds something that would be lost with it: a shell, or text
 * that is not saved. Closing its tab, its tile or the browser's window asks first. For one component of a view.
 * @param what as a person reads it, `an open terminal`; undefined while it holds nothing
 * @param isUnsaved whether that is input which is not saved
 */
export function useHeld(what: string | undefined, isUnsaved = true): void {
  const { held } = useWorkspace();
  const { tab } = useView();
  useEffect(() => {
    if (what === undefined) return undefined;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    const letGo = hold(held, tab, { what, isUnsaved });
    return () => {
      window.removeEventListener('beforeunload', ask);
      letGo();
    };
  }, [held, tab, what, isUnsaved]);
}
