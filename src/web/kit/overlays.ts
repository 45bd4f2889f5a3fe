import { createPort } from '../core/port.ts';
import type { Cell } from '../core/state/state.ts';

/** How many menus and dialogs are open. */
export interface Overlays {
  readonly menu: number;
  readonly dialog: number;
}

export const overlaysPort = createPort<Cell<Overlays>>('count of open menus and dialogs');

/** The number of open menus and dialogs: each counts itself here, so that keys of the page behind it are ignored. */
export const useOverlays = overlaysPort.use;
