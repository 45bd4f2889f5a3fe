import { focusedGroup, groupOfTab, type Layout, type LayoutRules, tileLimit, tilesOf } from './layout.ts';
import { clear, withoutTab, withoutTile } from './tabs.ts';
import { mapSplits, spread, withRoom } from './space.ts';
import {
  directionOf,
  isBefore,
  type LayoutNode,
  leastSize,
  makeSplit,
  mapGroups,
  type Opener,
  type Side,
  sumTo100,
  type Tab,
  type TabGroup,
  withGroupBeside,
  withoutGroup,
} from './tree.ts';

/** Changes of tiles; ids that are not there change nothing. */
export type TileEdit =
  /** A new tile beside the focused one, with this path. */
  | {
      readonly type: 'split';
      readonly side: Side;
      readonly href: string;
      /** Where it is opened from. */
      readonly opener?: Opener | undefined;
    }
  /** A tab becomes a tile of its own beside another. */
  | { readonly type: 'placeTab'; readonly tab: string; readonly beside: string; readonly side: Side }
  | { readonly type: 'closeTile'; readonly tile: string }
  | { readonly type: 'focus'; readonly tile: string }
  /** Two tiles change places. */
  | { readonly type: 'swap'; readonly one: string; readonly other: string }
  /** A tile leaves its place for one beside another tile, or at an edge of the whole workspace. */
  | { readonly type: 'moveTile'; readonly tile: string; readonly side: Side; readonly beside?: string }
  /** Sets how much of a split its child at `index` takes (per cent); the child behind it gives or takes the rest. */
  | { readonly type: 'resize'; readonly split: string; readonly index: number; readonly size: number }
  | { readonly type: 'equalise' }
  | { readonly type: 'maximise'; readonly on: boolean };

/** The tree with a tile beside another, none of them too narrow or too low to be of use. */
function placedBeside(
  root: LayoutNode,
  target: string,
  side: Side,
  group: TabGroup,
  newId: () => string,
): LayoutNode {
  return withRoom(root, withGroupBeside(root, target, side, group, newId), directionOf(side));
}

/** Opens a path in a new tile. Nothing happens when the workspace is full. */
export function splitTile(
  layout: Layout,
  {
    side,
    href,
    opener,
  }: { readonly side: Side; readonly href: string; readonly opener?: Opener | undefined },
  rules: LayoutRules,
): Layout {
  if (tilesOf(layout).length >= tileLimit) return layout;
  const tab: Tab = { id: rules.newId(), href, ...(opener === undefined ? {} : { opener }) };
  const group: TabGroup = { type: 'group', id: rules.newId(), tabs: [tab], active: tab.id };
  const root = placedBeside(layout.root, focusedGroup(layout).id, side, group, rules.newId);
  return { ...layout, root, focused: group.id, isMaximised: false };
}

/** Takes a tab out of its tile into a new one. The only tab of a tile takes the tile along, or is shown twice beside itself. */
export function placeTab(
  layout: Layout,
  { tab: id, beside, side }: { readonly tab: string; readonly beside: string; readonly side: Side },
  rules: LayoutRules,
): Layout {
  const from = groupOfTab(layout, id);
  const tab = from?.tabs.find((one) => one.id === id);
  const target = tilesOf(layout).find((group) => group.id === beside);
  if (from === undefined || tab === undefined || target === undefined) return layout;
  if (from.tabs.length === 1) {
    return from === target
      ? splitTile({ ...layout, focused: from.id }, { side, href: tab.href, opener: tab.opener }, rules)
      : moveTile(layout, { tile: from.id, side, beside }, rules);
  }
  if (tilesOf(layout).length >= tileLimit) return layout;
  const left = withoutTab(layout, from, id);
  if (left === undefined) return layout;
  const group: TabGroup = { type: 'group', id: rules.newId(), tabs: [tab], active: id };
  const root = placedBeside(left.root, beside, side, group, rules.newId);
  return { ...left, root, focused: group.id, isMaximised: false };
}

