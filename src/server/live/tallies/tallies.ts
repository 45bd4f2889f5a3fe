import type { Tally } from '../../../contract/live.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import { hasSidebarCount } from '../../../registry/sidebar.ts';
import { covers } from '../../access/held.ts';
import { isNamespaceKind, listPlace } from '../../access/place.ts';
import { isInSight, type Sight } from '../../access/sight.ts';
import type { Tapped } from '../feed/audience.ts';
import type { Clock } from '../../kit/clock.ts';
import type { CustomKinds } from '../definitions/custom-kinds.ts';
import type { Feed } from '../feed/feed.ts';
import { type Entry, statusOf } from '../source/projector.ts';
import { TallyCount } from './tally-count.ts';

/** Tallies are sent at most this often, ms. */
export const tallyInterval = 500;

/** One look at the tallies of a cluster. */
export interface TallyMembership {
  /** Of the kinds that the person may view, as JSON; those of namespaces in which they may not, or that they leave out, are not counted. */
  readonly text: string;
  leave(): void;
}

/** How many objects of some kinds a cluster has and how many of them fail, counted while anybody looks. */
export interface Tallies {
  /**
   * @param onChange called when a tally became another, whether the person may view it or not
   * @param namespace of kinds that have namespaces only what is in this one is told
   */
  join(sight: Sight, onChange: () => void, namespace?: string): TallyMembership;
  /**
   * Of those of these kinds that are counted at all, whoever may view them; undefined unless each of them is counted now.
   * Nothing is read for it.
   */
  counted(kinds: readonly AnyKind[]): ReadonlyMap<AnyKind, TallyCount> | undefined;
}

