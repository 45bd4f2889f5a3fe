/** What a person does to one of their webhooks, each declared once: the button of its line, and the palette's words. */
export const webhookActs = {
  log: {
    button: 'Deliveries…',
    title: 'Deliveries of a webhook…',
    keywords: ['webhook log', 'send test', 'test webhook', 'redeliver', 'send again'],
  },
  change: {
    button: 'Change…',
    title: 'Change a webhook…',
    keywords: ['edit webhook', 'events', 'address', 'enable webhook'],
  },
  renew: {
    button: 'Secret…',
    title: 'Change the secret of a webhook…',
    keywords: ['signing secret', 'rotate', 'whsec'],
  },
  delete: {
    button: 'Delete…',
    title: 'Delete a webhook…',
    keywords: ['remove webhook'],
  },
} as const;
export type WebhookAct = keyof typeof webhookActs;

/** Whether a text names an act. */
export const isWebhookAct = (text: string | undefined): text is WebhookAct =>
  text !== undefined && Object.hasOwn(webhookActs, text);

/** The value of the page's search parameter `webhook` that adds one; the acts are its others. */
export const addingWebhook = 'add';
