import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import type { Lease } from '../../../kube/scheduling.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { field, type Proof } from '../rule.ts';
import type { World } from '../world.ts';

/** How far from now the last report of a ready node may be, s: a kubelet reports every five minutes, by its node's clock. */
const reportAge = 15 * 60;

/** How far the clock of a ready node is off by its own reports; undefined for a good one. */
export function nodeClock(
  node: Node,
  world: World,
): { readonly text: string; readonly evidence: readonly Proof[] } | undefined {
  const conditions = node.status?.conditions ?? [];
  const ready = conditionOf(conditions, 'Ready');
  const at = conditions.findIndex(({ type }) => type === 'Ready');
  const last = epochSeconds(
    (ready as { readonly lastHeartbeatTime?: string } | undefined)?.lastHeartbeatTime,
  );
  if (ready?.status !== 'True' || last === null) return undefined;
  const behind = world.now - last;
  if (Math.abs(behind) <= reportAge) return undefined;
  // A lease is renewed every ten seconds by the same clock: one that is fresh tells that reports are only rare.
  const lease: Lease | null | undefined = world.one({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    namespace: 'kube-node-lease',
    name: node.metadata?.name ?? '',
  });
  const renewed = epochSeconds(lease?.spec?.renewTime);
  if (lease === undefined || (renewed !== null && Math.abs(world.now - renewed) <= reportAge))
    return undefined;
  return {
    text: behind > 0 ? `about ${formatAge(behind)} behind` : `about ${formatAge(-behind)} ahead`,
    evidence: [field(node, `status.conditions[${at}].lastHeartbeatTime`)],
  };
}
