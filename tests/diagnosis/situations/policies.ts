import { autoscaler, deployment, object, objects, webhook } from './manifests.ts';
import type { Situation } from './situation.ts';

/** Situations of autoscalers, budgets and webhooks. */
export const policySituations: readonly Situation[] = [
  {
    id: 'autoscaler-requests',
    what: 'An autoscaler goes by a share of requests that the pods do not have.',
    manifests: objects(deployment('web'), autoscaler('web', 'kind: Deployment, name: web')),
    after: 300,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.no-requests',
    object: 'HorizontalPodAutoscaler web',
    names: /cpu .* container main requests none/,
  },
  {
    id: 'autoscaler-target',
    what: 'An autoscaler scales a Deployment that was renamed.',
    manifests: autoscaler('web', 'kind: Deployment, name: web-old'),
    after: 120,
    ask: 'HorizontalPodAutoscaler.autoscaling default/web',
    rule: 'hpa.target-missing',
    object: 'HorizontalPodAutoscaler web',
    names: /web-old/,
  },
  {
    id: 'budget-selector',
    what: 'A disruption budget matches no pods.',
    manifests: objects(
      deployment('web'),
      object(
        'policy/v1',
        'PodDisruptionBudget',
        'web',
        'spec: { minAvailable: 1, selector: { matchLabels: { app: webs } } }',
      ),
    ),
    after: 200,
    ask: 'PodDisruptionBudget.policy default/web',
    rule: 'budget.no-pods',
    object: 'PodDisruptionBudget web',
    names: /app=webs/,
  },
  {
    id: 'webhook-service',
    what: 'An admission webhook calls a service that does not exist.',
    manifests: webhook('Validating', 'checks', ' configmaps', {
      path: '/validate',
      spec: 'failurePolicy: Fail',
    }),
    after: 60,
    ask: 'ValidatingWebhookConfiguration.admissionregistration.k8s.io checks',
    rule: 'webhook.service-missing',
    object: 'ValidatingWebhookConfiguration checks',
    names: /default\/checks/,
  },
];
