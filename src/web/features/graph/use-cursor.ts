import { useState } from 'react';
import type { ObjectRef } from '../../../registry/command.ts';
import type { GraphStep } from '../../../registry/services.ts';
import { useCommands } from '../../core/commands.ts';
import type { DrawnNode } from './draw.ts';
import type { GraphNode } from './model.ts';
import type { TreeRow } from './tree.ts';
import type { ShownGraph } from './use-graph.ts';
import { type Point, walkGraph } from './walk.ts';

/** The steps that move the cursor or do something with what is under it. */
type CursorStep = Exclude<GraphStep, 'zoomIn' | 'zoomOut' | 'fit' | 'form'>;

interface CursorParts {
  readonly graph: ShownGraph;
  readonly root: string | undefined;
  readonly isTree: boolean;
  /** Number of the cluster. */
  readonly cluster: string;
  /** Where nodes are drawn. */
  readonly places: ReadonlyMap<string, Point>;
}

/** The cursor of a graph: one for both of its forms. */
export interface GraphCursor {
  /** Id of the line or of the drawn node; undefined while there is none. */
  readonly id: string | undefined;
  readonly row: TreeRow | undefined;
  readonly drawn: DrawnNode | undefined;
  /** The object under it, and how the console calls it. */
  readonly node: GraphNode | undefined;
  readonly ref: ObjectRef | undefined;
  /** What folding does here, in a word; undefined where there is nothing to fold. */
  readonly foldWord: string | undefined;
  readonly set: (id: string) => void;
  readonly go: (step: CursorStep) => void;
  readonly toggleRow: (row: TreeRow) => void;
  readonly openRow: (row: TreeRow, isBeside: boolean) => void;
  readonly openDrawn: (id: string, isBeside: boolean) => void;
}

const refOf = (cluster: string, { kind, namespace, name }: GraphNode): ObjectRef => ({
  cluster,
  kind,
  ...(namespace === '' ? {} : { namespace }),
  name,
});

const objectOfRow = ({ sort, tie, item }: TreeRow): GraphNode | undefined =>
  tie?.to ?? (sort === 'item' ? item.node : undefined);

/** The cursor, and what keys and pointers do with it. */
export function useCursor({ graph, root, isTree, cluster, places }: CursorParts): GraphCursor {
  const { services } = useCommands();
  const { drawing, rows, itemById, folding } = graph;
  const [wanted, setWanted] = useState<string | undefined>(root);
  const wantedRow = rows.find((one) => one.id === wanted);
  const isDrawn = drawing.nodes.some((one) => one.id === wanted);
  // What went, or was folded away, gives the cursor to what stands for it.
  const standIn = drawing.standIn.get(wantedRow?.tie?.to.key ?? wanted ?? '');
  const id = isTree
    ? (wantedRow?.id ?? standIn ?? rows[0]?.id)
    : isDrawn
      ? wanted
      : (standIn ?? drawing.nodes[0]?.id);
  const row = isTree ? rows.find((one) => one.id === id) : undefined;
  const drawn = isTree ? undefined : drawing.nodes.find((one) => one.id === id);
  const node =
    row !== undefined ? objectOfRow(row) : drawn?.more === undefined ? drawn?.item.node : undefined;

  const openObject = (object: GraphNode, isBeside: boolean) => {
    if (object.known === 'missing')
      services.toast.info(`${object.label} ${object.name} does not exist; another object names it.`);
    else services.objects.open(refOf(cluster, object), isBeside ? 'split-right' : 'here');
  };
  const toggle = (itemId: string) => graph.setOpen(itemId, folding.open.get(itemId) !== true);
  const openRow = (line: TreeRow, isBeside: boolean) => {
    const to = objectOfRow(line);
    if (to !== undefined) openObject(to, isBeside);
    else if (line.sort === 'more') graph.showMore(line.item.id);
    else if (line.isOpen !== undefined) toggle(line.id);
  };
  const openDrawn = (drawnId: string, isBeside: boolean) => {
    const one = drawing.nodes.find((other) => other.id === drawnId);
    if (one === undefined) return;
    if (one.more !== undefined) graph.showMore(one.item.id);
    else if (one.item.node === undefined) toggle(one.id);
    else openObject(one.item.node, isBeside);
  };
  /** Opens a closed node or closes an open one; what has nothing in it closes what it stands in. */
  const foldDrawn = () => {
    if (drawn === undefined) return;
    if (drawn.more === undefined && drawn.item.members.length > 0) {
      toggle(drawn.id);
      return;
    }
    const holder =
      drawn.more === undefined
        ? [...itemById.values()].find(({ members }) => members.includes(drawn.item))
        : drawn.item;
    if (holder === undefined) return;
    graph.setOpen(holder.id, false);
    setWanted(holder.id);
  };

  const index = row === undefined ? -1 : rows.indexOf(row);
  const goTree = (step: CursorStep): void => {
    if (row === undefined) return;
    switch (step) {
      case 'down':
        setWanted(rows[Math.min(index + 1, rows.length - 1)]?.id);
        break;
      case 'up':
        setWanted(rows[Math.max(index - 1, 0)]?.id);
        break;
      case 'left':
        if (row.isOpen === true) toggle(row.id);
        else setWanted(row.parent ?? row.id);
        break;
      case 'right':
        if (row.isOpen === false) toggle(row.id);
        else if (row.isOpen === true) setWanted(rows[index + 1]?.id);
        break;
      case 'first':
        setWanted(rows[0]?.id);
        break;
      case 'last':
        setWanted(rows.at(-1)?.id);
        break;
      case 'fold':
        if (row.isOpen === undefined) openRow(row, false);
        else toggle(row.id);
        break;
      case 'open':
      case 'beside':
        openRow(row, step === 'beside');
        break;
    }
  };
  const goGraph = (step: CursorStep): void => {
    if (id === undefined) return;
    switch (step) {
      case 'down':
      case 'up':
      case 'left':
      case 'right':
        setWanted(walkGraph(id, step, drawing.edges, places) ?? id);
        break;
      case 'first':
        setWanted(drawing.nodes[0]?.id);
        break;
      case 'last':
        setWanted(drawing.nodes.at(-1)?.id);
        break;
      case 'fold':
        foldDrawn();
        break;
      case 'open':
      case 'beside':
        openDrawn(id, step === 'beside');
        break;
    }
  };

  const item = drawn?.item ?? (row?.sort === 'item' ? row.item : undefined);
  const canFold = item !== undefined && item.members.length > 0 && drawn?.more === undefined;
  return {
    id,
    row,
    drawn,
    node,
    ref: node === undefined ? undefined : refOf(cluster, node),
    foldWord: canFold ? (folding.open.get(item.id) === true ? 'Fold' : 'Unfold') : undefined,
    set: setWanted,
    go: (step) => (isTree ? goTree(step) : goGraph(step)),
    toggleRow: (line) => {
      if (line.isOpen !== undefined) toggle(line.id);
    },
    openRow,
    openDrawn,
  };
}
