import type { Cluster } from '../../../contract/clusters.ts';
import type { AttentionLine, Dashboard, DashboardTone } from '../../../contract/dashboard.ts';
import { type FleetFigures, fleetKinds } from '../../../contract/fleet.ts';
import { formatAge } from '../../../kube/age.ts';
import { compareTrouble } from '../../../registry/kinds/attention.ts';
import { type Tone, toneRank } from '../../../registry/tone.ts';
import { kindById } from '../../core/kinds/declared.ts';
import type { JudgedLine } from '../../features/attention/acknowledged.ts';
import { clusterHealth } from '../../data/cluster-health.ts';

/** A cluster with its dashboard, as far as it is known. */
export interface FleetMember {
  readonly cluster: Cluster;
  readonly dashboard: Dashboard | undefined;
  /** Its dashboard is followed. */
  readonly isFollowed: boolean;
  /** There are many clusters, of which numbers are shown in place of dashboards. */
  readonly isCounted?: boolean;
  /** These numbers; undefined until they are known. */
  readonly figures?: FleetFigures | undefined;
}

/** How a cluster does, in one tone and a few words. */
export interface FleetHealth {
  readonly tone: Tone;
  readonly text: string;
}

const countOf = (lines: readonly AttentionLine[], tone: 'bad' | 'warn') =>
  lines.filter((line) => line.tone === tone && line.endedAt === undefined).length;

/**
 * How a cluster does by the judgement of its own dashboard: what needs attention there decides, after whether it can be
 * reached at all.
 */
export function fleetHealth({ cluster, dashboard, isFollowed, figures }: FleetMember): FleetHealth {
  const reach = clusterHealth(cluster);
  if (cluster.state.status !== 'reachable') return reach;
  if (dashboard === undefined && !isFollowed) return countedHealth(figures) ?? reach;
  if (dashboard === undefined) return { tone: 'idle', text: 'Reading' };
  const bad = countOf(dashboard.attention, 'bad');
  const warn = countOf(dashboard.attention, 'warn');
  if (bad > 0) return { tone: 'bad', text: warn > 0 ? `${bad} failing, ${warn} degraded` : `${bad} failing` };
  if (warn > 0) return { tone: 'warn', text: `${warn} degraded` };
  return { tone: 'ok', text: 'Healthy' };
}

/** How a cluster does by numbers of objects alone; undefined where the person may view none of what is counted. */
function countedHealth(figures: FleetFigures | undefined): FleetHealth | undefined {
  if (figures?.readAt == null) return { tone: 'idle', text: 'Not counted yet' };
  const bad = failingOf(figures).reduce((sum, [, count]) => sum + count, 0);
  if (bad > 0) return { tone: 'bad', text: `${bad} failing` };
  const { tallies, uncounted } = figures;
  if (uncounted.length > 0) {
    const titles = uncounted.map((kind) => kindById(kind)?.title ?? kind);
    return { tone: 'idle', text: `Not counted: ${titles.join(', ')}` };
  }
  return Object.keys(tallies).length === 0 ? undefined : { tone: 'ok', text: 'Healthy' };
}

/** The kinds of which objects fail, with how many. */
const failingOf = ({ tallies }: FleetFigures): readonly (readonly [kind: string, count: number])[] =>
  fleetKinds.flatMap((kind) => {
    const bad = tallies[kind]?.bad ?? 0;
    return bad > 0 ? [[kind, bad] as const] : [];
  });

/** How old the figures of a cluster are, in words; undefined for one whose dashboard is followed. @param now ms */
export function figuresAge({ figures }: Pick<FleetMember, 'figures'>, now: number): string | undefined {
  if (figures?.readAt == null) return undefined;
  // A clock that is behind makes it no negative time.
  return `as of ${formatAge(Math.max(0, now - Date.parse(figures.readAt)) / 1000)} ago`;
}

