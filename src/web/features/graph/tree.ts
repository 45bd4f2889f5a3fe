import type { Folding, Item } from './fold.ts';
import { isOpen, shownMembers } from './fold.ts';
import type { GraphModel, GraphNode, Relation } from './model.ts';

/**
 * A line of the tree.
 * - `item`: a group or an object
 * - `tie`: another object that the one above it is tied to
 * - `more`: members that do not show yet
 * - `rest`: ties that are not listed
 */
export interface TreeRow {
  readonly id: string;
  readonly sort: 'item' | 'tie' | 'more' | 'rest';
  readonly item: Item;
  /** Of a tie, the other object and how it is meant: `uses`, `used by`. */
  readonly tie?: { readonly to: GraphNode; readonly words: string };
  /** Of `more` and `rest`, how many. */
  readonly count?: number;
  /** Undefined for what cannot be opened. */
  readonly isOpen: boolean | undefined;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  /** Id of the line above it in the tree; undefined at the top. */
  readonly parent: string | undefined;
}

/** Ties that one object lists. */
const maxTies = 50;

const outgoingLabels: Readonly<Record<Relation, string>> = {
  owns: 'owns',
  uses: 'uses',
  targets: 'targets',
  selects: 'selects',
};
const incomingLabels: Readonly<Record<Relation, string>> = {
  owns: 'owned by',
  uses: 'used by',
  targets: 'target of',
  selects: 'selected by',
};

/** A tie of an object, in words. */
export interface TieLine {
  readonly to: GraphNode;
  readonly words: string;
}

/** The ties of every object to others, besides who owns it; what it leads to first. */
export function tiesByObject(model: GraphModel): ReadonlyMap<string, readonly TieLine[]> {
  const out = new Map<string, TieLine[]>();
  const into = new Map<string, TieLine[]>();
  const add = (ties: Map<string, TieLine[]>, key: string, to: string, words: string) => {
    const node = model.nodes.get(to);
    if (node === undefined) return;
    const known = ties.get(key);
    if (known === undefined) ties.set(key, [{ to: node, words }]);
    else known.push({ to: node, words });
  };
  for (const { from, to, relation } of model.edges) {
    add(out, from, to, outgoingLabels[relation]);
    add(into, to, from, incomingLabels[relation]);
  }
  for (const [key, lines] of into) out.set(key, [...(out.get(key) ?? []), ...lines]);
  return out;
}

/** The lines of the tree that show, in order. */
export function treeRows(
  items: readonly Item[],
  folding: Folding,
  ties: ReadonlyMap<string, readonly TieLine[]>,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (
    siblings: readonly Item[],
    {
      level,
      parent,
      before,
      setSize,
    }: { level: number; parent: string | undefined; before: number; setSize: number },
  ): void => {
    for (const [index, item] of siblings.entries()) {
      const own = ties.get(item.id) ?? [];
      const canOpen = item.members.length > 0 || own.length > 0;
      const opened = canOpen && isOpen(folding, item);
      const place = { item, level, parent, position: before + index + 1, setSize };
      rows.push({ ...place, id: item.id, sort: 'item', isOpen: canOpen ? opened : undefined });
      if (opened) addBelow(item, own, level + 1);
    }
  };
  const addBelow = (item: Item, own: readonly TieLine[], level: number): void => {
    const { members, more } = shownMembers(folding, item);
    const listed = own.slice(0, maxTies);
    const rest = own.length - listed.length;
    const setSize = members.length + (more > 0 ? 1 : 0) + listed.length + (rest > 0 ? 1 : 0);
    add(members, { level, parent: item.id, before: 0, setSize });
    let position = members.length;
    const line = (part: Pick<TreeRow, 'id' | 'sort'> & Partial<TreeRow>) => {
      position += 1;
      rows.push({ item, isOpen: undefined, level, position, setSize, parent: item.id, ...part });
    };
    if (more > 0) line({ id: `${item.id} › more`, sort: 'more', count: more });
    for (const tie of listed) line({ id: `${item.id} › ${tie.words} ${tie.to.key}`, sort: 'tie', tie });
    if (rest > 0) line({ id: `${item.id} › rest`, sort: 'rest', count: rest });
  };
  add(items, { level: 1, parent: undefined, before: 0, setSize: items.length });
  return rows;
}
