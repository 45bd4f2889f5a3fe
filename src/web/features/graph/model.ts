import type { GraphKnown, GraphTie } from '../../../contract/graph.ts';
import type { Row } from '../../../contract/live.ts';
import type { Tone } from '../../../registry/tone.ts';

/** An object of a graph. */
export interface GraphNode {
  /** Its reference key. */
  readonly key: string;
  /** Id of its kind, or the name of one without a file. */
  readonly kind: string;
  /** Kubernetes' own name of the kind. */
  readonly label: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly status: { readonly label: string; readonly tone: Tone } | undefined;
  readonly known: GraphKnown;
  readonly ties: readonly { readonly tie: GraphTie; readonly to: string }[];
}

/** How one object leads to another, read along the edge. */
export type Relation = 'owns' | 'uses' | 'targets' | 'selects';

/** An edge from one object to another. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
}

/** Objects, who owns whom, and what else ties them. */
export interface GraphModel {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The one owner under which an object is shown: no object is its own ancestor. */
  readonly parents: ReadonlyMap<string, string>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** All but those of `parents`; what an object and its owner both need is the owner's alone. */
  readonly edges: readonly GraphEdge[];
}

/** Owners above each other; clusters have five at most, a claim of more is somebody's play. */
const maxOwnerDepth = 20;

const nodeOfRow = new WeakMap<Row, GraphNode>();
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The object that a row of the wire is; the same for the same row. */
export function readNode(row: Row): GraphNode {
  const known = nodeOfRow.get(row);
  if (known !== undefined) return known;
  const [key, [kind, label, namespace, name, status, state, ties]] = row;
  const [word, tone] = Array.isArray(status) ? (status as readonly unknown[]) : [];
  const list = Array.isArray(ties) ? (ties as readonly unknown[]) : [];
  const node: GraphNode = {
    key,
    kind: text(kind),
    label: text(label),
    namespace: text(namespace),
    name: text(name),
    status: word === undefined ? undefined : { label: text(word), tone: text(tone) as Tone },
    known: text(state) as GraphKnown,
    ties: list.flatMap((tie, at) =>
      at % 2 === 0 ? [{ tie: text(tie) as GraphTie, to: text(list[at + 1]) }] : [],
    ),
  };
  nodeOfRow.set(row, node);
  return node;
}

const relations: Readonly<Record<GraphTie, Relation>> = {
  owner: 'owns',
  uses: 'uses',
  targets: 'targets',
  selected: 'selects',
};

/** Reads a graph from the rows of the wire. What they name and is not among them is left out. */
export function readGraph(rows: Iterable<Row>): GraphModel {
  const nodes = new Map<string, GraphNode>();
  for (const row of rows) nodes.set(row[0], readNode(row));
  const parents = new Map<string, string>();
  const isAbove = (key: string, other: string) => {
    for (let at: string | undefined = other; at !== undefined; at = parents.get(at))
      if (at === key) return true;
    return false;
  };
  const all: GraphEdge[] = [];
  for (const { key, ties } of nodes.values()) {
    for (const { tie, to } of ties) {
      if (!nodes.has(to) || to === key) continue;
      // Objects that claim to own each other have no place below themselves.
      if (tie === 'owner' && !parents.has(key) && !isAbove(key, to)) {
        parents.set(key, to);
        continue;
      }
      const [from, target] = tie === 'owner' || tie === 'selected' ? [to, key] : [key, to];
      all.push({ from, to: target, relation: relations[tie] });
    }
  }
  for (const key of nodes.keys()) {
    let [at, depth] = [key, 1];
    for (let next = parents.get(at); next !== undefined && depth < maxOwnerDepth; next = parents.get(at)) {
      at = next;
      depth += 1;
    }
    const above = parents.get(at);
    if (above === undefined) continue;
    parents.delete(at);
    all.push({ from: above, to: at, relation: 'owns' });
  }
  const children = new Map<string, string[]>();
  for (const [key, parent] of parents) {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [key]);
    else known.push(key);
  }
  const named = new Set(all.map(({ from, to }) => `${from}\n${to}`));
  const isInherited = ({ from, to }: GraphEdge) => {
    for (let at = parents.get(from); at !== undefined; at = parents.get(at))
      if (named.has(`${at}\n${to}`)) return true;
    return false;
  };
  return { nodes, parents, children, edges: all.filter((edge) => !isInherited(edge)) };
}
