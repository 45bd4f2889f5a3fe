import type { HorizontalPodAutoscaler } from '../../../kube/autoscaling.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { condition, field, rule } from '../rule.ts';

/** The APIs that autoscalers measure by, the more special names first, with what serves them as a rule. */
const apis = [
  { group: 'custom.metrics.k8s.io', server: 'an adapter, such as the one of Prometheus' },
  { group: 'external.metrics.k8s.io', server: 'KEDA or another adapter' },
  { group: 'metrics.k8s.io', server: 'the metrics server' },
] as const;

/** What an autoscaler could not measure, as its controller says it. */
const metricIn = (message: string): string | undefined =>
  /unable to get (?:external )?metrics? (?:for resource )?(?:[\w-]+\/)?([\w.-]+)/.exec(message)?.[1];

/** An autoscaler whose metrics are served by nothing in the cluster, or by something that does not answer. */
export const metricsRule = rule<HorizontalPodAutoscaler>({
  id: 'hpa.metrics-api',
  kind: 'HorizontalPodAutoscaler.autoscaling',
  tone: 'bad',
  sort: 'cause',
  find(object) {
    const found = conditionOf(object.status?.conditions, 'ScalingActive');
    const { message = '' } = found ?? {};
    const isUnserved = /could not find the requested resource|\) registered/.test(message);
    const isSilent = /currently unable to handle the request/.test(message);
    const api = apis.find(({ group }) => message.includes(group));
    if (found?.status !== 'False' || api === undefined || (!isUnserved && !isSilent)) return undefined;
    const metric = metricIn(message);
    return {
      sentence: `The autoscaler cannot measure ${metric ?? 'its metrics'}: ${
        isSilent
          ? `what serves ${api.group} does not answer. See to it: it is ${api.server}.`
          : `nothing in the cluster serves ${api.group}. Install what does: ${api.server}.`
      }`,
      evidence: [condition(object, 'ScalingActive'), field(object, 'spec.metrics')],
    };
  },
});
