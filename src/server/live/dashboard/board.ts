import { definitionKind } from '../../../../commands/kinds/custom.ts';
import { event } from '../../../../commands/kinds/event.ts';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import type { Logger } from 'pino';
import type { ListState } from '../../../contract/live.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import type { Clock } from '../../kit/clock.ts';
import { isWithin, listPlace } from '../../access/place.ts';
import { isExcluded, type Sight, sightKey } from '../../access/sight.ts';
import { longBody } from '../wire/channel.ts';
import type { CustomKinds, CustomKindsFollower } from '../definitions/custom-kinds.ts';
import type { MetricsJoin } from '../joins/metrics.ts';
import type { Pulse } from '../source/pulse.ts';
import type { Feed } from '../feed/feed.ts';
import { KindTaps } from '../feed/kind-taps.ts';
import type { Entry } from '../source/projector.ts';
import type { SharedText } from '../wire/shared-text.ts';
import { boardState } from './board-state.ts';
import { type KindStanding, UnreadKinds } from './kind-standing.ts';
import { LineHold } from './line-hold.ts';
import { RecentTroubles } from './recent-troubles.ts';
import { seenTroubles } from './seen-troubles.ts';
import { lookKey, TroubleMemory, troubleKey, type TroubleStore } from './trouble-memory.ts';
import { type DashboardSource, dashboardKinds, readDashboard } from './compose.ts';

/** A dashboard is computed at most this often, ms. */
export const dashboardInterval = 250;

/** Follows a dashboard. */
export interface BoardSink {
  /** The dashboard of who looks at the same changed. */
  dashboard(): void;
  /** The state may have changed. */
  state(): void;
}

/** A follower's side of a dashboard. */
export interface BoardMembership {
  /** The newest dashboard as the body of its message; undefined until everything it shows was read once. */
  readonly body: SharedText | undefined;
  /** All its lines of trouble, however many; undefined until everything was read once. */
  readonly lines: readonly AttentionLine[] | undefined;
  /** All its lines of trouble that is bad, however many; undefined until everything was read once. */
  readonly badLines: readonly AttentionLine[] | undefined;
  readonly state: ListState;
  /** How much is known of a kind: of one that is current or gone, what no line tells of is in no trouble. @param kind its id */
  standingOf(kind: string): KindStanding;
  /** Lists again what the dashboard is made of. */
  retry(): void;
  leave(): void;
}

/** The dashboard of one cluster: computed once for all people who look at the same, while anybody does. */
export interface Board {
  join(sight: Sight, sink: BoardSink): BoardMembership;
}

/** The dashboard of those who look at the same. */
interface Group {
  readonly sight: Sight;
  /** The declared kinds that they may view. */
  readonly kinds: readonly AnyKind[];
  /** Kinds whose lists are open for this group, custom ones as well. */
  readonly opened: Set<AnyKind>;
  readonly sinks: Set<BoardSink>;
  readonly hold: LineHold;
  text: string | undefined;
  body: SharedText | undefined;
  lines: readonly AttentionLine[] | undefined;
  badLines: readonly AttentionLine[] | undefined;
}

/** The parts of a cluster's live data that a board reads. */
export interface BoardSources {
  readonly kinds: readonly Kind[];
  kind(id: string): Kind | undefined;
  /** The rows of a kind. Throws NoPlace. */
  feed(kind: AnyKind): Feed;
  /** The rows of a kind that is watched for no person in particular. Throws NoPlace. */
  feedAhead(kind: AnyKind): Feed;
  /** The names of the cluster's definitions. Throws NoPlace. */
  definitionNames(): Feed;
  metrics(kind: AnyKind): MetricsJoin;
  /** The custom kinds whose objects may be in trouble. */
  readonly customKinds: CustomKinds;
  readonly pulse: Pick<Pulse, 'clockAhead'>;
}

/** Inputs of a board. */
export interface BoardParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Troubles are remembered here for all servers; without it as long as somebody looks. */
  readonly troubles: TroubleStore | undefined;
}

/** Reads nothing before somebody looks. */
export const createBoard = (live: BoardSources, parts: BoardParts): Board => new ClusterBoard(live, parts);

