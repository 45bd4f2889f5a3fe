import type { LabelSelector } from '../../kube/selector.ts';
import { at, type Obj, recs, rec, str } from '../kit/values.ts';
import type { Life } from './engine.ts';
import { affinityScore } from './node-affinity.ts';
import { type Candidate, domainCounts, type Placement } from './scheduler-filters.ts';
import { taintsOf, toleratesTaint } from './taints.ts';

const zone = 'topology.kubernetes.io/zone';

/** The share of a node that is free with the pod on it: the mean of CPU and memory, 0 to 1. */
function freeShare({ demand }: Candidate, { room }: Placement): number {
  const share = (name: string) => {
    const all = room.allocatable.get(name) ?? 0;
    if (all === 0) return 0;
    return Math.max(0, (all - (room.used.get(name) ?? 0) - (demand.get(name) ?? 0)) / all);
  };
  return (share('cpu') + share('memory')) / 2;
}

function peers(candidate: Candidate, placements: readonly Placement[], life: Life): (node: Obj) => number {
  const { pod, spec } = candidate;
  const soft = recs(spec['topologySpreadConstraints']).filter(
    (rule) => rule['whenUnsatisfiable'] === 'ScheduleAnyway',
  );
  const ownNamespace = new Set([pod.metadata.namespace ?? '']);
  const rules = soft.map((rule) => ({
    key: str(rule['topologyKey']),
    counts: domainCounts(
      life,
      str(rule['topologyKey']),
      ownNamespace,
      rule['labelSelector'] as LabelSelector,
      () => true,
    ),
  }));
  if (rules.length > 0) {
    return (node) =>
      rules.reduce((sum, { key, counts }) => sum + (counts.get(node.metadata.labels?.[key] ?? '') ?? 0), 0);
  }
  // Pods of one owner are spread over zones first, then over nodes.
  const zones = new Map<string, number>();
  for (const { node, room } of placements) {
    const zoneName = node.metadata.labels?.[zone] ?? '';
    zones.set(zoneName, (zones.get(zoneName) ?? 0) + room.siblings);
  }
  const siblings = new Map(placements.map(({ node, room }) => [node, room.siblings]));
  return (node) => (zones.get(node.metadata.labels?.[zone] ?? '') ?? 0) + (siblings.get(node) ?? 0);
}

function podPreference({ pod }: Candidate, node: Obj, life: Life): number {
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const terms = [
    ...recs(at(pod, 'spec', 'affinity', 'podAffinity', preferred)).map((item) => ({ item, sign: 1 })),
    ...recs(at(pod, 'spec', 'affinity', 'podAntiAffinity', preferred)).map((item) => ({ item, sign: -1 })),
  ];
  const ownNamespace = new Set([pod.metadata.namespace ?? '']);
  return terms.reduce((sum, { item, sign }) => {
    const term = rec(item['podAffinityTerm']);
    const key = str(term['topologyKey']);
    const counts = domainCounts(
      life,
      key,
      ownNamespace,
      term['labelSelector'] as LabelSelector | undefined,
      () => true,
    );
    return sum + sign * Number(item['weight'] ?? 0) * (counts.get(node.metadata.labels?.[key] ?? '') ?? 0);
  }, 0);
}

/**
 * The best of the fitting nodes: preferred, without soft taints, far from the pod's siblings, with the most room.
 */
export function scoreNodes(
  candidate: Candidate,
  placements: readonly Placement[],
  life: Life,
): Obj | undefined {
  if (placements.length < 2) return placements[0]?.node;
  const together = peers(candidate, placements, life);
  const ranked = placements.map((placement) => {
    const { node } = placement;
    const avoided = taintsOf(node, 'PreferNoSchedule').filter(
      (taint) => !candidate.tolerations.some((item) => toleratesTaint(item, taint)),
    ).length;
    return {
      node,
      rank: [
        -(affinityScore(candidate.spec, node) + podPreference(candidate, node, life)),
        avoided,
        together(node),
        -freeShare(candidate, placement),
      ],
    };
  });
  ranked.sort((a, b) => {
    for (const [index, value] of a.rank.entries()) {
      const other = b.rank[index] ?? 0;
      if (Math.abs(value - other) > 1e-12) return value - other;
    }
    return 0;
  });
  return ranked[0]?.node;
}
