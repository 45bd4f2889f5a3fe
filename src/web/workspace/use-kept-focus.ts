import { useLayoutEffect, useRef } from 'react';
import { focusView } from '../kit/focus.ts';
import { focusedTab, type Layout, tilesOf } from './layout.ts';
import { viewKey } from './place.ts';

const overlay = '[role=dialog], [role=alertdialog], [role=menu]';
/** Controls that keys press; one of the view before means something else beside the next. */
const pressable = 'button, a[href], summary';

/**
 * Keeps the keyboard's focus with the focused view: after a change of tiles it goes there, and after any change when
 * what had it is gone. A tab that shows another view of its object takes it from the buttons of the one before. It stays where it is inside that tile, in an overlay, and, while the tiles stay, in the shell.
 */
export function useKeptFocus(layout: Layout): void {
  const { id: tab, href } = focusedTab(layout);
  const view = viewKey(href);
  const tiles = tilesOf(layout)
    .map(({ id }) => id)
    .join(' ');
  const last = useRef({ tab, view, focused: layout.focused, tiles });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { tab, view, focused: layout.focused, tiles };
    const active = document.activeElement;
    if (before.tab === tab && before.focused === layout.focused && before.tiles === tiles) {
      const isInView = active?.closest(`[id="view-${tab}"]`) != null;
      if (before.view !== view && isInView && active.matches(pressable)) focusView(tab);
      return;
    }
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
