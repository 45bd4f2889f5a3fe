import { Problem } from '../../contract/problem.ts';
import type { Webhook, webhookEndpoints } from '../../contract/webhooks.ts';
import type { Member } from '../access/person.ts';
import type { Handlers } from '../http/handlers.ts';
import type { WebhookOwner } from '../webhooks/happenings.ts';
import type { RouteParts } from './parts.ts';

/** Whose webhooks of which cluster. */
export const webhookOwner = ({ id, companyId }: Member, clusterId: number): WebhookOwner => ({
  userId: id,
  companyId,
  clusterId,
});

/** What the audit tells of a webhook: the rest of its address may be a secret. */
const settingsOf = ({ origin, events, format, disabledReason }: Webhook) => ({
  origin,
  events: events.join(', '),
  format,
  disabledReason,
});

/**
 * People's webhooks, each person's own. The audit has their origins, never an address in full or a secret.
 */
export function webhookHandlers({
  webhooks,
}: Pick<RouteParts, 'webhooks'>): Handlers<typeof webhookEndpoints> {
  const originOf = async (person: Member, clusterId: number, webhookId: string) => {
    const found = (await webhooks.list(webhookOwner(person, clusterId))).find(({ id }) => id === webhookId);
    return found === undefined ? {} : { origin: found.origin };
  };
  return {
    async addWebhook({ params: { clusterId }, body }, { person, audit }) {
      const added = await webhooks.add(webhookOwner(person, clusterId), body);
      audit.subject({ webhookId: added.id, origin: added.origin, events: added.events.join(', ') });
      return added;
    },

    async deleteWebhook({ params: { clusterId, webhookId } }, { person, audit }) {
      audit.subject({ webhookId });
      const origin = await webhooks.delete(webhookOwner(person, clusterId), webhookId);
      audit.subject({ webhookId, origin });
      return undefined;
    },

    async changeWebhook({ params: { clusterId, webhookId }, body }, { person, audit }) {
      audit.subject({ webhookId });
      const owner = webhookOwner(person, clusterId);
      const before = (await webhooks.list(owner)).find(({ id }) => id === webhookId);
      const after = await webhooks.change(owner, webhookId, body);
      audit.subject({ webhookId, origin: after.origin, events: after.events.join(', ') });
      if (before !== undefined)
        audit.changed(settingsOf(before), {
          ...settingsOf(after),
          ...(body.url === undefined ? {} : { address: 'new' }),
        });
      return after;
    },

    async changeWebhookSecret({ params: { clusterId, webhookId } }, { person, audit }) {
      audit.subject({ webhookId, ...(await originOf(person, clusterId, webhookId)) });
      return await webhooks.changeSecret(webhookOwner(person, clusterId), webhookId);
    },

    async testWebhook({ params: { clusterId, webhookId } }, { person, audit }) {
      audit.subject({ webhookId, ...(await originOf(person, clusterId, webhookId)) });
      return { deliveryId: await webhooks.test(webhookOwner(person, clusterId), webhookId) };
    },

    webhookDeliveries: ({ params: { clusterId, webhookId }, query: { after } }, { person }) =>
      webhooks.deliveries(webhookOwner(person, clusterId), webhookId, after),

    async redeliver({ params: { clusterId, webhookId }, body }, { person, audit }) {
      const { deliveryId, failedSince } = body;
      audit.subject({
        webhookId,
        ...(await originOf(person, clusterId, webhookId)),
        deliveryId: deliveryId ?? null,
        failedSince: failedSince ?? null,
      });
      const which =
        deliveryId !== undefined && failedSince === undefined
          ? { deliveryId }
          : failedSince !== undefined && deliveryId === undefined
            ? { failedSince }
            : undefined;
      if (which === undefined)
        throw new Problem({
          status: 400,
          title: 'Name either a delivery, or the time since which failed deliveries are sent again.',
        });
      return { count: await webhooks.redeliver(webhookOwner(person, clusterId), webhookId, which) };
    },
  };
}
