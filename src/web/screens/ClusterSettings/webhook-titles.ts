import { type WebhookFormat, webhookEvents } from '../../../contract/webhooks.ts';

/** What the types of messages mean, by type. */
export const eventTitles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(webhookEvents),
  'webhook.test': 'Test',
  'webhook.summary': 'Summary of many events',
};

/** The title of a command without its ellipsis. */
export const plainTitleOf = (title: string): string => title.replace(/…$/, '');

/** What the formats are called. */
export const formatTitles: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};
