import { type DisruptionBudget, evictedPod, judgeEvictions } from '../../../kube/disruption.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { matchesSelector } from '../../../kube/selector.ts';
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
        sentence: `Draining node ${nodeName} cannot evict pod ${namespace ?? ''}/${pod.metadata?.name ?? ''}: budget ${budget.metadata?.name ?? ''} allows no eviction, because ${blockText(budget)}.`,
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

/** Pods on a cordoned node that several budgets select: such pods cannot be evicted at all. */
export const overlapRule = rule<Node>({
  id: 'node.budgets-overlap',
  kind: 'Node',
  tone: 'warn',
  sort: 'cause',
  find(node, world) {
    if (node.spec?.unschedulable !== true) return undefined;
    const budgets = allOf(world, 'PodDisruptionBudget') ?? [];
    for (const namespace of new Set(budgets.map(({ metadata }) => metadata?.namespace))) {
      const own = budgets.filter(({ metadata }) => metadata?.namespace === namespace);
      if (own.length < 2) continue;
      for (const pod of allOf(world, 'Pod', { namespace }) ?? []) {
        if (pod.spec?.nodeName !== node.metadata?.name) continue;
        const fitting = own.filter(({ spec }) => matchesSelector(spec?.selector, pod.metadata?.labels));
        if (fitting.length < 2) continue;
        return {
          sentence: `Pod ${namespace ?? ''}/${pod.metadata?.name ?? ''} cannot be evicted from node ${node.metadata?.name ?? ''}: more than one budget selects it, ${fitting.map(({ metadata }) => metadata?.name ?? '').join(' and ')}.`,
          evidence: [
            field(node, 'spec.unschedulable'),
            field(pod, 'metadata.labels'),
            ...fitting.map((one) => field(one, 'spec.selector')),
          ],
        };
      }
    }
    return undefined;
  },
});
