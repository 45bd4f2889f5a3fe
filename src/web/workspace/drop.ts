import type { Dragged } from './begin-drag.ts';
import type { Edit } from './edit.ts';
import type { Side } from './tree.ts';

/** A rectangle of the window, px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A tile as it stands in the window. */
export interface TileBox extends Box {
  readonly id: string;
  /** Height of its tab bar. */
  readonly bar: number;
  /** Its tabs, from left to right. */
  readonly tabs: readonly Box[];
}

/** Where something let go of would go, what would change, and the place to mark. */
export interface Drop {
  readonly edit: Edit;
  readonly mark: Box;
}

/** Share of a tile at each edge that means "beside it". */
const edge = 0.25;

const inside = (box: Box, x: number, y: number) =>
  x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;

/** What letting go at a point means: among the tabs, into the tile, or beside it. Nothing outside the tiles. */
export function dropAt(tiles: readonly TileBox[], what: Dragged, x: number, y: number): Drop | undefined {
  const tile = tiles.find((one) => inside(one, x, y));
  if (tile === undefined) return undefined;
  if (what.type === 'tab' && y < tile.top + tile.bar) {
    const at = tile.tabs.filter((tab) => x > tab.left + tab.width / 2).length;
    const last = tile.tabs.at(-1);
    const left = tile.tabs[at]?.left ?? (last === undefined ? tile.left : last.left + last.width);
    return {
      edit: { type: 'moveTab', tab: what.tab, tile: tile.id, at },
      mark: { left: left - 1, top: tile.top, width: 2, height: tile.bar },
    };
  }
  const body: Box = { ...tile, top: tile.top + tile.bar, height: tile.height - tile.bar };
  const side = sideAt(body, x, y);
  const mark = side === undefined ? body : halfOf(tile, side);
  if (what.type === 'tab') {
    return side === undefined
      ? { edit: { type: 'moveTab', tab: what.tab, tile: tile.id }, mark }
      : { edit: { type: 'placeTab', tab: what.tab, beside: tile.id, side }, mark };
  }
  if (what.tile === tile.id) return undefined;
  return side === undefined
    ? { edit: { type: 'swap', one: what.tile, other: tile.id }, mark }
    : { edit: { type: 'moveTile', tile: what.tile, beside: tile.id, side }, mark };
}

/** The edge a point is near to, measured in shares of the box; none in its middle. */
function sideAt(box: Box, x: number, y: number): Side | undefined {
  const across = (x - box.left) / box.width;
  const along = Math.max(0, (y - box.top) / box.height);
  const distances: readonly (readonly [Side, number])[] = [
    ['left', across],
    ['right', 1 - across],
    ['up', along],
    ['down', 1 - along],
  ];
  const [side, distance] = [...distances].sort((a, b) => a[1] - b[1])[0] ?? ['left', 1];
  return distance < edge ? side : undefined;
}

function halfOf({ left, top, width, height }: Box, side: Side): Box {
  switch (side) {
    case 'left':
      return { left, top, width: width / 2, height };
    case 'right':
      return { left: left + width / 2, top, width: width / 2, height };
    case 'up':
      return { left, top, width, height: height / 2 };
    case 'down':
      return { left, top: top + height / 2, width, height: height / 2 };
    default: {
      const never: never = side;
      return never;
    }
  }
}
