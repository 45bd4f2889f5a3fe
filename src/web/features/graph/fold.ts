import { type Tone, toneRank } from '../../../registry/tone.ts';
import type { GraphModel, GraphNode } from './model.ts';

/**
 * A place in the folded graph.
 * - `kind`: objects of one kind that stand at the top, or many of them under one owner
 * - `loose`: those that nothing is tied to
 * - `idle`: those under one owner that are over, as earlier ReplicaSets are
 * - `object`: one object
 */
export interface Item {
  readonly id: string;
  readonly sort: 'kind' | 'loose' | 'idle' | 'object';
  /** Kubernetes' own name of the kind. */
  readonly label: string;
  /** Of an object. */
  readonly node: GraphNode | undefined;
  readonly members: readonly Item[];
  /** Objects in it, itself included. */
  readonly size: number;
  /** The worst tone of the objects in it. */
  readonly tone: Tone;
}

/** The groups that a person opened or closed, or that opened for them; and how many members of each are shown. */
export interface Folding {
  readonly open: ReadonlyMap<string, boolean>;
  readonly shown: ReadonlyMap<string, number>;
}

/** Nothing is opened or closed yet. */
export const unfolded: Folding = { open: new Map(), shown: new Map() };

/** Members of a group that show at once. */
export const pageOfMembers = 50;
/** Objects of one kind under one owner, from which they are a group. */
const groupFrom = 9;
/** Larger groups do not open by themselves, except at the top: there the worst members are shown. */
const maxOpenMembers = 25;
/** Objects and groups that a graph draws before anybody opens more. */
export const drawBudget = 120;

const toneOf = (node: GraphNode): Tone => node.status?.tone ?? 'idle';
const worse = (a: Tone, b: Tone): Tone => (toneRank[a] <= toneRank[b] ? a : b);
const byWorst = (a: Item, b: Item) =>
  toneRank[a.tone] - toneRank[b.tone] ||
  (a.node?.name ?? '').localeCompare(b.node?.name ?? '', 'en', { numeric: true });

function groupOf(sort: Item['sort'], id: string, label: string, members: readonly Item[]): Item {
  return {
    id,
    sort,
    label,
    node: undefined,
    members: members.toSorted(byWorst),
    size: members.reduce((sum, { size }) => sum + size, 0),
    tone: members.reduce<Tone>((tone, member) => worse(tone, member.tone), 'idle'),
  };
}

