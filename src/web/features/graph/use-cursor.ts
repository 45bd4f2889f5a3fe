import { useState } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useCommands } from '../../core/commands.ts';
import {
  type CursorEffect,
  type CursorStep,
  objectOfRow,
  openingOfNode,
  openingOfRow,
  stepInDrawing,
  stepInTree,
} from './cursor-effect.ts';
import type { DrawnNode } from './draw.ts';
import type { GraphNode } from './model.ts';
import type { TreeRow } from './tree.ts';
import type { ShownGraph } from './use-graph.ts';
import type { Point } from './walk.ts';

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
  /** The effect of folding here, in a word; undefined if there is nothing to fold. */
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

/** The line or drawn node under the cursor. What went, or was folded away, gives the cursor to what stands for it. */
function idUnder({ rows, drawing }: ShownGraph, isTree: boolean, wanted: string | undefined) {
  const row = rows.find((one) => one.id === wanted);
  const standIn = drawing.standIn.get(row?.tie?.to.key ?? wanted ?? '');
  if (isTree) return row?.id ?? standIn ?? rows[0]?.id;
  const isDrawn = drawing.nodes.some((one) => one.id === wanted);
  return isDrawn ? wanted : (standIn ?? drawing.nodes[0]?.id);
}

/** The cursor, and what keys and pointers do with it. */
export function useCursor({ graph, root, isTree, cluster, places }: CursorParts): GraphCursor {
  const { services } = useCommands();
  const { drawing, rows, itemById, folding } = graph;
  const [wanted, setWanted] = useState<string | undefined>(root);
  const id = idUnder(graph, isTree, wanted);
  const row = isTree ? rows.find((one) => one.id === id) : undefined;
  const drawn = isTree ? undefined : drawing.nodes.find((one) => one.id === id);
  const drawnNode = drawn?.more === undefined ? drawn?.item.node : undefined;
  const node = row === undefined ? drawnNode : objectOfRow(row);

  const perform = (effect: CursorEffect | undefined): void => {
    switch (effect?.type) {
      case undefined:
        break;
      case 'move':
        setWanted(effect.id);
        break;
      case 'toggle':
        graph.setOpen(effect.id, folding.open.get(effect.id) !== true);
        break;
      case 'close':
        graph.setOpen(effect.id, false);
        setWanted(effect.id);
        break;
      case 'more':
        graph.showMore(effect.id);
        break;
      case 'open': {
        const { label, name, known } = effect.node;
        if (known === 'missing')
          services.toast.info(`${label} ${name} does not exist; another object names it.`);
        else services.objects.open(refOf(cluster, effect.node), effect.isBeside ? 'split-right' : 'here');
        break;
      }
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
    go: (step) => {
      if (row !== undefined) perform(stepInTree(rows, row, step));
      else if (drawn !== undefined) perform(stepInDrawing({ drawing, places, itemById }, drawn, step));
    },
    toggleRow: (line) => {
      if (line.isOpen !== undefined) perform({ type: 'toggle', id: line.id });
    },
    openRow: (line, isBeside) => perform(openingOfRow(line, isBeside)),
    openDrawn: (drawnId, isBeside) => {
      const target = drawing.nodes.find((one) => one.id === drawnId);
      if (target !== undefined) perform(openingOfNode(target, isBeside));
    },
  };
}
