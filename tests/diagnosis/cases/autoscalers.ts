import { all, but, condition, object, type RuleCase } from './rule-case.ts';

const share =
  'metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]';
const unable = `status: { ${condition('ScalingActive', 'False', 'FailedGetResourceMetric', 'failed to get cpu utilization: missing request for cpu in container main of Pod web-0')} }`;
const autoscaler = (name: string, target: string, status = 'status: {}') =>
  object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    name,
    `spec: { scaleTargetRef: { apiVersion: apps/v1, ${target} }, maxReplicas: 5, ${share} }\n${status}`,
  );
const web = 'kind: Deployment, name: web';
const deployment = (resources = '') =>
  object(
    'apps/v1',
    'Deployment',
    'web',
    `spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { spec: { containers: [{ name: main, image: example/web:1, ${resources} }] } } }\nstatus: { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 }`,
  );
const scaler = (target: string) =>
  object('keda.sh/v1alpha1', 'ScaledObject', 'web', `spec: { scaleTargetRef: { ${target} } }`);

/** Cases of the rules about autoscalers. */
export const autoscalerCases: readonly RuleCase[] = [
  {
    rule: 'hpa.target-missing',
    broken: autoscaler('web', web),
    names: /Deployment web/,
    near: { 'it exists': all(autoscaler('web', web), deployment()) },
  },
  {
    rule: 'hpa.target-kind',
    broken: all(autoscaler('agent', 'kind: DaemonSet, name: agent'), object('apps/v1', 'DaemonSet', 'agent')),
    names: /DaemonSet cannot be scaled/,
    near: {
      'it can be scaled': all(autoscaler('web', web), deployment()),
      'a kind of others': all(
        but(autoscaler('web', 'kind: Rollout, name: web'), 'apps/v1, kind', 'argoproj.io/v1alpha1, kind'),
        object('argoproj.io/v1alpha1', 'Rollout', 'web'),
      ),
    },
  },
  {
    rule: 'hpa.no-requests',
    broken: all(autoscaler('web', web, unable), deployment()),
    names: /cpu .* container main requests none/,
    near: {
      'it requests some': all(
        autoscaler('web', web, unable),
        deployment('resources: { requests: { cpu: 100m } }'),
      ),
      'a limit stands for a request': all(
        autoscaler('web', web, unable),
        deployment('resources: { limits: { cpu: 100m } }'),
      ),
      'its target cannot be scaled, which says more': all(
        autoscaler('web', 'kind: DaemonSet, name: web', unable),
        object(
          'apps/v1',
          'DaemonSet',
          'web',
          'spec: { template: { spec: { containers: [{ name: main, image: example/web:1 }] } } }',
        ),
      ),
      'it works': all(
        autoscaler('web', web, `status: { ${condition('ScalingActive', 'True')} }`),
        deployment(),
      ),
      'it goes by an absolute value': all(
        but(
          autoscaler('web', web, unable),
          'type: Utilization, averageUtilization: 60',
          'type: AverageValue, averageValue: 100m',
        ),
        deployment(),
      ),
      'nobody wants pods': all(
        autoscaler('web', web, `status: { ${condition('ScalingActive', 'False', 'ScalingDisabled')} }`),
        deployment(),
      ),
    },
  },
  {
    rule: 'hpa.two-scalers',
    broken: all(autoscaler('a', web), autoscaler('b', web), deployment()),
    names: /Deployment web against each other: a and b/,
    near: {
      'they scale different things': all(
        autoscaler('a', web),
        autoscaler('b', 'kind: StatefulSet, name: web'),
        deployment(),
      ),
      'the other one tells of it': all(autoscaler('b', web), autoscaler('a', web), deployment()),
      'there is one': all(autoscaler('a', web), deployment()),
    },
  },
  {
    rule: 'scaledobject.target-missing',
    broken: scaler('name: web'),
    names: /Deployment web/,
    near: { 'it exists': all(scaler('name: web'), deployment()) },
  },
];
