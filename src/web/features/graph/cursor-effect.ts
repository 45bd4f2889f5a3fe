import type { GraphStep } from '../../../registry/commands/services.ts';
import type { Drawing, DrawnNode } from './draw.ts';
import type { Item } from './fold.ts';
import type { GraphNode } from './model.ts';
import type { TreeRow } from './tree.ts';
import { type Point, walkGraph } from './walk.ts';

/** The steps that move the cursor or act on what is under it. */
export type CursorStep = Exclude<GraphStep, 'zoomIn' | 'zoomOut' | 'fit' | 'form'>;

/** The effect of a step or a press. */
export type CursorEffect =
  /** Moves the cursor to a line or a drawn node. */
  | { readonly type: 'move'; readonly id: string | undefined }
  /** Opens a closed item, or closes an open one. */
  | { readonly type: 'toggle'; readonly id: string }
  /** Closes an item and moves the cursor to it. */
  | { readonly type: 'close'; readonly id: string }
  /** Shows more members of an item. */
  | { readonly type: 'more'; readonly id: string }
  /** Opens the page of an object. */
  | { readonly type: 'open'; readonly node: GraphNode; readonly isBeside: boolean };

const moveTo = (id: string | undefined): CursorEffect => ({ type: 'move', id });

/** The object of a line: the other object of a tie, or the item's own. */
export const objectOfRow = ({ sort, tie, item }: TreeRow): GraphNode | undefined =>
  tie?.to ?? (sort === 'item' ? item.node : undefined);

/** Opening a line: the page of its object, more members, or the group itself. */
export function openingOfRow(row: TreeRow, isBeside: boolean): CursorEffect | undefined {
  const node = objectOfRow(row);
  if (node !== undefined) return { type: 'open', node, isBeside };
  if (row.sort === 'more') return { type: 'more', id: row.item.id };
  return row.isOpen === undefined ? undefined : { type: 'toggle', id: row.id };
}

/** Opening a drawn node: the page of its object, more members, or the group itself. */
export function openingOfNode(drawn: DrawnNode, isBeside: boolean): CursorEffect {
  if (drawn.more !== undefined) return { type: 'more', id: drawn.item.id };
  const { node } = drawn.item;
  return node === undefined ? { type: 'toggle', id: drawn.id } : { type: 'open', node, isBeside };
}

/** A step in the tree from one of its lines. */
export function stepInTree(
  rows: readonly TreeRow[],
  row: TreeRow,
  step: CursorStep,
): CursorEffect | undefined {
  const index = rows.indexOf(row);
  switch (step) {
    case 'down':
      return moveTo(rows[Math.min(index + 1, rows.length - 1)]?.id);
    case 'up':
      return moveTo(rows[Math.max(index - 1, 0)]?.id);
    case 'left':
      return row.isOpen === true ? { type: 'toggle', id: row.id } : moveTo(row.parent ?? row.id);
    case 'right':
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? moveTo(rows[index + 1]?.id) : { type: 'toggle', id: row.id };
    case 'first':
      return moveTo(rows[0]?.id);
    case 'last':
      return moveTo(rows.at(-1)?.id);
    case 'fold':
      return row.isOpen === undefined ? openingOfRow(row, false) : { type: 'toggle', id: row.id };
    case 'open':
    case 'beside':
      return openingOfRow(row, step === 'beside');
    default:
      return step satisfies never;
  }
}

/** The drawing, with where its nodes are and what they stand for. */
export interface DrawnGraph {
  readonly drawing: Drawing;
  readonly places: ReadonlyMap<string, Point>;
  readonly itemById: ReadonlyMap<string, Item>;
}

/** A step in the drawing from one of its nodes. */
export function stepInDrawing(
  { drawing, places, itemById }: DrawnGraph,
  drawn: DrawnNode,
  step: CursorStep,
): CursorEffect | undefined {
  switch (step) {
    case 'down':
    case 'up':
    case 'left':
    case 'right':
      return moveTo(walkGraph(drawn.id, step, drawing.edges, places) ?? drawn.id);
    case 'first':
      return moveTo(drawing.nodes[0]?.id);
    case 'last':
      return moveTo(drawing.nodes.at(-1)?.id);
    case 'fold':
      return foldingOf(drawn, itemById);
    case 'open':
    case 'beside':
      return openingOfNode(drawn, step === 'beside');
    default:
      return step satisfies never;
  }
}

/** Folding a node: what has members opens or closes; anything else closes the item that holds it. */
function foldingOf(drawn: DrawnNode, itemById: ReadonlyMap<string, Item>): CursorEffect | undefined {
  if (drawn.more === undefined && drawn.item.members.length > 0) return { type: 'toggle', id: drawn.id };
  const holder =
    drawn.more === undefined
      ? [...itemById.values()].find(({ members }) => members.includes(drawn.item))
      : drawn.item;
  return holder === undefined ? undefined : { type: 'close', id: holder.id };
}
