import { useEffect } from 'react';
import { useApp } from '../app/context.ts';
import type { Cell } from '../state/state.ts';
import { useView } from './view.ts';

/** Keeps a tab's view mounted, in however many other tabs somebody works, until the answer is called. */
export function hold(held: Cell<ReadonlySet<string>>, tab: string): () => void {
  held.update((tabs) => new Set([...tabs, tab]));
  return () => held.update((tabs) => new Set([...tabs].filter((one) => one !== tab)));
}

/**
 * Keeps the view around this component mounted while it holds something that would be lost with it: a shell, or text
 * that is not saved. For one component of a view.
 */
export function useHeld(isHolding: boolean): void {
  const { held } = useApp();
  const { tab } = useView();
  useEffect(() => (isHolding ? hold(held, tab) : undefined), [held, tab, isHolding]);
}
