import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';
import type { Rec } from '../kit/values.ts';
import { registryHost } from './workload.ts';

/** Autoscaled Deployments: minimum and maximum replicas, and target CPU utilization, %. */
const autoscaled = [
  { namespace: 'shop', name: 'storefront', least: 4, most: 8, percent: 70 },
  { namespace: 'shop', name: 'catalog-api', least: 3, most: 6, percent: 75 },
];

/** Disruption budgets. */
const budgets: readonly { namespace: string; name: string; spec: Rec }[] = [
  { namespace: 'shop', name: 'storefront', spec: { maxUnavailable: '25%' } },
  { namespace: 'shop', name: 'checkout', spec: { minAvailable: 2 } },
  { namespace: 'platform', name: 'vault', spec: { minAvailable: 3 } },
];

const jobs = [
  { namespace: 'shop', name: 'order-digest', schedule: '*/5 * * * *', image: 'shop/order-digest:1.6.0' },
  { namespace: 'platform', name: 'backup', schedule: '15 * * * *', image: 'platform/backup:4.2.1' },
];

/** Creates autoscalers, disruption budgets and cron jobs. */
export function plantOperations(world: World): void {
  for (const { namespace, name, least: min, most: max, percent } of autoscaled) {
    create(world, 'autoscaling/horizontalpodautoscalers', namespace, {
      metadata: { name, labels: { 'app.kubernetes.io/name': name } },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: min,
        maxReplicas: max,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
          },
        ],
      },
    });
  }
  for (const { namespace, name, spec } of budgets) {
    const matchLabels = { 'app.kubernetes.io/name': name };
    create(world, 'policy/poddisruptionbudgets', namespace, {
      metadata: { name, labels: matchLabels },
      spec: { ...spec, selector: { matchLabels } },
    });
  }
  for (const { namespace, name, schedule, image } of jobs) {
    const container = { name, image: `${registryHost}/${image}` };
    create(world, 'batch/cronjobs', namespace, {
      metadata: { name, labels: { 'app.kubernetes.io/name': name } },
      spec: {
        schedule,
        concurrencyPolicy: 'Forbid',
        jobTemplate: {
          spec: {
            template: {
              metadata: { labels: { 'app.kubernetes.io/name': name } },
              spec: { restartPolicy: 'OnFailure', containers: [container] },
            },
          },
        },
      },
    });
  }
}
