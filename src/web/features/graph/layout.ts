import { Graph, layout } from '@dagrejs/dagre';

/** Size of a node (px); its text is cut to it. */
export const nodeSize = { width: 216, height: 46 } as const;
/** Distance of columns and of nodes in a column (px). */
const gaps = { ranksep: 72, nodesep: 14, edgesep: 8 } as const;

/** A request to lay out a graph. */
export interface LayoutRequest {
  readonly id: number;
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** The middle of a node (px). */
export type Places = readonly (readonly [id: string, x: number, y: number])[];

/** The answer of the worker. */
export interface LayoutAnswer {
  readonly id: number;
  readonly places: Places;
}

/** Nodes that hang together, and those that nothing is tied to; in the order of their first nodes. */
function partsOf({ nodes, edges }: Omit<LayoutRequest, 'id'>): {
  readonly tied: readonly (readonly string[])[];
  readonly alone: readonly string[];
} {
  const neighbours = new Map(nodes.map((id) => [id, [] as string[]]));
  for (const [from, to] of edges) {
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const seen = new Set<string>();
  const parts = nodes.flatMap((id) => {
    if (seen.has(id)) return [];
    const part = new Set([id]);
    // A set that is gone through gives what is added meanwhile as well.
    for (const one of part) for (const other of neighbours.get(one) ?? []) part.add(other);
    for (const one of part) seen.add(one);
    return [[...part]];
  });
  return {
    tied: parts.filter(({ length }) => length > 1),
    alone: parts.filter(({ length }) => length === 1).flat(),
  };
}

/** Columns of what is tied to nothing. */
const columns = 4;

/**
 * Lays a graph out from left to right, in columns: what hangs together one below the other, in the order of its nodes,
 * last what nothing is tied to. The same graph always in the same way.
 */
export function layoutGraph(request: Omit<LayoutRequest, 'id'>): Places {
  const { tied, alone } = partsOf(request);
  const places: (readonly [string, number, number])[] = [];
  const [middle, half] = [nodeSize.width / 2, nodeSize.height / 2];
  let top = 0;
  for (const part of tied) {
    const members = new Set(part);
    const graph = new Graph();
    graph.setGraph({ rankdir: 'LR', ...gaps });
    graph.setDefaultEdgeLabel(() => ({}));
    // In the order of the whole: the search for the members went along the edges.
    for (const id of request.nodes) if (members.has(id)) graph.setNode(id, { ...nodeSize });
    for (const [from, to] of request.edges) if (members.has(from)) graph.setEdge(from, to);
    layout(graph);
    let height = 0;
    for (const id of graph.nodes()) {
      const { x = middle, y = half } = graph.node(id) as { readonly x?: number; readonly y?: number };
      places.push([id, x, top + y]);
      height = Math.max(height, y + half);
    }
    top += height + gaps.nodesep * 2;
  }
  for (const [at, id] of alone.entries()) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const x = middle + column * (nodeSize.width + gaps.ranksep);
    places.push([id, x, top + half + row * (nodeSize.height + gaps.nodesep)]);
  }
  return places;
}
