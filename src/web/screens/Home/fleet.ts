import type { Cluster } from '../../../contract/clusters.ts';
import type { AttentionLine, Dashboard, DashboardTone } from '../../../contract/dashboard.ts';
import { compareTrouble } from '../../../registry/kinds/attention.ts';
import { type Tone, toneRank } from '../../../registry/tone.ts';
import type { JudgedLine } from '../../features/attention/acknowledged.ts';
import { clusterHealth } from '../../data/cluster-health.ts';

/** A cluster with its dashboard, as far as it is known. */
export interface FleetMember {
  readonly cluster: Cluster;
  readonly dashboard: Dashboard | undefined;
  /** Its dashboard is followed; of the others it is only known whether they can be reached. */
  readonly isFollowed: boolean;
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
export function fleetHealth({ cluster, dashboard, isFollowed }: FleetMember): FleetHealth {
  const reach = clusterHealth(cluster);
  if (cluster.state.status !== 'reachable') return reach;
  if (dashboard === undefined) return isFollowed ? { tone: 'idle', text: 'Reading' } : reach;
  const bad = countOf(dashboard.attention, 'bad');
  const warn = countOf(dashboard.attention, 'warn');
  if (bad > 0) return { tone: 'bad', text: warn > 0 ? `${bad} failing, ${warn} degraded` : `${bad} failing` };
  if (warn > 0) return { tone: 'warn', text: `${warn} degraded` };
  return { tone: 'ok', text: 'Healthy' };
}

/** The nodes of a cluster in words: `3 ready`, or `1 of 3 not ready`; undefined where the person may not see them. */
export function nodesText(dashboard: Dashboard | undefined): FleetHealth | undefined {
  if (dashboard?.nodes == null) return undefined;
  const { nodes } = dashboard;
  const isBad = ({ status: [, tone] }: { readonly status: readonly [string, DashboardTone] }) =>
    tone === 'bad';
  const bad = nodes.filter(isBad).length;
  return bad === 0
    ? { tone: 'ok', text: `${nodes.length} ready` }
    : { tone: 'bad', text: `${bad} of ${nodes.length} not ready` };
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
    ({ cluster, dashboard, isFollowed }) =>
      isFollowed && cluster.state.status === 'reachable' && dashboard === undefined,
  ).length;
  const unreached = members.filter(
    ({ cluster: { state }, dashboard }) =>
      dashboard === undefined && (state.status === 'unreachable' || state.status === 'forbidden'),
  ).length;
  return { lines: sorted.slice(0, fleetLines), total, folded, unread, unreached };
}

/** The cluster in which a newcomer tries something: the first that answers; undefined if none does. */
export const clusterToTry = (clusters: readonly Pick<Cluster, 'id' | 'state'>[]): number | undefined =>
  clusters.find(({ state }) => state.status === 'reachable')?.id;
