import type { DrawnEdge } from './draw.ts';

/** Where a node is drawn: its middle, in pixels of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Nodes whose middles differ by less than this stand in one column (px). */
const columnWidth = 60;
/** And in one row (px). */
const rowHeight = 30;

function nearest(ids: readonly string[], at: Point, places: ReadonlyMap<string, Point>): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const place = places.get(id);
    if (place === undefined) continue;
    const distance = Math.abs(place.y - at.y) + Math.abs(place.x - at.x) / 1000;
    if (distance < least) [best, least] = [id, distance];
  }
  return best;
}

/**
 * The node that a step leads to: left and right go along an edge, against it or with it, to the nearest end, and
 * where there is none to the neighbour in the same row; up and down to the neighbour in the same column. Undefined where nothing lies that way.
 * @param places where each node is drawn; a graph is laid out from left to right
 */
export function walkGraph(
  from: string,
  direction: Direction,
  edges: readonly DrawnEdge[],
  places: ReadonlyMap<string, Point>,
): string | undefined {
  const at = places.get(from);
  if (at === undefined) return undefined;
  if (direction === 'left' || direction === 'right') {
    const isThere = (id: string) => {
      const x = places.get(id)?.x ?? at.x;
      return direction === 'right' ? x > at.x : x < at.x;
    };
    const ends = edges.flatMap((edge) =>
      edge.from === from ? [edge.to] : edge.to === from ? [edge.from] : [],
    );
    // Where no edge leads, the neighbour in the row does: what is tied to nothing stands in rows.
    const row = [...places].filter(([id, place]) => isThere(id) && Math.abs(place.y - at.y) < rowHeight);
    const beside = row.toSorted(([, a], [, b]) => Math.abs(a.x - at.x) - Math.abs(b.x - at.x))[0]?.[0];
    return nearest(ends.filter(isThere), at, places) ?? beside;
  }
  const sign = direction === 'down' ? 1 : -1;
  const column = [...places].filter(
    ([id, place]) =>
      id !== from && Math.abs(place.x - at.x) < columnWidth && Math.sign(place.y - at.y) === sign,
  );
  return nearest(
    column.map(([id]) => id),
    at,
    places,
  );
}
