import { createPort } from '../core/port.ts';
import type { Cell } from '../core/state/state.ts';

/** How many menus and dialogs are open. */
export interface Overlays {
  readonly menu: number;
  readonly dialog: number;
}

export const overlaysPort = createPort<Cell<Overlays>>('count of open menus and dialogs');

/** How many menus and dialogs are open: whoever opens one counts it here, so that keys of the page behind it rest. */
export const useOverlays = overlaysPort.use;
