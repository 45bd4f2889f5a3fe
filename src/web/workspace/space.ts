import { placesOf } from './geometry.ts';
import { type Direction, type LayoutNode, sumTo100 } from './tree.ts';

/** Per cent of the workspace that a tile keeps in each direction when others are put beside it. */
export const leastShare = 10;

type SplitNode = Extract<LayoutNode, { readonly type: 'split' }>;

/** The tree with every split replaced by what `change` makes of it, inner ones first. Parts that stay keep their identity. */
export function mapSplits(node: LayoutNode, change: (split: SplitNode) => SplitNode): LayoutNode {
  if (node.type === 'group') return node;
  const children = node.children.map((child) => mapSplits(child, change));
  const isSame = children.every((child, index) => child === node.children[index]);
  return change(isSame ? node : { ...node, children });
}

/** How many tiles stand in a line of this direction, at most. */
function span(node: LayoutNode, direction: Direction): number {
  if (node.type === 'group') return 1;
  const spans = node.children.map((child) => span(child, direction));
  return node.direction === direction ? spans.reduce((sum, one) => sum + one, 0) : Math.max(...spans);
}

/** Gives all tiles in a line the same place: every child of a split as much as it has tiles in a line. */
export function spread(node: LayoutNode, directions: readonly Direction[]): LayoutNode {
  return mapSplits(node, (split) => {
    if (!directions.includes(split.direction)) return split;
    const sizes = sumTo100(split.children.map((child) => span(child, split.direction)));
    return sizes.every((size, index) => size === split.sizes[index]) ? split : { ...split, sizes };
  });
}

/** Tolerance for edges moved by rounding, per cent. */
const slack = 0.1;

/** The tree after a tile was put into it: where it made a tile too narrow or too low, all in that direction share alike. */
export function withRoom(before: LayoutNode, after: LayoutNode, direction: Direction): LayoutNode {
  const size = direction === 'row' ? 'width' : 'height';
  const was = placesOf(before);
  const isTight = [...placesOf(after)].some(
    ([id, place]) =>
      place[size] < leastShare - slack && place[size] < (was.get(id)?.[size] ?? Infinity) - slack,
  );
  return isTight ? spread(after, [direction]) : after;
}
