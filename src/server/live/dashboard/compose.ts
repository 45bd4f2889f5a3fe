import { event } from '../../../../commands/kinds/event.ts';
import {
  type AttentionLine,
  attentionLines,
  type CapacityLine,
  type Dashboard,
  type DashboardNode,
  type DashboardTone,
  dashboardUnwatched,
  type UsageState,
} from '../../../contract/dashboard.ts';
import { eventMinutes } from '../../../contract/event-minutes.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import { hasSidebarCount } from '../../../registry/sidebar.ts';
import { toneRank } from '../../../registry/tone.ts';
import type { HeldPermissions } from '../../access/held.ts';
import { listPlace } from '../../access/place.ts';
import {
  asEvents,
  attentionLinesOf,
  chronicAt,
  markChronic,
  oncePerPlace,
  placeKey,
  type Trouble,
} from './attention-lines.ts';
import { foldAlike } from './alike-lines.ts';
import type { Usage } from '../joins/usage.ts';
import { type Entry, placeOf, statusOf } from '../source/projector.ts';
import { type Changed, changeLines, newestChanges } from './changes.ts';
import { readEvents } from './events.ts';
import type { LineHold } from './line-hold.ts';
import { foldUnderNodes, hasLostNode } from './lost-nodes.ts';
import { collectTroubles, EarliestTime } from './due-troubles.ts';
import { RecentTroubles } from './recent-troubles.ts';
import type { RememberedTrouble } from './trouble-memory.ts';
import { cellReader, countKind, type KindCounts, loadOfNodes, numberOf, storageOf } from './facts.ts';

/** The kinds that a dashboard is made of, as they are known now. */
export interface DashboardSource {
  readonly kinds: readonly AnyKind[];
  /** Kinds whose objects may be in trouble and are not watched. */
  readonly unwatched: readonly AnyKind[];
  /** The objects of a kind, perhaps to be gone through once; undefined while they are not known, or where the console cannot read them. */
  entries(kind: AnyKind): Iterable<Entry> | undefined;
  /** As `entries`, with those that the person leaves out of their views: nodes run them all the same. */
  withExcluded(kind: AnyKind): Iterable<Entry> | undefined;
  find(kind: AnyKind, uid: string): Entry | undefined;
  usage(node: string): Usage | undefined;
  readonly usageState: UsageState;
  /** Absent where trouble always has to settle. */
  readonly recent?: RecentTroubles;
}

/** A dashboard, and when time alone will change it (epoch seconds). */
export interface Composed {
  readonly dashboard: Dashboard;
  /** All lines of trouble, those beyond what a dashboard lists as well. */
  readonly lines: readonly AttentionLine[];
  /**
   * All lines of trouble that is bad, as they are told; those beyond what a dashboard lists as well, and those that a
   * node explains.
   */
  readonly badLines: readonly AttentionLine[];
  readonly changesAt: number | undefined;
}

/**
 * The kinds of a dashboard: those that may be in trouble, and events. Rules of kinds without a status tell only of what
 * stands around one object, which a dashboard does not read. Of kinds without rules it has those that the sidebar follows
 * anyway: a finalizer may hold their objects.
 */
export function dashboardKinds(kinds: readonly Kind[]): readonly Kind[] {
  const isFollowed = (kind: Kind) => hasSidebarCount(kind) && kind.source === undefined;
  return kinds.filter(
    (kind) =>
      (kind.status !== undefined && (kind.attention !== undefined || isFollowed(kind))) ||
      kind.id === event.id,
  );
}

/** Workloads are what the sidebar lists as resources and has a health of its own. */
const isWorkload = ({ attention, sidebar }: AnyKind) =>
  attention !== undefined && sidebar?.section === 'Resources';

/**
 * Reads what is the same for everybody once; the answer composes the dashboard of people with some permissions from it.
 * A kind that they may not view is neither shown nor counted. For people who may view one in some namespaces only, the
 * source has no other objects.
 * @param memoryOf what is remembered of the trouble of an object by a rule
 */
