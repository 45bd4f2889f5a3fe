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
  /** What it uses, targets or selects. */
  readonly needs: string[];
  /** What uses, targets or selects it. */
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
 * What belongs to an object, nearest first: what it is made of, what that needs to run, and what is served by it. Others
 * that need the same are no part of it: a shared Secret does not bring the rest of its namespace along.
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
