import type { ListState } from '../../../contract/live.ts';
import type { Permission } from '../../../contract/permissions.ts';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { satisfies } from '../access.ts';
import { longBody } from '../channel.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LiveSources } from '../cluster.ts';
import type { Tap, Tapped } from '../audience.ts';
import { mergeStates } from '../feed-state.ts';
import { isNamespaceKind } from '../named-namespaces.ts';
import type { SharedText } from '../shared-text.ts';
import { type DashboardSource, dashboardKinds, readDashboard } from './compose.ts';
import type { CustomKindsFollower } from '../custom-kinds.ts';

/** A dashboard is computed at most this often, ms. */
export const dashboardInterval = 250;

/** Who looks at a dashboard. */
export interface BoardSink {
  /** The dashboard of these permissions is another. */
  dashboard(): void;
  state(): void;
}

/** One look at a dashboard. */
export interface BoardMembership {
  /** The newest dashboard as the body of its message; undefined until everything it shows was read once. */
  readonly body: SharedText | undefined;
  readonly state: ListState;
  retry(): void;
  leave(): void;
}

/** The dashboard of one cluster: computed once for all people with the same permissions, while anybody looks. */
export interface Board {
  join(held: ReadonlySet<Permission>, sink: BoardSink): BoardMembership;
}

interface Group {
  readonly held: ReadonlySet<Permission>;
  /** Of those with a file. */
  readonly kinds: readonly AnyKind[];
  /** Those that could be opened, custom ones as well. */
  readonly used: Set<AnyKind>;
  readonly sinks: Set<BoardSink>;
  text: string | undefined;
  body: SharedText | undefined;
}

interface OpenKind {
  readonly tap: Tapped;
  readonly retry: () => void;
  /** How many groups look at it. */
  uses: number;
}