/** Kinds that the sidebar counts and that have a health; of what has no end a count says nothing. */
export const talliedKinds = (kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter(
    (kind) =>
      hasSidebarCount(kind) &&
      kind.status !== undefined &&
      kind.window === undefined &&
      kind.source === undefined,
  );

/** The kinds that are counted, which may come and go. */
export interface TalliedKinds extends Pick<CustomKinds, 'follow'> {
  readonly choice: Pick<CustomKinds['choice'], 'watched'>;
}

interface Counted {
  readonly tap: Tapped;
  /** Undefined until its list was read once. */
  count: TallyCount | undefined;
  /** How many people look who may view it. */
  uses: number;
}

/** The same kinds for as long as the server runs. */
export function fixedKinds(kinds: readonly AnyKind[]): TalliedKinds {
  return { choice: { watched: kinds }, follow: () => ({ leave: () => undefined }) };
}

/** Whether an object of a kind fails. */
export const isBad = (kind: AnyKind, entry: Entry) => statusOf(kind, entry)?.[1] === 'bad';

/** The part of a count that somebody sees; undefined where that takes more than what is counted of namespaces. */
export function tallyInSight(kind: AnyKind, count: TallyCount, { held, excluded }: Sight): Tally | undefined {
  const seen = held.namespacesFor(kind.permissions.view);
  if (kind.scope === 'Namespaced')
    return seen === 'all'
      ? count.except(excluded)
      : count.of([...seen].filter((name) => !excluded.has(name)));
  return seen === 'all' && !(isNamespaceKind(kind) && excluded.size > 0) ? count.all : undefined;
}

/** The tally of a kind as somebody sees it: none where it is not known, or not theirs to see. */
function tallyOf(
  kind: AnyKind,
  one: Counted | undefined,
  sight: Sight,
  namespace: string | undefined,
): readonly (readonly [string, Tally])[] {
  const status = one?.tap.state.status;
  if (one?.count === undefined || status === 'absent' || status === 'forbidden') return [];
  if (kind.scope === 'Namespaced' && namespace !== undefined) {
    const seen = sight.held.namespacesFor(kind.permissions.view);
    return covers(seen, { namespace }) ? [[kind.id, one.count.of([namespace])]] : [];
  }
  const counted = tallyInSight(kind, one.count, sight);
  if (counted !== undefined) return [[kind.id, counted]];
  const own = new TallyCount();
  for (const entry of one.tap.entries())
    if (isInSight(sight, kind, entry)) own.add(entry.namespace, isBad(kind, entry), 1);
  return [[kind.id, own.all]];
}

/** The counts of these kinds, but for those that the cluster does not give; undefined where one is not known now. */
function countedNow(
  counted: ReadonlyMap<AnyKind, Counted>,
  kinds: readonly AnyKind[],
): ReadonlyMap<AnyKind, TallyCount> | undefined {
  const known = new Map<AnyKind, TallyCount>();
  for (const kind of kinds) {
    const one = counted.get(kind);
    const status = one?.tap.state.status;
    if (status === 'absent' || status === 'forbidden') continue;
    if (one?.count === undefined || (status !== 'live' && status !== 'polled')) return undefined;
    known.set(kind, one.count);
  }
  return known;
}

/** Nothing is read before somebody looks. Each change of an object costs one comparison. */
export function createTallies(
  live: { readonly feed: (kind: AnyKind) => Feed },
  kinds: TalliedKinds,
  clock: Clock,
): Tallies {
  const counted = new Map<AnyKind, Counted>();
  const listeners = new Set<() => void>();
  /** The kinds that are counted for each that looks. */
  const lookers = new Set<Set<AnyKind>>();
  let cancelTelling: (() => void) | undefined;

  function tellSoon(): void {
    cancelTelling ??= clock.after(tallyInterval, () => {
      cancelTelling = undefined;
      for (const listener of listeners) listener();
    });
  }

  function begin(kind: AnyKind): Counted {
    const tap = live.feed(kind).tap({
      changed(entry, previous) {
        if (one.count === undefined) return;
        if (previous !== undefined) one.count.add(previous.namespace, isBad(kind, previous), -1);
        if (entry !== undefined) one.count.add(entry.namespace, isBad(kind, entry), 1);
        tellSoon();
      },
      settled() {
        countAll();
        tellSoon();
      },
      ended() {
        if (counted.get(kind) === one) counted.delete(kind);
        for (const used of lookers) used.delete(kind);
        tellSoon();
      },
    });
    const one: Counted = { tap, count: undefined, uses: 0 };

    /** Counts all objects once; from then on changes are enough. */
    function countAll(): void {
      if (one.count !== undefined || !tap.isReady) return;
      one.count = new TallyCount();
      for (const entry of tap.entries()) one.count.add(entry.namespace, isBad(kind, entry), 1);
    }

    countAll();
    return one;
  }

  function use(kind: AnyKind): boolean {
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

  function unuse(kind: AnyKind): void {
    const one = counted.get(kind);
    if (one === undefined) return;
    one.uses -= 1;
    if (one.uses > 0) return;
    one.tap.leave();
    counted.delete(kind);
  }

  return {
    counted: (asked) =>
      countedNow(
        counted,
        kinds.choice.watched.filter((kind) => asked.includes(kind)),
      ),
    join(sight, onChange, namespace) {
      const used = new Set<AnyKind>();
      lookers.add(used);
      const useAll = () => {
        const wanted = kinds.choice.watched.filter((kind) =>
          sight.held.may(kind.permissions.view, listPlace(kind)),
        );
        for (const kind of wanted) if (!used.has(kind) && use(kind)) used.add(kind);
        for (const kind of used) {
          if (wanted.includes(kind)) continue;
          used.delete(kind);
          unuse(kind);
        }
      };
      const following = kinds.follow(() => {
        useAll();
        tellSoon();
      });
      useAll();
      listeners.add(onChange);
      return {
        get text() {
          return JSON.stringify(
            Object.fromEntries(
              [...used].flatMap((kind) => tallyOf(kind, counted.get(kind), sight, namespace)),
            ),
          );
        },
        leave() {
          if (!listeners.delete(onChange)) return;
          following.leave();
          lookers.delete(used);
          for (const kind of used) unuse(kind);
          if (listeners.size > 0) return;
          cancelTelling?.();
          cancelTelling = undefined;
        },
      };
    },
  };
}