export function readDashboard(
  source: DashboardSource,
  memoryOf: (uid: string, rule: string) => RememberedTrouble | undefined = () => undefined,
): (held: HeldPermissions, now: number, hold?: LineHold) => Composed {
  const { recent = new RecentTroubles() } = source;
  const counts = new Map<AnyKind, KindCounts>();
  const changed: (readonly [kind: AnyKind, changes: readonly Changed[]])[] = [];
  for (const kind of source.kinds) {
    const entries = source.entries(kind);
    if (entries !== undefined) counts.set(kind, countKind(kind, entries));
    if (entries === undefined || kind.changed === undefined) continue;
    changed.push([kind, newestChanges(source.entries(kind) ?? [])]);
  }
  const kindOf = (id: string) => source.kinds.find((kind) => kind.id === id);
  const [nodeKind, podKind, eventKind] = [kindOf('node'), kindOf('pod'), kindOf('event')];
  const volumeKind = kindOf('persistentvolume');
  const volumes = volumeKind && source.entries(volumeKind);
  const storage = volumes === undefined || volumeKind === undefined ? null : storageOf(volumeKind, volumes);
  const pods = podKind && source.withExcluded(podKind);
  const loads = pods === undefined ? undefined : loadOfNodes(pods);
  // Read once: entries may be an iterator, and everybody's nodes come from here.
  const nodes = [...((nodeKind && source.entries(nodeKind)) ?? [])];
  const isNodesKnown = nodeKind !== undefined && counts.has(nodeKind);
  const eventEntries = eventKind && source.entries(eventKind);
  const events =
    eventKind === undefined || eventEntries === undefined ? null : readEvents(eventKind, eventEntries);

  function nodeLines(kind: AnyKind, entries: readonly Entry[], maySeePods: boolean): DashboardNode[] {
    const cell = cellReader(kind);
    const lines = entries.map((entry): DashboardNode => {
      const load = loads?.get(entry.name);
      const usage = source.usage(placeOf('', entry.name));
      const line = (name: 'cpu' | 'memory' | 'pods'): CapacityLine => ({
        requested: maySeePods && loads !== undefined ? (load?.[name] ?? 0) : null,
        allocatable: numberOf(entry.facts[name]),
        used: name === 'pods' ? null : (usage?.[name] ?? null),
      });
      const [label, tone] = statusOf(kind, entry) ?? ['Unknown', 'warn'];
      const roles = cell(entry, 'roles');
      return {
        name: entry.name,
        status: [label, tone as DashboardTone],
        roles: typeof roles === 'string' ? roles : null,
        cpu: line('cpu'),
        memory: line('memory'),
        pods: line('pods'),
      };
    });
    return lines.sort((a, b) => toneRank[a.status[1]] - toneRank[b.status[1]] || (a.name < b.name ? -1 : 1));
  }

  /** Whether the object of a line exists. */
  function isThere({ on }: AttentionLine): boolean {
    const kind = kindOf(on.kind);
    const entries = kind && source.entries(kind);
    if (entries === undefined) return false;
    for (const { name, namespace } of entries)
      if (name === on.name && namespace === (on.namespace ?? '')) return true;
    return false;
  }

  return (held, now, hold) => {
    const maySee = (kind: AnyKind | undefined): kind is AnyKind =>
      kind !== undefined && held.may(kind.permissions.view, listPlace(kind));
    const visible = {
      kinds: source.kinds,
      find: (kind: AnyKind, uid: string) => (maySee(kind) ? source.find(kind, uid) : undefined),
    };
    const turn = new EarliestTime(now);
    const isNodeLost = maySee(nodeKind) && hasLostNode(counts.get(nodeKind)?.troubled ?? [], recent, now);
    const from = { visible, podKind, isNodeLost, memoryOf, recent, now, turn };
    const seenKinds = [...counts].filter(([kind]) => maySee(kind));
    const { troubles, podsOnNodes } = collectTroubles(seenKinds, from);
    const all = withoutOwned(troubles);
    const folded = foldUnderNodes(all, podsOnNodes);
    const linesOf = (some: readonly Trouble[]) =>
      markChronic(oncePerPlace(attentionLinesOf(some, held.may)), now);
    const lines = linesOf(folded.troubles).map((line) => {
      turn.add(chronicAt(line));
      const affected = line.on.kind === nodeKind?.id ? folded.affected.get(line.on.name) : undefined;
      return affected === undefined ? line : { ...line, affected };
    });
    const stillTroubled = new Set(troubles.map(({ place }) => placeKey(place.ref)));
    const isOver = (line: AttentionLine) => !stillTroubled.has(line.key) && isThere(line);
    const kept = hold?.hold(lines, now, isOver);
    turn.add(kept?.changesAt);
    const shown = markChronic(foldAlike(kept?.lines ?? lines), now);
    // A follower of a workload is notified of its trouble, also where a node explains it.
    const ownLines = folded.affected.size === 0 ? lines : linesOf(all);
    // The pods of some namespaces are not what a node runs.
    const maySeeLoad = podKind !== undefined && held.may(podKind.permissions.view, 'cluster');
    const seenNodes = isNodesKnown && maySee(nodeKind) ? nodeLines(nodeKind, nodes, maySeeLoad) : null;
    const seenEvents = maySee(eventKind) ? events : null;
    const unwatched = source.unwatched
      .filter(maySee)
      .map(({ id, kind }) => ({ id, kind }))
      .sort((a, b) => (a.kind === b.kind ? (a.id < b.id ? -1 : 1) : a.kind < b.kind ? -1 : 1));
    const workloads = [...counts].filter(([kind]) => isWorkload(kind) && maySee(kind));
    return {
      changesAt: turn.at,
      lines,
      badLines: asEvents(ownLines, troubles).filter(({ tone }) => tone === 'bad'),
      dashboard: {
        attention: shown.slice(0, attentionLines),
        attentionTotal: shown.length,
        unwatched: unwatched.slice(0, dashboardUnwatched),
        unwatchedTotal: unwatched.length,
        workloads: Object.fromEntries(workloads.map(([kind, { tones }]) => [kind.id, tones])),
        capacity: seenNodes === null ? null : capacityOf(seenNodes, loads !== undefined && maySeeLoad),
        storage: maySee(volumeKind) ? storage : null,
        nodes: seenNodes,
        usage: seenNodes === null ? null : source.usageState,
        events: seenEvents?.recent ?? null,
        eventMinutes: seenEvents?.minutes.filter(([minute]) => minute > now / 60 - eventMinutes) ?? null,
        changes: changeLines(changed.filter(([kind]) => maySee(kind))),
      },
    };
  };
}

