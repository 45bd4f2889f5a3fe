import type { WebhookEvent } from './webhooks.ts';

/** Kinds of trouble that somebody can be alerted to, each with the event of its end where it has one. */
export const alertEvents = {
  'workload.trouble': 'workload.recovered',
  'node.not_ready': 'node.recovered',
  'job.failed': null,
  'rollout.failed': null,
  'certificate.ending': 'certificate.renewed',
  'cluster.unreachable': 'cluster.reachable',
} as const satisfies Partial<Record<WebhookEvent, WebhookEvent | null>>;
export type AlertEvent = keyof typeof alertEvents;

/** Types of events by which somebody is alerted to trouble: its begin, and its end. */
export const withEnds = (events: readonly AlertEvent[]): readonly WebhookEvent[] =>
  events.flatMap((event) => [event, alertEvents[event] ?? []].flat());

/** Kinds of trouble among types of events. */
export const beginsOf = (types: readonly string[]): readonly AlertEvent[] =>
  (Object.keys(alertEvents) as AlertEvent[]).filter((event) => types.includes(event));
