import type { GraphTie } from '../../../contract/graph.ts';

/** How an object is tied to another, read from it. */
export interface Tie {
  readonly tie: GraphTie;
  /** Key of the other. */
  readonly to: string;
}

/** The ways from one object. */
interface Edges {
  readonly owns: string[];
  readonly owners: string[];
  /** Keys of the objects that it uses, targets or selects. */
  readonly needs: string[];
  /** Keys of the objects that use, target or select it. */
  readonly serves: string[];
}

function waysOf(ties: ReadonlyMap<string, readonly Tie[]>): ReadonlyMap<string, Edges> {
  const ways = new Map<string, Edges>();
  const at = (key: string) => {
    let known = ways.get(key);
    if (known === undefined) {
      known = { owns: [], owners: [], needs: [], serves: [] };
      ways.set(key, known);
    }
    return known;
  };
  for (const [key, own] of ties) {
    for (const { tie, to } of own) {
      if (tie === 'owner') {
        at(key).owners.push(to);
        at(to).owns.push(key);
      } else {
        const [from, target] = tie === 'selected' ? [to, key] : [key, to];
        at(from).needs.push(target);
        at(target).serves.push(from);
      }
    }
  }
  return ways;
}

/** Goes on from some keys by some ways until nothing is new; nearest first. */
function reach(
  from: Iterable<string>,
  ways: ReadonlyMap<string, Edges>,
  by: readonly (keyof Edges)[],
): Set<string> {
  const found = new Set(from);
  // A set that is gone through gives what is added meanwhile as well.
  for (const key of found) {
    const own = ways.get(key);
    if (own !== undefined) for (const way of by) for (const next of own[way]) found.add(next);
  }
  return found;
}

/**
 * The objects that belong to an object, nearest first: its parts, their needs, and the objects that they serve. Other
 * users of the same need are left out: a shared Secret does not bring in the rest of its namespace.
 * @param ties of every object, by key
 * @returns nothing for a root that nobody knows
 */
export function closureOf(ties: ReadonlyMap<string, readonly Tie[]>, root: string): ReadonlySet<string> {
  if (!ties.has(root)) return new Set();
  const ways = waysOf(ties);
  const parts = reach([root], ways, ['owns']);
  const above = reach([root], ways, ['owners']);
  const below = reach(parts, ways, ['needs', 'owns']);
  const served = reach([...parts, ...above], ways, ['serves', 'owners']);
  const owners = reach(below, ways, ['owners']);
  return new Set([...above, ...parts, ...below, ...served, ...owners]);
}