/** The nodes of a cluster in words: `3 ready`, or `1 of 3 not ready`; undefined where the person may not see them. */
export function nodesText({
  dashboard,
  figures,
}: Pick<FleetMember, 'dashboard' | 'figures'>): FleetHealth | undefined {
  const isBad = ({ status: [, tone] }: { readonly status: readonly [string, DashboardTone] }) =>
    tone === 'bad';
  const nodes = dashboard?.nodes;
  const tally =
    nodes == null ? figures?.tallies['node'] : { total: nodes.length, bad: nodes.filter(isBad).length };
  if (tally === undefined) return undefined;
  const { total, bad } = tally;
  return bad === 0
    ? { tone: 'ok', text: `${total} ready` }
    : { tone: 'bad', text: `${bad} of ${total} not ready` };
}

/** Clusters worst first, then by name. */
export function fleetOrder(members: readonly FleetMember[]): readonly FleetMember[] {
  return [...members].sort(
    (a, b) =>
      toneRank[fleetHealth(a).tone] - toneRank[fleetHealth(b).tone] ||
      a.cluster.name.localeCompare(b.cluster.name, 'en'),
  );
}

/**
 * Members in the order in which a reader sees them: those that were there keep their places, later ones follow.
 * @param ids the clusters in the order that is held, by id
 */
export function heldOrder(members: readonly FleetMember[], ids: readonly number[]): readonly FleetMember[] {
  const placeOf = (id: number) => {
    const place = ids.indexOf(id);
    return place === -1 ? ids.length : place;
  };
  return [...members].sort((a, b) => placeOf(a.cluster.id) - placeOf(b.cluster.id));
}

/** A line of what needs attention, with its cluster. */
export interface FleetLine extends JudgedLine {
  readonly cluster: Cluster;
}

/** A cluster whose objects fail, with how many of each kind. */
export interface FailingCluster {
  readonly cluster: Cluster;
  readonly kinds: readonly (readonly [kind: string, count: number])[];
}

/** Maximum number of lines of what needs attention anywhere. */
export const fleetLines = 12;

/**
 * Lines of trouble of all clusters: worst first, causes above the rest, then newest. Also the number of all lines, and of
 * the clusters that were not read yet.
 * @param judge judges a line of a cluster by the acknowledgements of the person
 */
export function attentionAnywhere(
  members: readonly FleetMember[],
  judge: (line: AttentionLine, clusterId: number) => JudgedLine = (line) => ({ line, isNew: false }),
): {
  readonly lines: readonly FleetLine[];
  readonly total: number;
  /** Number of lines that last for more than a day, or are acknowledged. */
  readonly folded: number;
  readonly unread: number;
  /** Number of clusters that do not answer, of which nothing is known. */
  readonly unreached: number;
  /** Clusters of which only numbers are known, and whose objects fail. */
  readonly failing: readonly FailingCluster[];
} {
  const all = members.flatMap(({ cluster, dashboard }) =>
    (dashboard?.attention ?? [])
      .filter(({ endedAt }) => endedAt === undefined)
      .map((line) => ({ cluster, ...judge(line, cluster.id) })),
  );
  const open = all.filter(
    ({ line, acknowledgedUntil }) => line.isChronic !== true && acknowledgedUntil === undefined,
  );
  const folded = all.length - open.length;
  const sorted = open.sort((a, b) => compareTrouble(a.line, b.line));
  const total = members.reduce((sum, { dashboard }) => sum + (dashboard?.attentionTotal ?? 0), 0) - folded;
  const unread = members.filter(
    ({ cluster, dashboard, figures }) =>
      cluster.state.status === 'reachable' && dashboard === undefined && figures?.readAt == null,
  ).length;
  const unreached = members.filter(
    ({ cluster: { state }, dashboard }) =>
      dashboard === undefined && (state.status === 'unreachable' || state.status === 'forbidden'),
  ).length;
  const failing = members.flatMap(({ cluster, figures }) => {
    const isKnown = cluster.state.status === 'reachable' && figures?.readAt != null;
    const kinds = isKnown ? failingOf(figures) : [];
    return kinds.length === 0 ? [] : [{ cluster, kinds }];
  });
  return { lines: sorted.slice(0, fleetLines), total, folded, unread, unreached, failing };
}

/** The cluster in which a newcomer tries something: the first that answers; undefined if none does. */
export const clusterToTry = (clusters: readonly Pick<Cluster, 'id' | 'state'>[]): number | undefined =>
  clusters.find(({ state }) => state.status === 'reachable')?.id;
