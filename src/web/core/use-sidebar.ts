import { useSyncExternalStore } from 'react';
import { useKept } from './state/port.ts';
import { useCell } from './state/state.ts';

const query = typeof matchMedia === 'undefined' ? undefined : matchMedia('(max-width: 767.98px)');

function subscribe(listener: () => void): () => void {
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** Whether the window is narrower than 768 px. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches ?? false);
}

/** Whether the sidebar is open (by default from 768 px on), and whether the window is narrow. */
export function useSidebarOpen(): readonly [isOpen: boolean, isNarrow: boolean] {
  const { appearance } = useKept();
  const isNarrow = useNarrow();
  const chosen = useCell(appearance, (state) => state.isSidebarOpen);
  return [chosen ?? !isNarrow, isNarrow];
}