class ClusterBoard implements Board {
  readonly #live: BoardSources;
  readonly #clock: Clock;
  readonly #kinds: readonly AnyKind[];
  readonly #taps: KindTaps;
  readonly #memory: TroubleMemory;
  readonly #recent = new RecentTroubles();
  readonly #unread = new UnreadKinds();
  /** By what their people look at. */
  readonly #groups = new Map<string, Group>();
  #endUsage: (() => void) | undefined;
  #customKinds: CustomKindsFollower | undefined;
  /** Epoch ms. */
  #computedAt = Number.NEGATIVE_INFINITY;
  #cancelCompute: (() => void) | undefined;
  /** Of the timer for what time alone changes. */
  #cancelTurn: (() => void) | undefined;

  constructor(live: BoardSources, { clock, log, troubles }: BoardParts) {
    this.#live = live;
    this.#clock = clock;
    this.#kinds = dashboardKinds(live.kinds);
    this.#memory = new TroubleMemory({ store: troubles, log, onChange: this.#computeSoon });
    this.#taps = new KindTaps({
      feed: (kind) => this.#feed(kind),
      listener: {
        changed: (entry, _previous, kind) => {
          if (entry !== undefined && kind.id === event.id) this.#expectNamed(entry);
          this.#computeSoon();
        },
        settled: () => this.#settled(),
      },
      clock,
    });
  }

  join(sight: Sight, sink: BoardSink): BoardMembership {
    const key = sightKey(sight);
    const group = this.#groups.get(key) ?? this.#openGroup(sight);
    this.#groups.set(key, group);
    group.sinks.add(sink);
    this.#computeSoon();
    const state = () =>
      boardState(
        group.kinds,
        (kind) => this.#taps.state(kind, sight.held.namespacesFor(kind.permissions.view)),
        this.#clock.now(),
      );
    return {
      get body() {
        return group.body;
      },
      get lines() {
        return group.lines;
      },
      get badLines() {
        return group.badLines;
      },
      get state() {
        return state();
      },
      standingOf: (id) => this.#standingOf(id),
      retry: () => this.#retry(group),
      leave: () => {
        if (group.sinks.delete(sink) && group.sinks.size === 0) this.#closeGroup(key, group);
      },
    };
  }

  #feed(kind: AnyKind): Feed {
    // All definitions whole are tens of megabytes: those in trouble are known without.
    if (kind.id === definitionKind.id) return this.#live.definitionNames();
    return this.#kinds.includes(kind) ? this.#live.feed(kind) : this.#live.feedAhead(kind);
  }

  #standingOf(id: string): KindStanding {
    const { customKinds } = this.#live;
    const kind = [...this.#kinds, ...customKinds.choice.watched].find((one) => one.id === id);
    const standing = kind === undefined ? this.#standingOfUnwatched(id) : this.#standingOfWatched(kind);
    if (standing === undefined) return this.#unread.unread(id, this.#clock.now());
    this.#unread.forget(id);
    return standing;
  }

  /** Undefined for a kind that is not read. */
  #standingOfWatched(kind: AnyKind): KindStanding | undefined {
    const status = this.#taps.state(kind, 'all')?.status;
    if (status === 'absent') return 'gone';
    if (!this.#taps.isOpen(kind) || status === 'forbidden') return undefined;
    // Definitions in trouble are read one by one, after their names.
    if (kind.id === definitionKind.id && !this.#live.customKinds.isTroubledRead) return 'unknown';
    return this.#taps.isReady(kind) && (status === 'live' || status === 'polled') ? 'current' : 'unknown';
  }

  /** Undefined for a kind that is not read. */
  #standingOfUnwatched(id: string): KindStanding | undefined {
    const { customKinds } = this.#live;
    if (customKinds.isGone(id)) return 'gone';
    return customKinds.isEmpty(id) ? 'current' : undefined;
  }

  readonly #computeSoon = (): void => {
    const wait = Math.max(0, this.#computedAt + dashboardInterval - this.#clock.now());
    this.#cancelCompute ??= this.#clock.after(wait, () => this.#compute());
  };

  /** An event names an object, whose kind may have had none so far. */
  #expectNamed({ refs }: Entry): void {
    for (const ref of refs) {
      const [group = '', kind = ''] = ref.split(' ');
      this.#live.customKinds.expect({ group, kind });
    }
  }

  #settled(): void {
    this.#computeSoon();
    for (const { sinks } of this.#groups.values()) for (const sink of sinks) sink.state();
  }

  #compute(): void {
    this.#cancelCompute = undefined;
    this.#cancelTurn?.();
    this.#cancelTurn = undefined;
    this.#computedAt = this.#clock.now();
    // Deadlines go by the clock that wrote the times of the objects.
    const clusterNow = this.#computedAt + this.#live.pulse.clockAhead;
    const now = Math.floor(clusterNow / 1000);
    const source = this.#source();
    const memoryOf = this.#remember(source, now);
    const composeWhole = readDashboard(source, memoryOf);
    let changesAt: number | undefined;
    for (const group of this.#groups.values()) {
      if (!this.#isKnown(group)) continue;
      // The first dashboard does not wait for the definitions of custom kinds.
      this.#followCustomKinds();
      const { held, excluded } = group.sight;
      const isWhole = held.isWhole && excluded.size === 0;
      const compose = isWhole ? composeWhole : readDashboard(sourceInSight(source, group.sight), memoryOf);
      const composed = compose(held, now, group.hold);
      if (composed.changesAt !== undefined)
        changesAt = Math.min(changesAt ?? composed.changesAt, composed.changesAt);
      const text = JSON.stringify(composed.dashboard);
      group.lines = composed.lines;
      group.badLines = composed.badLines;
      if (text === group.text) continue;
      group.text = text;
      group.body = longBody(`"dashboard":${text}`);
      for (const sink of group.sinks) sink.dashboard();
    }
    if (changesAt !== undefined)
      this.#cancelTurn = this.#clock.after(changesAt * 1000 - clusterNow, this.#computeSoon);
  }

  #source(): DashboardSource {
    const live = this.#live;
    const taps = this.#taps;
    const node = live.kind('node');
    const metrics = node === undefined ? undefined : live.metrics(node);
    const { troubled } = live.customKinds;
    const { watched, left } = live.customKinds.choice;
    const entries = (kind: AnyKind) =>
      kind.id === definitionKind.id ? troubled.values() : taps.entries(kind);
    const isUnread = (kind: AnyKind) => !taps.isOpen(kind) || taps.state(kind, 'all')?.status === 'forbidden';
    return {
      kinds: [...this.#kinds, ...watched],
      unwatched: [...left, ...watched.filter(isUnread)],
      entries,
      withExcluded: entries,
      find: (kind, uid) => (kind.id === definitionKind.id ? troubled.get(uid) : taps.find(kind, uid)),
      usage: (place) => metrics?.usage(place),
      usageState: metrics?.state ?? { status: 'absent', at: null, message: null },
      recent: this.#recent,
    };
  }

  /** Remembers the troubles of the cluster, whoever looks; answers what is remembered of the trouble of an object. */
  #remember(source: DashboardSource, now: number) {
    // A list that is not whole yet would begin troubles that have lasted for long.
    const isKnown = [...this.#groups.values()].some((group) => this.#isKnown(group));
    if (!isKnown) return () => undefined;
    const { troubles, keys } = seenTroubles(source, now);
    const read = source.kinds.flatMap((kind) =>
      this.#taps.scopes(kind).map((namespace) => lookKey(kind.id, namespace)),
    );
    const remembered = this.#memory.look(troubles, now, { read, standingOf: (id) => this.#standingOf(id) });
    return (uid: string, rule: string) => remembered.get(keys.get(troubleKey({ uid, rule })) ?? '');
  }

  /** Whether each list of a group was read once or cannot be read, and one of them was read. */
  #isKnown({ kinds }: Group): boolean {
    const taps = this.#taps;
    return (
      this.#memory.isReady &&
      kinds.every((kind) => taps.isSettled(kind)) &&
      (kinds.length === 0 || kinds.some((kind) => taps.isReady(kind)))
    );
  }

  #openGroup(sight: Sight): Group {
    const live = this.#live;
    this.#memory.start();
    const kinds = this.#kinds.filter((kind) => sight.held.may(kind.permissions.view, listPlace(kind)));
    const group: Group = {
      sight,
      kinds,
      opened: new Set(),
      sinks: new Set(),
      hold: new LineHold(),
      text: undefined,
      body: undefined,
      lines: undefined,
      badLines: undefined,
    };
    for (const kind of kinds) this.#open(group, kind);
    this.#openCustomKinds(group);
    const node = live.kind('node');
    if (node !== undefined) this.#endUsage ??= live.metrics(node).retain(this.#computeSoon);
    return group;
  }

  #closeGroup(key: string, group: Group): void {
    if (this.#groups.get(key) !== group) return;
    this.#groups.delete(key);
    for (const kind of group.opened) this.#closeUnused(kind);
    if (this.#groups.size === 0) this.#stop();
  }

  #stop(): void {
    this.#endUsage?.();
    this.#endUsage = undefined;
    this.#customKinds?.leave();
    this.#customKinds = undefined;
    this.#taps.closeAll();
    this.#memory.stop();
    this.#unread.clear();
    this.#cancelCompute?.();
    this.#cancelTurn?.();
    this.#cancelCompute = undefined;
    this.#cancelTurn = undefined;
  }

  #retry(group: Group): void {
    this.#openCustomKinds(group);
    for (const kind of group.kinds) {
      this.#open(group, kind);
      this.#taps.retry(kind);
    }
    for (const kind of this.#live.customKinds.choice.watched) this.#taps.retry(kind);
  }

  #open(group: Group, kind: AnyKind): void {
    if (this.#taps.open(kind)) group.opened.add(kind);
  }

  /** Closes the list of a kind that no group has open any more. */
  #closeUnused(kind: AnyKind): void {
    for (const { opened } of this.#groups.values()) if (opened.has(kind)) return;
    this.#taps.close(kind);
  }

  #followCustomKinds(): void {
    if (this.#customKinds !== undefined) return;
    this.#customKinds = this.#live.customKinds.follow(() => {
      this.#customKindsChanged();
      this.#computeSoon();
    });
    // They may have been read already for another view.
    this.#customKindsChanged();
  }

  #customKindsChanged(): void {
    for (const group of this.#groups.values()) this.#openCustomKinds(group);
  }

  /** Opens the custom kinds that a group may view, and closes those that were deleted or redefined. */
  #openCustomKinds(group: Group): void {
    const { watched } = this.#live.customKinds.choice;
    for (const kind of group.opened) {
      if (watched.includes(kind) || group.kinds.includes(kind)) continue;
      group.opened.delete(kind);
      this.#closeUnused(kind);
    }
    for (const kind of watched)
      if (group.sight.held.may(kind.permissions.view, listPlace(kind))) this.#open(group, kind);
  }
}

/** What people see of a cluster who may view some of its kinds in some namespaces only, or leave namespaces out. */
function sourceInSight(source: DashboardSource, { held, excluded }: Sight): DashboardSource {
  const mayView = (kind: AnyKind, entry: Entry) =>
    isWithin(held.namespacesFor(kind.permissions.view), kind, entry);
  const sees = (kind: AnyKind, entry: Entry) => mayView(kind, entry) && !isExcluded(excluded, kind, entry);
  const filtered = (
    entries: Iterable<Entry> | undefined,
    kind: AnyKind,
    isIn: (kind: AnyKind, entry: Entry) => boolean,
  ) => (entries === undefined ? undefined : [...entries].filter((entry) => isIn(kind, entry)));
  return {
    ...source,
    entries: (kind) => filtered(source.entries(kind), kind, sees),
    withExcluded: (kind) => filtered(source.withExcluded(kind), kind, mayView),
    find(kind, uid) {
      const entry = source.find(kind, uid);
      return entry !== undefined && sees(kind, entry) ? entry : undefined;
    },
  };
}