/** Closes a tile with its tabs; the last one gives way to the fallback. */
export function closeTile(layout: Layout, id: string, rules: LayoutRules): Layout {
  if (!tilesOf(layout).some((group) => group.id === id)) return layout;
  return withoutTile(layout, id) ?? clear(layout, rules);
}

/** Focuses a tile. */
export function focusTile(layout: Layout, id: string): Layout {
  if (layout.focused === id || !tilesOf(layout).some((group) => group.id === id)) return layout;
  return { ...layout, focused: id };
}

/** Two tiles change places; sizes belong to places and stay. */
export function swapTiles(
  layout: Layout,
  { one, other }: { readonly one: string; readonly other: string },
): Layout {
  const tiles = tilesOf(layout);
  const a = tiles.find((group) => group.id === one);
  const b = tiles.find((group) => group.id === other);
  if (a === undefined || b === undefined || a === b) return layout;
  const root = mapGroups(layout.root, (group) => (group === a ? b : group === b ? a : group));
  return { ...layout, root };
}

/** Moves a tile beside another, or to an edge of the workspace. */
export function moveTile(
  layout: Layout,
  { tile, side, beside }: { readonly tile: string; readonly side: Side; readonly beside?: string },
  rules: LayoutRules,
): Layout {
  const tiles = tilesOf(layout);
  const group = tiles.find((one) => one.id === tile);
  const rest = withoutGroup(layout.root, tile);
  if (group === undefined || rest === undefined || beside === tile) return layout;
  if (beside !== undefined && !tiles.some((one) => one.id === beside)) return layout;
  const root =
    beside === undefined
      ? atEdge(rest, group, side, rules.newId)
      : placedBeside(rest, beside, side, group, rules.newId);
  if (shapeOf(root) === shapeOf(layout.root)) return focusTile(layout, tile);
  return { ...layout, root, focused: tile, isMaximised: false };
}

const shapeOf = (node: LayoutNode): string =>
  node.type === 'group' ? node.id : `${node.direction}(${node.children.map(shapeOf).join(',')})`;

function atEdge(rest: LayoutNode, group: TabGroup, side: Side, newId: () => string): LayoutNode {
  const direction = directionOf(side);
  const count = rest.type === 'split' && rest.direction === direction ? rest.children.length : 1;
  const size = 100 / (count + 1);
  const old = { node: rest, size: 100 - size };
  const moved = { node: group, size };
  const root = makeSplit(newId(), direction, isBefore(side) ? [moved, old] : [old, moved]);
  return withRoom(rest, root, direction);
}

/** Moves the boundary behind a child of a split; both sides keep the least size. */
export function resize(
  layout: Layout,
  { split, index, size }: { readonly split: string; readonly index: number; readonly size: number },
): Layout {
  const root = mapSplits(layout.root, (node) => {
    const [here, next] = [node.sizes[index], node.sizes[index + 1]];
    if (node.id !== split || here === undefined || next === undefined || !Number.isFinite(size)) return node;
    const both = here + next;
    const wanted = Math.round(Math.min(both - leastSize, Math.max(leastSize, size)) * 100) / 100;
    if (wanted === here || both < 2 * leastSize) return node;
    const sizes = node.sizes.map((one, at) =>
      at === index ? wanted : at === index + 1 ? both - wanted : one,
    );
    return { ...node, sizes: sumTo100(sizes) };
  });
  return root === layout.root ? layout : { ...layout, root };
}

/** Gives all tiles in a line the same size. */
export function equalise(layout: Layout): Layout {
  const root = spread(layout.root, ['row', 'column']);
  return root === layout.root ? layout : { ...layout, root };
}

/** Lets the focused tile cover the others, or no more. One tile alone covers everything anyway. */
export function maximise(layout: Layout, on: boolean): Layout {
  const isMaximised = on && layout.root.type === 'split';
  return layout.isMaximised === isMaximised ? layout : { ...layout, isMaximised };
}
