import type { WebhookConfiguration } from '../../src/kube/admission.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { webhookAttention, webhookColumns, webhookRefs, webhookSections } from './parts/webhooks.ts';

export const validatingwebhookconfiguration = defineKind<WebhookConfiguration>({
  id: 'validatingwebhookconfiguration',
  kind: 'ValidatingWebhookConfiguration',
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  scope: 'Cluster',
  aliases: ['validatingwebhookconfigurations', 'validatingwebhooks', 'webhooks'],
  title: 'ValidatingWebhookConfigurations',
  icon: 'webhook',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 230 },
  attention: webhookAttention('validatingwebhookconfiguration'),
  around: ['targets'],
  rules: ['validatingwebhookconfiguration.no-service'],
  columns: ['name', ...webhookColumns, 'labels', 'age'],
  refs: webhookRefs,
  sections: webhookSections,
});
