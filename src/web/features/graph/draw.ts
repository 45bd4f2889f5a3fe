import type { Tone } from '../../../registry/tone.ts';
import { type Folding, isOpen, type Item, shownMembers } from './fold.ts';
import type { GraphModel, Relation } from './model.ts';

/** A drawn node: an object, a closed group, or the remaining members of a group that shows only some. */
export interface DrawnNode {
  readonly id: string;
  readonly item: Item;
  /** Members of `item` that this stands for; undefined where it is the item itself. */
  readonly more: number | undefined;
  readonly tone: Tone;
}

/** A drawn edge: that of one pair, or of all the pairs that its ends stand for. */
export interface DrawnEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  readonly count: number;
}

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** The drawn node that stands for each object. */
  readonly standIn: ReadonlyMap<string, string>;
}

/** The visible nodes and edges of a folded graph. */
export function drawGraph(items: readonly Item[], folding: Folding, model: GraphModel): Drawing {
  const nodes: DrawnNode[] = [];
  const standIn = new Map<string, string>();
  const stand = (item: Item, id: string): void => {
    if (item.node !== undefined) standIn.set(item.id, id);
    for (const member of item.members) stand(member, id);
  };
  const draw = (item: Item): void => {
    const opened = item.members.length > 0 && isOpen(folding, item);
    if (item.sort === 'object' || !opened) {
      nodes.push({ id: item.id, item, more: undefined, tone: ownTone(item, opened) });
    }
    if (!opened) {
      stand(item, item.id);
      return;
    }
    if (item.node !== undefined) standIn.set(item.id, item.id);
    const { members, more } = shownMembers(folding, item);
    for (const member of members) draw(member);
    if (more === 0) return;
    const id = `${item.id} › more`;
    const rest = item.members.slice(members.length);
    nodes.push({ id, item, more, tone: rest[0]?.tone ?? 'idle' });
    for (const member of rest) stand(member, id);
  };
  for (const item of items) draw(item);
  return { nodes, edges: liftEdges(model, standIn), standIn };
}

/** Of an open object its own tone: its members show theirs. */
function ownTone({ node, tone }: Item, opened: boolean): Tone {
  return opened && node !== undefined ? (node.status?.tone ?? 'idle') : tone;
}

function liftEdges(model: GraphModel, standIn: ReadonlyMap<string, string>): readonly DrawnEdge[] {
  const found = new Map<string, { -readonly [K in keyof DrawnEdge]: DrawnEdge[K] }>();
  const add = (a: string, b: string, relation: Relation): void => {
    const [from, to] = [standIn.get(a), standIn.get(b)];
    if (from === undefined || to === undefined || from === to) return;
    const id = `${relation}\n${from}\n${to}`;
    const known = found.get(id);
    if (known === undefined) found.set(id, { id, from, to, relation, count: 1 });
    else known.count += 1;
  };
  for (const [child, parent] of model.parents) add(parent, child, 'owns');
  for (const { from, to, relation } of model.edges) add(from, to, relation);
  return [...found.values()];
}
