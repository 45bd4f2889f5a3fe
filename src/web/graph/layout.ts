import { Graph, layout } from '@dagrejs/dagre';

/** Size of a node (px); its text is cut to it. */
export const nodeSize = { width: 216, height: 46 } as const;
/** Distance of columns and of nodes in a column (px). */
const gaps = { ranksep: 72, nodesep: 14, edgesep: 8 } as const;

/** What is to be laid out. */
export interface LayoutRequest {
  readonly id: number;
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** The middle of a node (px). */
export type Places = readonly (readonly [id: string, x: number, y: number])[];

/** What a worker answers. */
export interface LayoutAnswer {
  readonly id: number;
  readonly places: Places;
}

/** Lays a graph out from left to right, in columns; the same graph always in the same way. */
export function layoutGraph({ nodes, edges }: Omit<LayoutRequest, 'id'>): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', ...gaps });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of nodes) graph.setNode(id, { ...nodeSize });
  for (const [from, to] of edges) graph.setEdge(from, to);
  layout(graph);
  return nodes.map((id) => {
    const { x = 0, y = 0 } = graph.node(id) as { readonly x?: number; readonly y?: number };
    return [id, x, y];
  });
}
