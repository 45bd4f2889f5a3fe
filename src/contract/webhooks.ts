import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';

/** What webhooks tell of, each declared once: its type in the body, and what it is in words. */
export const webhookEvents = [
  ['workload.trouble', 'Something is failing'],
  ['workload.recovered', 'Something recovered'],
  ['node.not_ready', 'A node is failing'],
  ['node.recovered', 'A node has recovered'],
  ['cluster.unreachable', 'The cluster is unreachable'],
  ['cluster.reachable', 'The cluster is reachable again'],
  ['job.failed', 'A job failed'],
  ['rollout.done', 'A rollout is done'],
  ['rollout.failed', 'A rollout failed'],
  ['helm.changed', 'A Helm release changed'],
  ['certificate.ending', 'A certificate or the cluster’s credential expires soon'],
  ['certificate.renewed', 'A certificate or credential was renewed'],
  ['console.changed', 'Somebody changed something through the console'],
  ['access.asked', 'Somebody asked for temporary access'],
  ['access.granted', 'Temporary access was granted'],
] as const;
const webhookTypes = webhookEvents.map(([type]) => type);
export type WebhookEvent = (typeof webhookTypes)[number];

/** What is sent besides: a test, and one message for the events beyond what a webhook gets in a while. */
export type DeliveryType = WebhookEvent | 'webhook.test' | 'webhook.summary';

/** How a body is written: as Standard Webhooks says, or as the incoming webhooks of Slack and Microsoft Teams take it. */
export const webhookFormats = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Webhooks that a person may have on a cluster. */
export const webhookLimit = 10;
/** How long deliveries bear the signature of the secret before as well, hours. */
export const secretOverlapHours = 24;
/** How long deliveries are kept, days. */
export const deliveryDays = 30;

const eventsSchema = z.array(z.enum(webhookTypes)).check(z.minLength(1), z.maxLength(webhookTypes.length));
const urlSchema = z.string().check(z.maxLength(2_000));

/** A webhook as its owner sees it: neither secret nor the path of its address, which may be one. */
export const webhookSchema = z.strictObject({
  id: z.uuid(),
  /** Scheme, host and port of the address. */
  origin: z.string(),
  format: z.enum(webhookFormats),
  events: z.array(z.string()),
  createdAt: z.string(),
  /** Until when the secret before is good as well; null where there is none. */
  previousUntil: z.nullable(z.string()),
  /** Why nothing is sent to it, a sentence; null while something is. */
  disabledReason: z.nullable(z.string()),
});
export type Webhook = z.infer<typeof webhookSchema>;

/** One try of a delivery. */
const attemptSchema = z.strictObject({
  at: z.string(),
  durationMs: z.int(),
  /** The HTTP status; null without an answer. */
  status: z.nullable(z.int()),
  /** The beginning of the answer as text. */
  head: z.string(),
  /** Why it failed, a sentence; null where it did not. */
  problem: z.nullable(z.string()),
});
export type DeliveryAttempt = z.infer<typeof attemptSchema>;

/** Deliveries of a page of the log; a page with less is the last one. */
export const deliveriesPerPage = 200;

/** What was or will be sent. */
export const deliverySchema = z.strictObject({
  id: z.uuid(),
  type: z.string(),
  /** The request's body. */
  body: z.string(),
  /** `dropped` is what its owner may not hear of any more, or what was left when the webhook was disabled. */
  state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
  createdAt: z.string(),
  /** When it is tried next; null where it is not. */
  nextAt: z.nullable(z.string()),
  /** The newest first. */
  attempts: z.array(attemptSchema),
});
export type Delivery = z.infer<typeof deliverySchema>;

const webhookParams = z.extend(clusterParams, { webhookId: z.uuid() });
const secretSchema = z.strictObject({
  webhook: webhookSchema,
  /** What deliveries are signed with. It is shown this once. */
  secret: z.string(),
});

/** A person's webhooks on a cluster (specification section 7, and the calls around them). */
export const webhookEndpoints = {
  addWebhook: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/settings/user/webhooks',
    summary: 'Adds a webhook; the answer shows its secret, only this once',
    audited: 'add a webhook to {origin}[ for {events}] on {cluster}',
    access: 'cluster',
    proof: 'recent',
    tokens: 'never',
    params: clusterParams,
    body: z.strictObject({
      url: urlSchema,
      events: eventsSchema,
      format: z._default(z.enum(webhookFormats), 'standard'),
      /** `whsec_` and 24 to 64 bytes in base64; one of chance without it. */
      secret: z.optional(z.string().check(z.maxLength(100))),
    }),
    response: z.extend(webhookSchema, { secret: z.string() }),
    status: 201,
    failure: 'Failed to add webhook',
    perMinute: 20,
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId',
    summary: 'Deletes a webhook with its deliveries; nothing more is sent to it',
    audited: 'delete the webhook to {origin|webhookId} on {cluster}',
    access: 'cluster',
    tokens: 'never',
    params: webhookParams,
    status: 204,
    failure: 'Failed to delete webhook',
  }),
  changeWebhook: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId',
    summary: 'Changes the events and address of a webhook, and enables one that was disabled',
    audited: 'change the webhook to {origin|webhookId} on {cluster}',
    access: 'cluster',
    proof: 'recent',
    tokens: 'never',
    params: webhookParams,
    body: z.strictObject({
      /** The address stays without it. */
      url: z.optional(urlSchema),
      events: eventsSchema,
      format: z.enum(webhookFormats),
    }),
    response: webhookSchema,
    failure: 'Failed to change webhook',
  }),
  changeWebhookSecret: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId/secret',
    summary:
      'Gives a webhook a new secret, shown only this once; for 24 hours deliveries are signed with both',
    audited: 'give the webhook to {origin|webhookId} on {cluster} a new secret',
    access: 'cluster',
    proof: 'recent',
    tokens: 'never',
    params: webhookParams,
    response: secretSchema,
    failure: 'Failed to change the secret of the webhook',
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId/test',
    summary: 'Sends a test to a webhook; the log of deliveries shows the result',
    audited: 'test the webhook to {origin|webhookId} on {cluster}',
    isRoutine: true,
    access: 'cluster',
    tokens: 'never',
    params: webhookParams,
    response: z.strictObject({ deliveryId: z.uuid() }),
    perMinute: 20,
    failure: 'Failed to test webhook',
  }),
  webhookDeliveries: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId/deliveries',
    summary: 'Deliveries of a webhook in the last 30 days, newest first, a page at a time',
    access: 'cluster',
    tokens: 'never',
    params: webhookParams,
    query: z.object({
      /** The last delivery of the page before. */
      after: z.optional(z.uuid()),
    }),
    response: z.array(deliverySchema),
    failure: 'Failed to fetch deliveries',
  }),
  redeliver: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/settings/user/webhooks/:webhookId/redeliveries',
    summary: 'Sends one delivery, or all that failed since a time, again with the same ids',
    audited: 'send deliveries of the webhook to {origin|webhookId} on {cluster} again',
    isRoutine: true,
    access: 'cluster',
    tokens: 'never',
    params: webhookParams,
    /** One of both. */
    body: z.strictObject({
      deliveryId: z.optional(z.uuid()),
      failedSince: z.optional(z.iso.datetime({ offset: true })),
    }),
    response: z.strictObject({ count: z.int() }),
    perMinute: 20,
    failure: 'Failed to send deliveries again',
  }),
} as const;
