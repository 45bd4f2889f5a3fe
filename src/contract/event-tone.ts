import type { WebhookEvent } from './webhooks.ts';

/**
 * An event for one person, and for no webhook: an object that they waited for is ready, gone, or was not ready in time;
 * a webhook of theirs was disabled; how their account is signed in to was changed, or somebody else may have tried to sign
 * in; an API token of theirs ends soon.
 */
export type PersonalEvent =
  | 'workload.ready'
  | 'workload.gone'
  | 'workload.not_ready'
  | 'webhook.disabled'
  | 'account.changed'
  | 'account.suspicious'
  | 'token.ending';

/** Meaning of an event for what it is about: that it is well again, or in trouble; every other event is neutral. */
const toneOfEvent: Readonly<Partial<Record<WebhookEvent | PersonalEvent, 'ok' | 'bad'>>> = {
  'workload.ready': 'ok',
  'workload.gone': 'bad',
  'workload.not_ready': 'bad',
  'webhook.disabled': 'bad',
  'account.suspicious': 'bad',
  'token.ending': 'bad',
  'workload.trouble': 'bad',
  'workload.recovered': 'ok',
  'node.not_ready': 'bad',
  'node.recovered': 'ok',
  'cluster.unreachable': 'bad',
  'cluster.reachable': 'ok',
  'job.failed': 'bad',
  'rollout.done': 'ok',
  'rollout.failed': 'bad',
  'certificate.ending': 'bad',
  'certificate.renewed': 'ok',
};
/** Meaning of an event. A file without schemas: the page shows news without them. @param type an event type of the contract */
export const eventTone = (type: string): 'ok' | 'bad' | 'info' => toneOfEvent[type as WebhookEvent] ?? 'info';
