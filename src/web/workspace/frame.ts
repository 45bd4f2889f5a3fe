import type { ComponentType } from 'react';
import type { Layout } from './layout.ts';
import type { TileNames } from './tile-names.ts';
import type { TabGroup } from './tree.ts';

/** Props of a frame: a place for each tile. */
export interface FrameProps {
  readonly layout: Layout;
  /** In reading order. */
  readonly tiles: readonly TabGroup[];
  readonly names: TileNames;
  /** Whether the focused tile covers the others. */
  readonly isCovering: boolean;
  /** Notes the element that a tile is put into; null when it goes. */
  readonly slot: (tile: string, element: HTMLElement | null) => void;
}

/** Divides the deck into places for tiles. */
export type Frame = ComponentType<FrameProps>;
