import { type Layout, tilesOf } from './layout.ts';
import { type Direction, groupsOf, isBefore, type LayoutNode, leastSize, type Side } from './tree.ts';

/** A place in the workspace, in per cent of it. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The boundary between two children of a split. */
export interface Boundary {
  readonly split: string;
  /** The child before it. */
  readonly index: number;
  readonly direction: Direction;
  /** The place of the whole split. */
  readonly within: Place;
  /** Where it stands: per cent of the split from its start. */
  readonly at: number;
  /** Size of the child before it, per cent of the split; what it may be set to at least and at most. */
  readonly size: number;
  readonly least: number;
  readonly most: number;
  /** Ids of the tiles before and behind it. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

const wholeArea: Place = { left: 0, top: 0, width: 100, height: 100 };

function walk(
  node: LayoutNode,
  place: Place,
  onTile: (id: string, place: Place) => void,
  onBoundary: (boundary: Boundary) => void,
): void {
  if (node.type === 'group') {
    onTile(node.id, place);
    return;
  }
  let start = 0;
  for (const [index, child] of node.children.entries()) {
    const size = node.sizes[index] ?? 0;
    const isRow = node.direction === 'row';
    walk(
      child,
      {
        left: place.left + (isRow ? (place.width * start) / 100 : 0),
        top: place.top + (isRow ? 0 : (place.height * start) / 100),
        width: isRow ? (place.width * size) / 100 : place.width,
        height: isRow ? place.height : (place.height * size) / 100,
      },
      onTile,
      onBoundary,
    );
    start += size;
    const next = node.children[index + 1];
    if (next === undefined) continue;
    onBoundary({
      split: node.id,
      index,
      direction: node.direction,
      within: place,
      at: start,
      size,
      least: Math.min(leastSize, size),
      most: Math.max(size, size + (node.sizes[index + 1] ?? 0) - leastSize),
      before: groupsOf(child).map((group) => group.id),
      behind: groupsOf(next).map((group) => group.id),
    });
  }
}

/** Where each tile stands. */
export function placesOf(root: LayoutNode): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  walk(
    root,
    wholeArea,
    (id, place) => places.set(id, place),
    () => undefined,
  );
  return places;
}

/** Every boundary that can be moved. */
export function boundariesOf(layout: Layout): readonly Boundary[] {
  const boundaries: Boundary[] = [];
  walk(
    layout.root,
    wholeArea,
    () => undefined,
    (boundary) => boundaries.push(boundary),
  );
  return boundaries;
}

/** Edges as far apart as rounding makes them still touch (per cent). */
const slack = 0.05;

/** The tile next to one at a side: the one that touches it there and was shown last, else the one with most in common. */
export function neighbourOf(layout: Layout, id: string, side: Side): string | undefined {
  const places = placesOf(layout.root);
  const from = places.get(id);
  if (from === undefined) return undefined;
  const isRow = side === 'left' || side === 'right';
  const start = (place: Place) => (isRow ? place.left : place.top);
  const end = (place: Place) => (isRow ? place.left + place.width : place.top + place.height);
  const shared = (place: Place) =>
    isRow
      ? Math.min(from.top + from.height, place.top + place.height) - Math.max(from.top, place.top)
      : Math.min(from.left + from.width, place.left + place.width) - Math.max(from.left, place.left);
  const lastShown = new Map(layout.recent.map((tab, index) => [tab, index]));
  const found = tilesOf(layout)
    .flatMap((group) => {
      const place = places.get(group.id);
      if (place === undefined || group.id === id) return [];
      const gap = isBefore(side) ? start(from) - end(place) : start(place) - end(from);
      return Math.abs(gap) < slack && shared(place) > slack
        ? [{ id: group.id, shared: shared(place), shown: lastShown.get(group.active) ?? Infinity }]
        : [];
    })
    .sort((a, b) => a.shown - b.shown || b.shared - a.shared);
  return found[0]?.id;
}
