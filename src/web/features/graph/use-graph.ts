import { useMemo, useState } from 'react';
import { firstFacts } from '../../../../commands/kinds/first-facts.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { type Drawing, drawGraph } from './draw.ts';
import {
  decideFolding,
  type Folding,
  foldGraph,
  type Item,
  reveal,
  setOpen,
  showMore,
  unfolded,
} from './fold.ts';
import { type GraphModel, readGraph } from './model.ts';
import { tiesByObject, type TieLine, type TreeRow, treeRows } from './tree.ts';

const ranks = new Map(firstFacts.map(({ id }, at) => [id, at]));
const rankOfKind = (kind: string) => ranks.get(kind) ?? ranks.size;

/** A graph as it shows at the moment, and how to fold it. */
export interface ShownGraph {
  readonly model: GraphModel;
  readonly items: readonly Item[];
  readonly folding: Folding;
  readonly drawing: Drawing;
  readonly rows: readonly TreeRow[];
  /** Every item by id. */
  readonly itemById: ReadonlyMap<string, Item>;
  readonly ties: ReadonlyMap<string, readonly TieLine[]>;
  setOpen(id: string, value: boolean): void;
  showMore(id: string): void;
  /** Opens the way to an object. */
  reveal(key: string): void;
}

function indexOf(items: readonly Item[]): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>();
  const add = (item: Item) => {
    found.set(item.id, item);
    for (const member of item.members) add(member);
  };
  for (const item of items) add(item);
  return found;
}

/** @param root the object that it begins with, which stands first */
export function useGraph(list: LiveList | undefined, root: string | undefined): ShownGraph {
  const [folding, setFolding] = useState<Folding>(unfolded);
  const rows = list?.rows;
  const isComplete = list?.complete === true;
  const model = useMemo(() => readGraph(rows?.values() ?? []), [rows]);
  const items = useMemo(() => {
    const rootKind = root === undefined ? undefined : model.nodes.get(root)?.kind;
    return foldGraph(model, (kind) => (kind === rootKind ? -1 : rankOfKind(kind)));
  }, [model, root]);
  const ties = useMemo(() => tiesByObject(model), [model]);
  const itemById = useMemo(() => indexOf(items), [items]);
  // The groups that open at first are decided once the size of the graph is known.
  const decided = useMemo(
    () => (isComplete ? decideFolding(items, folding, root) : folding),
    [items, folding, root, isComplete],
  );
  if (decided !== folding) setFolding(decided);
  const drawing = useMemo(() => drawGraph(items, decided, model), [items, decided, model]);
  const tree = useMemo(() => treeRows(items, decided, ties), [items, decided, ties]);
  return {
    model,
    items,
    folding: decided,
    drawing,
    rows: tree,
    itemById,
    ties,
    setOpen: (id, value) => setFolding((known) => setOpen(known, id, value)),
    showMore: (id) => setFolding((known) => showMore(known, id)),
    reveal: (key) => setFolding((known) => reveal(items, known, key)),
  };
}
