import { useLayoutEffect, useRef } from 'react';
import { focusView } from '../kit/focus.ts';
import { focusedTab, type Layout, tilesOf } from './layout.ts';

const overlay = '[role=dialog], [role=alertdialog], [role=menu]';

/**
 * Keeps the keyboard's focus with the focused view: after a change of tiles it goes there, and after any change when
 * what had it is gone. It stays where it is inside that tile, in an overlay, and, while the tiles stay, in the shell.
 */
export function useKeptFocus(layout: Layout): void {
  const tab = focusedTab(layout).id;
  const tiles = tilesOf(layout)
    .map(({ id }) => id)
    .join(' ');
  const last = useRef({ tab, focused: layout.focused, tiles });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { tab, focused: layout.focused, tiles };
    if (before.tab === tab && before.focused === layout.focused && before.tiles === tiles) return;
    const active = document.activeElement;
    const tile = active?.closest<HTMLElement>('[data-tile]');
    const isLost = active === null || active === document.body || active.closest('[hidden]') !== null;
    if (!isLost) {
      if (active.closest(overlay) !== null) return;
      // In its tab list, or in the view itself.
      if (tile?.dataset.tile === layout.focused) return;
      const isElsewhere = tile !== null && tile !== undefined;
      if (!isElsewhere && before.focused === layout.focused && before.tiles === tiles) return;
    }
    focusView(tab);
  });
}
