import type { Tapped } from '../feed/audience.ts';
import type { Feed } from '../feed/feed.ts';
import { type Entry, placeOf } from '../source/projector.ts';
import type { Join, JoinListener } from '../feed/join.ts';

/** The node that a pod takes room on; none before it has one, and after it is over. */
export const nodeOf = ({ facts }: Entry): string | undefined => {
  const node = facts['node'];
  return typeof node === 'string' && facts['isOver'] !== true ? node : undefined;
};

/** How many pods run on each node, counted in the feed of the pods. */
export function createPodsOfNode(pods: () => Feed): Join {
  const listeners = new Set<JoinListener>();
  const counts = new Map<string, number>();
  let tapped: Tapped | undefined;
  let isCounted = false;

  function tell(places: ReadonlySet<string> | 'all'): void {
    for (const listener of listeners) listener(places);
  }

  function count(): void {
    if (isCounted || tapped?.isReady !== true) return;
    isCounted = true;
    for (const entry of tapped.entries()) {
      const node = nodeOf(entry);
      if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    tell('all');
  }

  function changed(entry: Entry | undefined, previous: Entry | undefined): void {
    // The first complete list counts everything at once.
    if (!isCounted) return;
    const before = previous === undefined ? undefined : nodeOf(previous);
    const after = entry === undefined ? undefined : nodeOf(entry);
    if (before === after) return;
    if (before !== undefined) counts.set(before, (counts.get(before) ?? 1) - 1);
    if (after !== undefined) counts.set(after, (counts.get(after) ?? 0) + 1);
    tell(new Set([before, after].flatMap((node) => (node === undefined ? [] : [placeOf('', node)]))));
  }

  const countOf = (place: string) => (isCounted ? (counts.get(place.slice(1)) ?? 0) : null);

  return {
    retain(listener) {
      if (tapped === undefined) {
        tapped = pods().tap({ changed, settled: count });
        count();
      }
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        tapped?.leave();
        tapped = undefined;
        isCounted = false;
        counts.clear();
      };
    },
    cell: countOf,
    value: (place) => ({ podsOfNode: countOf(place) }),
  };
}