export function createBoard(live: LiveSources, clock: Clock): Board {
  const kinds = dashboardKinds(live.kinds);
  const groups = new Map<string, Group>();
  const open = new Map<AnyKind, OpenKind>();
  /** Kinds that could not be opened: the cluster has too many lists open. */
  const refused = new Map<AnyKind, ListState>();
  let endUsage: (() => void) | undefined;
  let following: CustomKindsFollower | undefined;
  let computedAt = Number.NEGATIVE_INFINITY;
  let cancelNext: (() => void) | undefined;
  let cancelLater: (() => void) | undefined;

  const isShut = ({ status }: ListState) =>
    status === 'forbidden' || status === 'absent' || status === 'unreachable';
  const isSettled = (kind: AnyKind) => {
    const tap = open.get(kind)?.tap;
    return tap === undefined || tap.isReady || isShut(tap.state);
  };

  /** Everything was read once, or cannot be; something was. */
  const isKnown = ({ kinds: seen }: Group) =>
    seen.every(isSettled) && (seen.length === 0 || seen.some((kind) => open.get(kind)?.tap.isReady === true));

  const listener: Tap = {
    changed: soon,
    settled() {
      soon();
      for (const { sinks } of groups.values()) for (const sink of sinks) sink.state();
    },
  };

  function soon(): void {
    const wait = Math.max(0, computedAt + dashboardInterval - clock.now());
    cancelNext ??= clock.after(wait, compute);
  }

  function sourceNow(): DashboardSource {
    const node = live.kind('node');
    const metrics = node === undefined ? undefined : live.metrics(node);
    const { watched, left } = live.customKinds.choice;
    const isUnread = (kind: AnyKind) => {
      const tap = open.get(kind)?.tap;
      return tap === undefined || tap.state.status === 'forbidden';
    };
    return {
      kinds: [...kinds, ...watched],
      unwatched: [...left, ...watched.filter(isUnread)],
      entries(kind) {
        const tap = open.get(kind)?.tap;
        return tap?.isReady === true ? tap.entries() : undefined;
      },
      find: (kind, uid) => open.get(kind)?.tap.find(uid),
      usage: (place) => metrics?.usage(place),
      usageState: metrics?.state ?? { status: 'absent', at: null, message: null },
    };
  }

  function compute(): void {
    cancelNext = undefined;
    cancelLater?.();
    cancelLater = undefined;
    computedAt = clock.now();
    const compose = readDashboard(sourceNow());
    let changesAt: number | undefined;
    for (const group of groups.values()) {
      if (!isKnown(group)) continue;
      // What everybody waits for comes first.
      if (following === undefined) {
        following = live.customKinds.follow(customChanged);
        // Somebody else may have had them read already.
        for (const each of groups.values()) useCustom(each);
      }
      const composed = compose(group.held, Math.floor(computedAt / 1000));
      if (composed.changesAt !== undefined)
        changesAt = Math.min(changesAt ?? composed.changesAt, composed.changesAt);
      const text = JSON.stringify(composed.dashboard);
      if (text === group.text) continue;
      group.text = text;
      group.body = longBody(`"dashboard":${text}`);
      for (const sink of group.sinks) sink.dashboard();
    }
    if (changesAt !== undefined) cancelLater = clock.after(changesAt * 1000 - computedAt, soon);
  }

  function use({ used }: Pick<Group, 'used'>, kind: AnyKind): void {
    if (used.has(kind)) return;
    const known = open.get(kind);
    if (known !== undefined) {
      known.uses += 1;
      used.add(kind);
      return;
    }
    try {
      const feed = live.feed(kind);
      open.set(kind, { tap: feed.tap(listener), retry: () => feed.retry(), uses: 1 });
      used.add(kind);
      refused.delete(kind);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.set(kind, {
        status: 'unreachable',
        since: new Date(clock.now()).toISOString(),
        message: error.title,
      });
    }
  }

  function unuse(kind: AnyKind): void {
    const known = open.get(kind);
    if (known === undefined) return;
    known.uses -= 1;
    if (known.uses > 0) return;
    known.tap.leave();
    open.delete(kind);
  }

  function customChanged(): void {
    for (const group of groups.values()) useCustom(group);
    soon();
  }

  /** Opens the custom kinds that a group may see, and leaves those that are gone or another now. */
  function useCustom(group: Group): void {
    const { watched } = live.customKinds.choice;
    for (const kind of group.used) {
      if (watched.includes(kind) || group.kinds.includes(kind)) continue;
      group.used.delete(kind);
      unuse(kind);
    }
    for (const kind of watched) if (satisfies(group.held, kind.permissions.view)) use(group, kind);
  }

  function stateOf(group: Group): ListState {
    const states = new Map(
      group.kinds.flatMap((kind) => {
        const state = open.get(kind)?.tap.state ?? refused.get(kind);
        // What a cluster does not serve is not missing from its dashboard.
        if (state === undefined || state.status === 'absent') return [];
        // Namespaces read by name make nothing else on the dashboard older.
        const isFresh = state.status === 'polled' && isNamespaceKind(kind);
        return [[kind.title, isFresh ? { ...state, status: 'live' as const } : state] as const];
      }),
    );
    const merged = mergeStates(states);
    if (merged === undefined) return { status: 'live', since: new Date(clock.now()).toISOString() };
    const all = [...states.values()];
    const narrowed = all.find(({ status, message }) => status === 'live' && message !== undefined)?.message;
    const said = narrowed ?? all.find(({ message }) => message !== undefined)?.message;
    if (said === undefined || merged.message === said) return merged;
    if (merged.message === undefined) return { ...merged, message: said };
    return narrowed === undefined ? merged : { ...merged, message: `${narrowed} ${merged.message}` };
  }

  function openGroup(held: ReadonlySet<Permission>): Group {
    const seen = kinds.filter((kind) => satisfies(held, kind.permissions.view));
    const group: Group = {
      held,
      kinds: seen,
      used: new Set(),
      sinks: new Set(),
      text: undefined,
      body: undefined,
    };
    for (const kind of seen) use(group, kind);
    useCustom(group);
    const node = live.kind('node');
    if (node !== undefined) endUsage ??= live.metrics(node).retain(soon);
    return group;
  }

  return {
    join(held, sink) {
      const key = [...held].sort().join(' ');
      const group = groups.get(key) ?? openGroup(held);
      groups.set(key, group);
      group.sinks.add(sink);
      soon();
      return {
        get body() {
          return group.body;
        },
        get state() {
          return stateOf(group);
        },
        retry() {
          useCustom(group);
          for (const kind of [...group.kinds, ...live.customKinds.choice.watched]) {
            if (group.kinds.includes(kind)) use(group, kind);
            open.get(kind)?.retry();
          }
        },
        leave() {
          if (!group.sinks.delete(sink) || group.sinks.size > 0 || groups.get(key) !== group) return;
          groups.delete(key);
          for (const kind of group.used) unuse(kind);
          if (groups.size > 0) return;
          endUsage?.();
          endUsage = undefined;
          following?.leave();
          following = undefined;
          refused.clear();
          cancelNext?.();
          cancelLater?.();
          cancelNext = undefined;
          cancelLater = undefined;
        },
      };
    },
  };
}
