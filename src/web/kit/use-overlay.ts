import { useEffect } from 'react';
import { useOverlays } from './overlays.ts';

/** Says that a menu is open while it is, so that keys of the page behind it rest. */
export function useMenuOverlay(isOpen: boolean): void {
  const overlays = useOverlays();
  useEffect(() => {
    if (!isOpen) return undefined;
    overlays.update((open) => ({ ...open, menu: open.menu + 1 }));
    return () => overlays.update((open) => ({ ...open, menu: open.menu - 1 }));
  }, [overlays, isOpen]);
}