/** The rule of kinds without a file. */
const customRule = 'custom.trouble';

/**
 * Leaves out what custom objects say whose controller says it as well: a certificate, its request, its order and its
 * challenge fail together.
 */
function withoutOwned(troubles: readonly (Trouble & { readonly entry: Entry })[]): readonly Trouble[] {
  const failing = new Set(
    troubles.flatMap(({ entry, attention }) => (attention.rule === customRule ? [entry.uid] : [])),
  );
  if (failing.size < 2) return troubles;
  return troubles.filter(
    ({ entry, attention }) => attention.rule !== customRule || !failing.has(entry.owners[0]?.uid ?? ''),
  );
}

/** Adds up nodes; usage counts those that report it. @param isLoadKnown whether this person may know of their pods */
function capacityOf(
  nodes: readonly DashboardNode[],
  isLoadKnown: boolean,
): NonNullable<Dashboard['capacity']> {
  const add = (name: 'cpu' | 'memory' | 'pods'): CapacityLine => {
    const lines = nodes.map((node) => node[name]);
    const used = lines.flatMap((line) => line.used ?? []);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      requested: isLoadKnown ? sum(lines.map(({ requested }) => requested ?? 0)) : null,
      allocatable: sum(lines.map(({ allocatable }) => allocatable)),
      used: used.length === 0 ? null : sum(used),
    };
  };
  return { cpu: add('cpu'), memory: add('memory'), pods: add('pods') };
}
