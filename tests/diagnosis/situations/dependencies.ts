import { deployment, object, objects, service } from './manifests.ts';
import type { Situation } from './situation.ts';

const processors = "resources: { requests: { cpu: '3' } }";

/** Situations of what others do not give to a workload: images, addresses, metrics, services, room. */
export const dependencySituations: readonly Situation[] = [
  {
    id: 'rate-limit',
    what: 'The registry refuses to give an image, as too many were pulled from this network.',
    manifests: deployment('web', { image: 'example/web:2-rate-limited' }),
    after: 200,
    ask: 'Deployment.apps default/web',
    rule: 'pod.image-limited',
    object: 'Pod web',
    names: /web:2-rate-limited .* pull rate limit/,
  },
  {
    id: 'balancer-pending',
    what: 'A service of type LoadBalancer never gets an address: nothing in the cluster gives any.',
    manifests: objects(deployment('web'), service('web', { spec: 'type: LoadBalancer' })),
    after: 900,
    ask: 'Service default/web',
    rule: 'service.no-address',
    object: 'Service web',
    names: /address/,
  },
  {
    id: 'autoscaler-metric',
    what: 'An autoscaler goes by a metric of the application, and nothing serves such metrics.',
    manifests: objects(
      deployment('web'),
      object(
        'autoscaling/v2',
        'HorizontalPodAutoscaler',
        'web',
        "spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 1, maxReplicas: 5, metrics: [{ type: Pods, pods: { metric: { name: http_requests }, target: { type: AverageValue, averageValue: '10' } } }] }",
      ),
    ),
    after: 300,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.metrics-api',
    object: 'HorizontalPodAutoscaler web',
    names: /http_requests.*custom\.metrics/,
  },
  {
    id: 'init-waits',
    what: 'An init container waits until a service is there, which nobody made.',
    manifests: deployment('web', {
      pod: "initContainers: [{ name: wait-for-db, image: 'busybox:1.36', command: [sh, '-c', 'until nslookup db.default.svc.cluster.local; do echo waiting for db; sleep 2; done'] }]",
      behaviour: 'ok:wait-for-db',
    }),
    after: 900,
    ask: 'Deployment.apps default/web',
    rule: 'pod.init-waits',
    object: 'Pod web',
    names: /wait-for-db .*service db\b/,
  },
  {
    id: 'preempted',
    what: 'More important pods took the place of those of a Deployment.',
    manifests: objects(
      object('scheduling.k8s.io/v1', 'PriorityClass', 'urgent', 'value: 100000'),
      deployment('report', { replicas: 3, container: processors }),
    ),
    steps: [
      {
        after: 120,
        apply: deployment('checkout', {
          replicas: 3,
          container: processors,
          pod: 'priorityClassName: urgent',
        }),
      },
    ],
    after: 200,
    ask: 'Deployment.apps default/report',
    rule: 'pod.resources',
    object: 'Pod report',
    names: /pod checkout-.* of higher priority took the place of pod report-/,
  },
];
