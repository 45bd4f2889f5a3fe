/**
 * The tiles on screen as plain data addressed by ids: a tree whose leaves are tiles and whose other nodes divide their
 * place in a row or a column. Three rules always hold: a split has at least two children, no child of a split divides
 * in the same direction, and sizes are per cents that sum to 100.
 */
export interface Tab {
  readonly id: string;
  /** Path with search. */
  readonly href: string;
  /** Where it was opened from. */
  readonly opener?: Opener;
  /** A second tab of a path in its tile, which somebody asked for; other tabs never give way to it. */
  readonly isDuplicate?: true;
}

/** The tab another one was opened from, or the view that the tab itself showed before. */
export interface Opener {
  /** Its id; that of a tab of an earlier page load is unknown here. */
  readonly tab: string;
  /** The path that it showed, for the case that it is gone or shows another. */
  readonly href: string;
  /** Of a view of the tab itself: where the way back leads on from there. */
  readonly opener?: Opener;
}

/** The tab that a tab was opened from, behind the views that it showed itself. */
export function outerOpener({ id, opener }: Pick<Tab, 'id' | 'opener'>): Opener | undefined {
  let at = opener;
  while (at?.tab === id) at = at.opener;
  return at;
}

/** A tile: tabs, of which one shows. */
export interface TabGroup {
  readonly type: 'group';
  readonly id: string;
  readonly tabs: readonly Tab[];
  /** Id of the tab that shows. */
  readonly active: string;
}

export type Direction = 'row' | 'column';

export interface Split {
  readonly type: 'split';
  readonly id: string;
  readonly direction: Direction;
  readonly children: readonly LayoutNode[];
  /** Per cent of the split, one for each child. */
  readonly sizes: readonly number[];
}

export type LayoutNode = TabGroup | Split;

/** A side of a tile, or the way from one to the next. */
export type Side = 'left' | 'right' | 'up' | 'down';

/** Minimum size of a tile in its split, per cent. */
export const leastSize = 5;

/** How a split divides that puts something at this side. */
export const directionOf = (side: Side): Direction =>
  side === 'left' || side === 'right' ? 'row' : 'column';
/** Whether the side comes first in reading order. */
export const isBefore = (side: Side): boolean => side === 'left' || side === 'up';

/** Every tile, in reading order. */
export function groupsOf(node: LayoutNode): readonly TabGroup[] {
  return node.type === 'group' ? [node] : node.children.flatMap(groupsOf);
}

/** The tree with every tile replaced by what `change` makes of it. Parts that stay alike keep their identity. */
export function mapGroups(node: LayoutNode, change: (group: TabGroup) => TabGroup): LayoutNode {
  if (node.type === 'group') return change(node);
  const children = node.children.map((child) => mapGroups(child, change));
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children };
}

const cents = (size: number) => Math.round(size * 100) / 100;

/** Sizes in the same proportions that sum to 100, to two decimals; equal ones when they make no sense. */
export function sumTo100(sizes: readonly number[]): readonly number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const isSound = total > 0 && sizes.every((size) => Number.isFinite(size) && size > 0);
  const whole = sizes.map((size) => cents(isSound ? (size * 100) / total : 100 / sizes.length));
  const rest = cents(100 - whole.reduce((sum, size) => sum + size, 0));
  const widest = whole.indexOf(Math.max(...whole));
  return whole.map((size, index) => (index === widest ? cents(size + rest) : size));
}

/** A split that keeps the rules: one child stands for itself, children of the same direction are taken apart. */
export function makeSplit(
  id: string,
  direction: Direction,
  parts: readonly { readonly node: LayoutNode; readonly size: number }[],
): LayoutNode {
  const [only] = parts;
  if (only === undefined) throw new Error('A split has children.');
  if (parts.length === 1) return only.node;
  const flat = parts.flatMap(({ node, size }) =>
    node.type === 'split' && node.direction === direction
      ? node.children.map((child, index) => ({
          node: child,
          size: (size * (node.sizes[index] ?? 0)) / 100,
        }))
      : [{ node, size }],
  );
  return {
    type: 'split',
    id,
    direction,
    children: flat.map(({ node }) => node),
    sizes: sumTo100(flat.map(({ size }) => size)),
  };
}

const partsOf = (split: Split) =>
  split.children.map((node, index) => ({ node, size: split.sizes[index] ?? 0 }));

/** The tree without a tile; its place goes to the neighbour before it, else to the one behind. */
export function withoutGroup(node: LayoutNode, id: string): LayoutNode | undefined {
  if (node.type === 'group') return node.id === id ? undefined : node;
  const parts = partsOf(node);
  const at = node.children.findIndex((child) => child.type === 'group' && child.id === id);
  if (at < 0) {
    const children = parts.flatMap((part) => {
      const left = withoutGroup(part.node, id);
      return left === undefined ? [] : [{ node: left, size: part.size }];
    });
    return children.every((part, index) => part.node === node.children[index])
      ? node
      : makeSplit(node.id, node.direction, children);
  }
  const freed = node.sizes[at] ?? 0;
  const heir = at > 0 ? at - 1 : 1;
  const left = parts.map((part, index) => (index === heir ? { ...part, size: part.size + freed } : part));
  return makeSplit(
    node.id,
    node.direction,
    left.filter((_, index) => index !== at),
  );
}

/** The tree with a tile beside another, which gives half of its place. */
export function withGroupBeside(
  node: LayoutNode,
  target: string,
  side: Side,
  added: TabGroup,
  newId: () => string,
): LayoutNode {
  const direction = directionOf(side);
  const pair = (of: LayoutNode, size: number) => {
    const half = cents(size / 2);
    const old = { node: of, size: half };
    const fresh = { node: added, size: cents(size - half) };
    return isBefore(side) ? [fresh, old] : [old, fresh];
  };
  if (node.type === 'group')
    return node.id === target ? makeSplit(newId(), direction, pair(node, 100)) : node;
  if (node.direction === direction && node.children.some((child) => child.id === target))
    return makeSplit(
      node.id,
      direction,
      partsOf(node).flatMap((part) => (part.node.id === target ? pair(part.node, part.size) : [part])),
    );
  const children = node.children.map((child) => withGroupBeside(child, target, side, added, newId));
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children };
}
