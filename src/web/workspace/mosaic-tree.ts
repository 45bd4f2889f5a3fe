import type { MosaicNode, MosaicPath } from 'react-mosaic-component';
import type { Edit } from './edit.ts';
import type { Layout } from './layout.ts';
import type { LayoutNode, Side, Split } from './tree.ts';

/** Names of tiles, by their ids: sorted as text they are in reading order. */
export type TileNames = ReadonlyMap<string, string>;

/** Between two names that are given together, so that others fit between them. */
const gap = 2 ** 30;
const digits = 16;
const nameOf = (place: number) => String(place).padStart(digits, '0');

/** The longest part of some numbers that is in order already, by index. */
function longestRun(numbers: readonly number[]): readonly number[] {
  const best: (readonly number[])[] = [];
  for (const [index, number] of numbers.entries()) {
    const before = numbers
      .slice(0, index)
      .flatMap((one, at) => (one < number ? [best[at] ?? []] : []))
      .sort((a, b) => b.length - a.length)[0];
    best.push([...(before ?? []), index]);
  }
  return [...best].sort((a, b) => b.length - a.length)[0] ?? [];
}

/**
 * Names for tiles in reading order. Mosaic draws tiles in the order of their names, and the order of elements is that
 * of the Tab key. A tile keeps its name, and with it its element, unless it moved past others.
 * @param known the names of before; given back where they still fit
 * @param ids the tiles there are, in reading order
 */
export function namesOf(known: TileNames, ids: readonly string[]): TileNames {
  const old = ids.filter((id) => known.has(id));
  const numbers = old.map((id) => Number(known.get(id)));
  const kept = new Map(longestRun(numbers).flatMap((at) => [[old[at] ?? '', numbers[at] ?? 0]]));
  if (kept.size === ids.length && known.size === ids.length) return known;
  const places: number[] = [];
  for (const [index, id] of ids.entries()) {
    const own = kept.get(id);
    const before = places.at(-1) ?? 0;
    if (own !== undefined) {
      places.push(own);
      continue;
    }
    const rest = ids.slice(index);
    const next = rest.findIndex((one) => kept.has(one));
    const after = next < 0 ? undefined : kept.get(rest[next] ?? '');
    places.push(after === undefined ? before + gap : before + Math.floor((after - before) / (next + 1)));
  }
  const isSound = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  // No room is left between two of them: all get new names.
  return new Map(ids.map((id, at) => [id, nameOf(isSound ? (places[at] ?? 0) : (at + 1) * gap)]));
}

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
