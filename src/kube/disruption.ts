import type { Pod } from './core.ts';
import type { Condition, KubeObject } from './object.ts';
import { type LabelSelector, matchesSelector } from './selector.ts';

/** The parts of policy/v1 PodDisruptionBudget that the console reads. */
export interface DisruptionBudget extends KubeObject {
  spec?: {
    selector?: LabelSelector;
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    unhealthyPodEvictionPolicy?: string;
  };
  status?: {
    observedGeneration?: number;
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    expectedPods?: number;
    conditions?: Condition[];
  };
}

/** The parts of a pod that the Eviction API reads. */
export interface EvictedPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The pod has not started, has ended or is being deleted, so budgets do not apply. */
  readonly isExempt: boolean;
  readonly isReady: boolean;
}

/** Whether an eviction would succeed, and the budgets that decide it. */
export type EvictionVerdict =
  | { readonly type: 'goes' }
  /** The budget allows no disruption now. */
  | { readonly type: 'held'; readonly budget: DisruptionBudget }
  /** The budget's spec changed and its controller has not counted the pods since; it allows nothing until then. */
  | { readonly type: 'uncounted'; readonly budget: DisruptionBudget }
  /** Earlier evictions of the list use up what the budget allows now. */
  | { readonly type: 'queued'; readonly budget: DisruptionBudget; readonly allowed: number }
  /** Several budgets select the pod: the API server refuses its eviction until only one does. */
  | { readonly type: 'refused'; readonly budgets: readonly DisruptionBudget[] };

const exemptPhases = ['Pending', 'Succeeded', 'Failed'];

/** Reads the parts of a pod that the Eviction API reads. */
export function evictedPod({ metadata, status }: Pod): EvictedPod {
  return {
    namespace: metadata?.namespace ?? '',
    labels: metadata?.labels,
    isExempt: metadata?.deletionTimestamp !== undefined || exemptPhases.includes(status?.phase ?? ''),
    isReady: status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true,
  };
}

/**
 * Judges evictions in the order in which they are tried, by the current budgets. Returns one verdict for each pod, in
 * the same order. Source: Kubernetes pkg/registry/core/pod/storage/eviction.go.
 */
export function judgeEvictions(
  pods: readonly EvictedPod[],
  budgets: readonly DisruptionBudget[],
): EvictionVerdict[] {
  const byNamespace = new Map<string, DisruptionBudget[]>();
  for (const budget of budgets) {
    const namespace = budget.metadata?.namespace ?? '';
    const known = byNamespace.get(namespace);
    if (known === undefined) byNamespace.set(namespace, [budget]);
    else known.push(budget);
  }
  const spent = new Map<DisruptionBudget, number>();
  return pods.map((pod): EvictionVerdict => {
    if (pod.isExempt) return { type: 'goes' };
    const own = (byNamespace.get(pod.namespace) ?? []).filter(({ spec }) =>
      matchesSelector(spec?.selector ?? undefined, pod.labels),
    );
    const [budget] = own;
    if (budget === undefined) return { type: 'goes' };
    if (own.length > 1) return { type: 'refused', budgets: own };
    if (!pod.isReady && sparesUnready(budget)) return { type: 'goes' };
    const { observedGeneration = 0, disruptionsAllowed: allowed = 0 } = budget.status ?? {};
    if (observedGeneration < (budget.metadata?.generation ?? 0)) return { type: 'uncounted', budget };
    if (allowed <= 0) return { type: 'held', budget };
    const before = spent.get(budget) ?? 0;
    if (before >= allowed) return { type: 'queued', budget, allowed };
    spent.set(budget, before + 1);
    return { type: 'goes' };
  });
}

/** Whether evicting an unready pod does not count against the budget. */
function sparesUnready({ spec, status }: DisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}
