import type { WebhookConfiguration } from '../../src/kube/admission.ts';
import { defineKind } from '../../src/registry/kinds/kind.ts';
import { webhookAttention, webhookColumns, webhookRefs, webhookSections } from './parts/webhooks.ts';

export const mutatingwebhookconfiguration = defineKind<WebhookConfiguration>({
  id: 'mutatingwebhookconfiguration',
  kind: 'MutatingWebhookConfiguration',
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  scope: 'Cluster',
  aliases: ['mutatingwebhookconfigurations', 'mutatingwebhooks'],
  title: 'MutatingWebhookConfigurations',
  icon: 'webhook',
  permissions: { view: 'clusters.view', manage: 'owner' },
  sidebar: { section: 'More', order: 240 },
  attention: webhookAttention('mutatingwebhookconfiguration'),
  around: ['targets'],
  rules: ['mutatingwebhookconfiguration.no-service'],
  columns: ['name', ...webhookColumns, 'labels', 'age'],
  refs: webhookRefs,
  sections: webhookSections,
});
