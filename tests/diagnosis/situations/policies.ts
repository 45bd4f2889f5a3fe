import { deployment, type Situation } from './situation.ts';

/** Situations of autoscalers, budgets and webhooks. */
export const policySituations: readonly Situation[] = [
  {
    id: 'autoscaler-requests',
    what: 'An autoscaler goes by a share of requests that the pods do not have.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
`,
    after: 300,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.no-requests',
    object: 'HorizontalPodAutoscaler web',
    names: /cpu .* container main requests none/,
  },
  {
    id: 'autoscaler-target',
    what: 'An autoscaler scales a Deployment that was renamed.',
    manifests: `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web-old }
  minReplicas: 1
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
`,
    after: 120,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.target-missing',
    object: 'HorizontalPodAutoscaler web',
    names: /web-old/,
  },
  {
    id: 'budget-selector',
    what: 'A disruption budget matches no pods.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1, selector: { matchLabels: { app: webs } } }
`,
    after: 200,
    ask: 'PodDisruptionBudget.policy default/web',
    rule: 'budget.no-pods',
    object: 'PodDisruptionBudget web',
    names: /app=webs/,
  },
  {
    id: 'webhook-service',
    what: 'An admission webhook calls a service that does not exist.',
    manifests: `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: checks }
webhooks:
  - name: checks.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig: { service: { namespace: default, name: checks, path: /validate } }
    rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`,
    after: 60,
    ask: 'ValidatingWebhookConfiguration.admissionregistration.k8s.io checks',
    rule: 'webhook.service-missing',
    object: 'ValidatingWebhookConfiguration checks',
    names: /default\/checks/,
  },
];
