import type { PointerEvent } from 'react';
import type { App } from '../app/context.ts';

/** What is dragged: a tab, or a whole tile. */
export type Dragged =
  | { readonly type: 'tab'; readonly tab: string }
  | { readonly type: 'tile'; readonly tile: string };

/** Loads what follows a drag. */
export const loadDrag = () => import('./drag.ts');

/** A press that may become a drag. A finger that goes along the tabs scrolls them: the browser takes it then. */
export function beginDrag(
  { workspace, services }: Pick<App, 'workspace' | 'services'>,
  event: PointerEvent,
  what: Dragged,
): void {
  if (event.button !== 0) return;
  if (event.target instanceof Element && event.target.closest('button, [data-no-drag]') !== null) return;
  event.stopPropagation();
  const from = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
  void loadDrag().then(
    ({ followDrag }) => followDrag({ workspace, services }, from, what),
    (error: unknown) => services.log('What follows a drag could not be loaded.', error),
  );
}
