import type { Edit } from './edit.ts';
import { boundariesOf, neighbourOf } from './geometry.ts';
import { focusedGroup, type Layout } from './layout.ts';
import type { Direction, Side } from './tree.ts';

/** The edit that moves the focused tile to a side: it changes places with the tile there, else it goes to that edge. */
export function moveEdit(layout: Layout, side: Side): Edit {
  const tile = layout.focused;
  const other = neighbourOf(layout, tile, side);
  return other === undefined ? { type: 'moveTile', tile, side } : { type: 'swap', one: tile, other };
}

/**
 * The edit that moves the focused tab to a side: it joins the tile there, else it becomes a tile of its own at that
 * side. A tile's only tab takes the tile along.
 */
export function moveTabEdit(layout: Layout, side: Side): Edit {
  const from = focusedGroup(layout);
  const tile = neighbourOf(layout, from.id, side);
  if (tile !== undefined) return { type: 'moveTab', tab: from.active, tile };
  if (from.tabs.length === 1) return { type: 'moveTile', tile: from.id, side };
  return { type: 'placeTab', tab: from.active, beside: from.id, side };
}

/**
 * The edit that makes the focused tile wider (in a row) or taller (in a column) by some per cent of its split: the
 * boundary behind it moves; for the last tile, the one before it. Undefined if no boundary of that direction touches
 * it.
 */
export function resizeEdit(layout: Layout, direction: Direction, by: number): Edit | undefined {
  const around = boundariesOf(layout).filter((one) => one.direction === direction);
  // The innermost split comes last.
  const behind = around.findLast((one) => one.before.includes(layout.focused));
  const before = around.findLast((one) => one.behind.includes(layout.focused));
  const inner = [behind, before].filter((one) => one !== undefined);
  const found = inner.find((one) =>
    inner.every(
      (other) => other.before.length + other.behind.length >= one.before.length + one.behind.length,
    ),
  );
  if (found === undefined) return undefined;
  const size = found.size + (found === behind ? by : -by);
  return { type: 'resize', split: found.split, index: found.index, size };
}
