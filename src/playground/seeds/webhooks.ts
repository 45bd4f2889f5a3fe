import type { Rec } from '../kit/values.ts';
import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';

/** Creates the webhook configurations of cert-manager. */
export function plantWebhooks(world: World): void {
  const webhook = (path: string, extra: Rec = {}): Rec => ({
    name: 'webhook.cert-manager.io',
    clientConfig: { service: { namespace: 'ingress', name: 'cert-manager-webhook', path, port: 443 } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    timeoutSeconds: 30,
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['cert-manager.io'],
        apiVersions: ['v1'],
        resources: ['*/*'],
        scope: '*',
      },
    ],
    ...extra,
  });
  const labels = { 'app.kubernetes.io/name': 'webhook', 'app.kubernetes.io/instance': 'cert-manager' };
  const storage = 'admissionregistration.k8s.io';
  create(world, `${storage}/validatingwebhookconfigurations`, '', {
    metadata: { name: 'cert-manager-webhook', labels },
    webhooks: [
      webhook('/validate', {
        namespaceSelector: {
          matchExpressions: [
            { key: 'cert-manager.io/disable-validation', operator: 'NotIn', values: ['true'] },
          ],
        },
      }),
    ],
  });
  create(world, `${storage}/mutatingwebhookconfigurations`, '', {
    metadata: { name: 'cert-manager-webhook', labels },
    webhooks: [webhook('/mutate')],
  });
}
