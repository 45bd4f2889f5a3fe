import { createPort } from '../../core/port.ts';
import type { Cell } from '../../core/state/state.ts';
import type { PaletteOpening } from './opening.ts';
import type { ShownPalette } from './shown.ts';

/** The palette, closed or open. */
export interface PalettePort {
  /** The moment the open palette was opened in; undefined while it is closed. */
  readonly palette: Cell<PaletteOpening | undefined>;
  /** The palette once it shows. */
  readonly shownPalette: Cell<ShownPalette | undefined>;
}

export const palettePort = createPort<PalettePort>('palette');

/** The palette, closed or open. */
export const usePalette = palettePort.use;
