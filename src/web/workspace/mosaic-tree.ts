import type { MosaicNode, MosaicPath } from 'react-mosaic-component';
import type { Edit } from './edit.ts';
import type { Layout } from './layout.ts';
import type { TileNames } from './tile-names.ts';
import type { LayoutNode, Side, Split } from './tree.ts';

/** The tree as Mosaic takes it, with the same paths. */
export function toMosaic(node: LayoutNode, names: TileNames): MosaicNode<string> {
  if (node.type === 'group') return names.get(node.id) ?? node.id;
  return {
    type: 'split',
    direction: node.direction,
    children: node.children.map((child) => toMosaic(child, names)),
    splitPercentages: [...node.sizes],
  };
}

/** The part of the tree at a path of Mosaic: one index for each split on the way. */
export function nodeAt(root: LayoutNode, path: MosaicPath): LayoutNode | undefined {
  return path.reduce<LayoutNode | undefined>(
    (node, index) => (node?.type === 'split' ? node.children[index] : undefined),
    root,
  );
}

/** The dragged item: a tab, or a whole tile. */
export type Dragged =
  | { readonly type: 'tab'; readonly tab: string }
  | { readonly type: 'tile'; readonly tile: string };

/** Where something was dropped: a place of Mosaic's, or one among the tabs of a tile. */
export type Dropped =
  | {
      readonly path: MosaicPath;
      readonly position?: 'top' | 'bottom' | 'left' | 'right';
      readonly swap?: boolean;
    }
  | { readonly tile: string; readonly at: number };

const sides: Readonly<Record<'top' | 'bottom' | 'left' | 'right', Side>> = {
  top: 'up',
  bottom: 'down',
  left: 'left',
  right: 'right',
};

/**
 * The edit for a drop: a tab moves among the tabs, into the tile, or beside it; two tiles change places. Undefined for
 * no change.
 */
export function dropEdit({ root }: Layout, what: Dragged, drop: Dropped): Edit | undefined {
  if ('at' in drop) return what.type === 'tab' ? { type: 'moveTab', tab: what.tab, ...drop } : undefined;
  const side = drop.position === undefined ? undefined : sides[drop.position];
  const target = nodeAt(root, drop.path);
  if (target === undefined) return undefined;
  if (target.type === 'split')
    // An edge of the whole workspace.
    return what.type === 'tile' && side !== undefined
      ? { type: 'moveTile', tile: what.tile, side }
      : undefined;
  if (what.type === 'tab')
    return side === undefined
      ? { type: 'moveTab', tab: what.tab, tile: target.id }
      : { type: 'placeTab', tab: what.tab, beside: target.id, side };
  if (what.tile === target.id) return undefined;
  return side === undefined
    ? { type: 'swap', one: what.tile, other: target.id }
    : { type: 'moveTile', tile: what.tile, beside: target.id, side };
}

/** Among tabs: before the one whose first half is under the pointer, else behind the last. */
export function placeAmong(
  tabs: readonly { readonly left: number; readonly width: number }[],
  x: number,
): number {
  return tabs.filter(({ left, width }) => x > left + width / 2).length;
}

/**
 * The boundary that new sizes of a split move, with the size of the child before it (per cent of the split).
 * Nothing where no size is another.
 */
export function resizeOf(
  split: Split,
  sizes: readonly number[],
): { readonly split: string; readonly index: number; readonly size: number } | undefined {
  const index = split.sizes.findIndex((size, at) => Math.abs(size - (sizes[at] ?? size)) > 0.005);
  const size = sizes[index];
  return size === undefined ? undefined : { split: split.id, index, size };
}
