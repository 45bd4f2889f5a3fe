import type { Tally } from '../../contract/live.ts';
import type { Permission } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Kind } from '../../registry/kind.ts';
import { satisfies } from './access.ts';
import type { Tapped } from './audience.ts';
import type { Clock } from './clock.ts';
import type { ClusterLive } from './cluster.ts';
import { type Entry, statusOf } from './projector.ts';

/** Tallies are told at most this often, ms. */
export const tallyInterval = 500;

/** By kind id; kinds that cannot be read, or are not read yet, are absent. */
export type TallyRecord = Readonly<Record<string, Tally>>;

/** One look at the tallies of a cluster. */
export interface TallyMembership {
  /** Of the kinds that the person may view, as JSON. */
  readonly text: string;
  leave(): void;
}

/** How many objects of each kind of the sidebar a cluster has and how many of them fail, counted while anybody looks. */
export interface Tallies {
  /** @param onChange called when a tally became another, whether the person may view it or not */
  join(held: ReadonlySet<Permission>, onChange: () => void): TallyMembership;
}

/** Kinds that stand in the sidebar and have a health; of what has no end a count says nothing. */
export const talliedKinds = (kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter(
    ({ sidebar, status, window, source }) =>
      sidebar !== undefined && status !== undefined && window === undefined && source === undefined,
  );

interface Counted {
  readonly tap: Tapped;
  /** Undefined until its list was read once. */
  tally: { total: number; bad: number } | undefined;
  /** How many people look who may view it. */
  uses: number;
}

/** Nothing is read before somebody looks. Each change of an object costs one comparison. */
export function createTallies(live: Pick<ClusterLive, 'kinds' | 'feed'>, clock: Clock): Tallies {
  const kinds = talliedKinds(live.kinds);
  const counted = new Map<Kind, Counted>();
  const listeners = new Set<() => void>();
  let cancelTelling: (() => void) | undefined;

  function tellSoon(): void {
    cancelTelling ??= clock.after(tallyInterval, () => {
      cancelTelling = undefined;
      for (const listener of listeners) listener();
    });
  }

  const isBad = (kind: Kind, entry: Entry | undefined) =>
    entry !== undefined && statusOf(kind, entry)?.[1] === 'bad';

  function begin(kind: Kind): Counted {
    const tap = live.feed(kind).tap({
      changed(entry, previous) {
        if (one.tally === undefined) return;
        one.tally.total += Number(entry !== undefined) - Number(previous !== undefined);
        one.tally.bad += Number(isBad(kind, entry)) - Number(isBad(kind, previous));
        tellSoon();
      },
      settled() {
        count();
        tellSoon();
      },
    });
    const one: Counted = { tap, tally: undefined, uses: 0 };

    /** Counts all objects once; from then on changes are enough. */
    function count(): void {
      if (one.tally !== undefined || !tap.isReady) return;
      one.tally = { total: 0, bad: 0 };
      for (const entry of tap.entries()) {
        one.tally.total += 1;
        if (isBad(kind, entry)) one.tally.bad += 1;
      }
    }

    count();
    return one;
  }

  function use(kind: Kind): boolean {
    try {
      const one = counted.get(kind) ?? begin(kind);
      one.uses += 1;
      counted.set(kind, one);
      return true;
    } catch (error) {
      // The cluster has too many lists open: it goes without this tally.
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  function unuse(kind: Kind): void {
    const one = counted.get(kind);
    if (one === undefined) return;
    one.uses -= 1;
    if (one.uses > 0) return;
    one.tap.leave();
    counted.delete(kind);
  }

  function tallyOf(kind: Kind): readonly (readonly [string, Tally])[] {
    const one = counted.get(kind);
    const status = one?.tap.state.status;
    if (one?.tally === undefined || status === 'absent' || status === 'forbidden') return [];
    return [[kind.id, { ...one.tally }]];
  }

  return {
    join(held, onChange) {
      const used = kinds.filter((kind) => satisfies(held, kind.permissions.view) && use(kind));
      listeners.add(onChange);
      return {
        get text() {
          return JSON.stringify(Object.fromEntries(used.flatMap(tallyOf)));
        },
        leave() {
          if (!listeners.delete(onChange)) return;
          for (const kind of used) unuse(kind);
          if (listeners.size > 0) return;
          cancelTelling?.();
          cancelTelling = undefined;
        },
      };
    },
  };
}
