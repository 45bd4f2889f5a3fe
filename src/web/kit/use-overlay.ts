import { useLayoutEffect } from 'react';
import { useOverlays } from './overlays.ts';

/** Says that a menu is open while it is, so that keys of the page behind it rest. */
export function useMenuOverlay(isOpen: boolean): void {
  const overlays = useOverlays();
  // Before the menu is painted: its first key may come as soon as it is seen.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    overlays.update((open) => ({ ...open, menu: open.menu + 1 }));
    return () => overlays.update((open) => ({ ...open, menu: open.menu - 1 }));
  }, [overlays, isOpen]);
}