function byLabel(items: readonly Item[]): ReadonlyMap<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    // Two API groups may have a kind of the same name.
    const key = `${item.label} ${item.node?.kind ?? ''}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [item]);
    else known.push(item);
  }
  return found;
}

/**
 * The folded graph: objects under their owners, grouped by kind.
 * @param rank the order of kinds at the top
 */
export function foldGraph(model: GraphModel, rank: (kind: string) => number): readonly Item[] {
  const tied = new Set<string>();
  for (const { from, to } of model.edges) {
    tied.add(from);
    tied.add(to);
  }
  function itemOf(key: string): Item[] {
    const node = model.nodes.get(key);
    if (node === undefined) return [];
    const members = underOwner(key, (model.children.get(key) ?? []).flatMap(itemOf));
    return [
      {
        id: key,
        sort: 'object',
        label: node.label,
        node,
        members,
        size: members.reduce((sum, { size }) => sum + size, 1),
        tone: members.reduce<Tone>((tone, member) => worse(tone, member.tone), toneOf(node)),
      },
    ];
  }
  function underOwner(owner: string, items: readonly Item[]): readonly Item[] {
    return [...byLabel(items)]
      .flatMap(([key, same]) => {
        const label = same[0]?.label ?? '';
        const over = same.filter(({ tone, members }) => tone === 'idle' && members.length === 0);
        const idle = over.length > 1 ? over : [];
        const rest = same.filter((one) => !idle.includes(one));
        return [
          ...(rest.length < groupFrom ? rest : [groupOf('kind', `${owner} › ${key}`, label, rest)]),
          ...(idle.length === 0 ? [] : [groupOf('idle', `${owner} › idle ${key}`, label, idle)]),
        ];
      })
      .sort(byWorst);
  }
  const top = [...model.nodes.keys()].filter((key) => !model.parents.has(key)).flatMap(itemOf);
  return [...byLabel(top)]
    .map(([key, same]) => {
      const label = same[0]?.label ?? '';
      const alone = same.filter(({ id, members }) => members.length === 0 && !tied.has(id));
      const loose = alone.length > 1 && alone.length < same.length ? alone : [];
      const rest = same.filter((one) => !loose.includes(one));
      const sort = alone.length === same.length ? 'loose' : 'kind';
      const group = groupOf(sort, key, label, rest);
      if (loose.length === 0) return group;
      const others = groupOf('loose', `${key} › loose`, label, loose);
      return {
        ...group,
        members: [...group.members, others],
        size: group.size + others.size,
        tone: worse(group.tone, others.tone),
      };
    })
    .sort((a, b) => rankOf(a, rank) - rankOf(b, rank) || a.label.localeCompare(b.label, 'en'));
}

const rankOf = ({ members }: Item, rank: (kind: string) => number) => rank(members[0]?.node?.kind ?? '');

/** Whether an item shows its members. */
export const isOpen = ({ open }: Folding, { id }: Item): boolean => open.get(id) === true;

/** The members of an open item that show, and how many do not. */
export function shownMembers(
  folding: Folding,
  { id, members }: Item,
): { readonly members: readonly Item[]; readonly more: number } {
  const count = folding.shown.get(id) ?? pageOfMembers;
  return { members: members.slice(0, count), more: Math.max(0, members.length - count) };
}

/** How many more an item draws when it is open than when it is closed. */
function costOf({ sort, members }: Item): number {
  // The remaining members are one more node.
  const shown = Math.min(members.length, pageOfMembers + 1);
  // A group gives way to its members; an owner stays beside them.
  return sort === 'object' ? shown : shown - 1;
}

/**
 * Decides what nobody decided yet: level by level, what is small enough opens while the whole stays within the budget.
 * What was decided stays, so that nothing folds under anybody's hands when objects come and go.
 * @param root the object that the graph begins with: the way to it is open
 */
export function decideFolding(
  items: readonly Item[],
  folding: Folding,
  root?: string,
  budget = drawBudget,
): Folding {
  const open = new Map(folding.open);
  const wayToRoot = new Set<string>();
  const find = (item: Item): boolean => {
    const isHere = item.id === root || item.members.some(find);
    if (isHere) wayToRoot.add(item.id);
    return isHere;
  };
  if (root !== undefined) items.some(find);
  let drawn = items.length;
  let level = items;
  while (level.length > 0) {
    const next: Item[] = [];
    for (const item of level) {
      if (item.members.length === 0) continue;
      const isWanted =
        wayToRoot.has(item.id) ||
        (item.sort !== 'idle' &&
          (item.sort !== 'loose' || item.members.length === 1) &&
          (level === items || item.members.length <= maxOpenMembers) &&
          drawn + costOf(item) <= budget);
      if (!open.has(item.id)) open.set(item.id, isWanted);
      if (open.get(item.id) !== true) continue;
      drawn += costOf(item);
      next.push(...item.members);
    }
    level = next;
  }
  return open.size === folding.open.size ? folding : { ...folding, open };
}

/** Opens or closes an item. */
export function setOpen(folding: Folding, id: string, value: boolean): Folding {
  return { ...folding, open: new Map(folding.open).set(id, value) };
}

/** Shows more members of a group. */
export function showMore(folding: Folding, id: string): Folding {
  const count = (folding.shown.get(id) ?? pageOfMembers) + pageOfMembers;
  return { ...folding, shown: new Map(folding.shown).set(id, count) };
}

/** Opens the way to an object, so that it shows. */
export function reveal(items: readonly Item[], folding: Folding, key: string): Folding {
  const open = new Map(folding.open);
  const shown = new Map(folding.shown);
  const find = (item: Item): boolean => {
    if (item.id === key) return true;
    const at = item.members.findIndex(find);
    if (at === -1) return false;
    open.set(item.id, true);
    if (at >= (shown.get(item.id) ?? pageOfMembers)) shown.set(item.id, at + 1);
    return true;
  };
  return items.some(find) ? { open, shown } : folding;
}
