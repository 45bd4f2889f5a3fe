import { type DisruptionBudget, evictedPod, judgeEvictions } from '../../../kube/disruption.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { field, rule } from '../rule.ts';
import { allOf, nameOf } from '../world.ts';

/** Why a budget lets no pod go, with what helps. */
function blockText({ spec, status }: DisruptionBudget): string {
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status ?? {};
  if (desiredHealthy >= expectedPods && (spec?.minAvailable ?? spec?.maxUnavailable) !== undefined)
    return `it requires all ${expectedPods} of its pods. Lower the requirement, or run one more pod`;
  return `${currentHealthy} of its pods are ready and it requires ${desiredHealthy}. Get the others ready first`;
}

/** A cordoned node from which a budget lets no pod go. */
export const drainRule = rule<Node>({
  id: 'node.drain-blocked',
  kind: 'Node',
  tone: 'warn',
  // Whether somebody wants to drain the node nothing tells.
  sort: 'advice',
  find(node, world) {
    if (node.spec?.unschedulable !== true) return undefined;
    const budgets = allOf(world, 'PodDisruptionBudget') ?? [];
    const strict = budgets.filter(({ status }) => status?.disruptionsAllowed === 0);
    for (const namespace of new Set(strict.map(({ metadata }) => metadata?.namespace))) {
      const pods = (allOf(world, 'Pod', { namespace }) ?? []).filter(
        (pod) => pod.spec?.nodeName === node.metadata?.name && controllerOf(pod)?.kind !== 'DaemonSet',
      );
      const verdicts = judgeEvictions(pods.map(evictedPod), budgets);
      const at = verdicts.findIndex(({ type }) => type === 'held');
      const [pod, verdict] = [pods[at], verdicts[at]];
      if (pod === undefined || verdict?.type !== 'held') continue;
      const { budget } = verdict;
      const nodeName = node.metadata?.name ?? '';
      return {
        object: nameOf(budget),
        sentence: `Draining node ${nodeName} cannot evict pod ${namespace ?? ''}/${pod.metadata?.name ?? ''}: budget ${budget.metadata?.name ?? ''} allows no eviction: ${blockText(budget)}.`,
        evidence: [
          field(node, 'spec.unschedulable'),
          field(budget, 'status.disruptionsAllowed'),
          field(budget, 'status.currentHealthy'),
          field(budget, 'status.desiredHealthy'),
          field(pod, 'spec.nodeName'),
        ],
      };
    }
    return undefined;
  },
});
