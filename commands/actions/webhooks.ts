import { action } from '../../src/registry/commands/command.ts';
import { addingWebhook, type WebhookAct, webhookActs } from '../../src/registry/commands/webhook-acts.ts';

const onWebhooks = (act: WebhookAct | typeof addingWebhook, title: string, keywords: readonly string[]) =>
  action({
    id: `webhooks.${act}`,
    title,
    group: 'Cluster',
    icon: 'webhook',
    keywords,
    ...(act === 'delete' ? { changes: true } : {}),
    when: { shell: 'app', cluster: 'selected' },
    run: ({ subject, target }, { workspace }) => {
      if (subject.type === 'none') return;
      const cluster = subject.type === 'cluster' ? subject.cluster : subject.refs[0].cluster;
      workspace.open(`/clusters/${cluster}/settings/cluster?webhook=${act}`, target);
    },
  });

/** A person's webhooks on the cluster: the page of its settings asks which one, where there are several. */
export const webhookActions = [
  onWebhooks(addingWebhook, 'Add webhook…', ['notify', 'slack', 'teams', 'alert', 'new webhook']),
  ...Object.entries(webhookActs).map(([act, { title, keywords }]) =>
    onWebhooks(act as WebhookAct, title, keywords),
  ),
];
