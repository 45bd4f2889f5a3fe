import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { condition, field, rule } from '../rule.ts';

/** How long a load balancer may take to check a pod for the first time, s. */
const patience = 120;

/** Who sets the conditions of well-known gates, by how their types begin. */
const setters = [
  { prefix: 'target-health.', name: 'the AWS Load Balancer Controller' },
  { prefix: 'cloud.google.com/load-balancer-', name: 'the load balancer controller of GKE' },
] as const;

/** A pod that is ready but for what something outside of it has to say. */
export const readinessGateRule = rule<Pod>({
  id: 'pod.readiness-gate',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const conditions = pod.status?.conditions;
    const ready = conditionOf(conditions, 'Ready');
    const containers = conditionOf(conditions, 'ContainersReady');
    const since = epochSeconds(containers?.lastTransitionTime);
    if (ready?.status !== 'False' || ready.reason !== 'ReadinessGatesNotReady') return undefined;
    if (containers?.status !== 'True' || since === null || since > world.now - patience) return undefined;
    if (pod.metadata?.deletionTimestamp !== undefined) return undefined;
    const gates = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => conditionType ?? []);
    const gate = gates.find((type) => conditionOf(conditions, type)?.status !== 'True');
    if (gate === undefined) return undefined;
    const found = conditionOf(conditions, gate);
    const setter =
      setters.find(({ prefix }) => gate.startsWith(prefix))?.name ?? 'the controller that sets it';
    return {
      sentence:
        found === undefined
          ? `The containers of the pod have been ready for ${formatAge(world.now - since)}, but it gets no traffic: nothing has set the condition of its readiness gate ${gate}. Check that ${setter} is running and knows the pod.`
          : `The containers of the pod are ready, but it gets no traffic: its readiness gate ${gate} is ${found.status}, ${found.message ?? found.reason ?? 'without a reason'}.`,
      evidence: [
        condition(pod, 'Ready'),
        field(pod, 'spec.readinessGates'),
        ...(found === undefined ? [] : [field(pod, 'status.conditions')]),
      ],
    };
  },
});
