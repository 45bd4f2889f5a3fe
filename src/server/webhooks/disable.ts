import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import { users } from '../store/schema/accounts.ts';
import { clusters } from '../store/schema/clusters.ts';
import { webhooks } from '../store/schema/webhooks.ts';
import type { Transaction } from '../store/store.ts';
import type { WebhookRow } from './delivery-rows.ts';
import { storePersonal } from './personal-news.ts';

/** A webhook that gets nothing more, and why, a sentence. */
export interface Disabling {
  readonly webhook: Pick<WebhookRow, 'id' | 'userId' | 'companyId' | 'clusterId' | 'origin'>;
  readonly reason: string;
}

/** What tells the owner of a webhook. */
export interface OwnerMail {
  readonly mailer: Mailer;
  /** Where people open the console. */
  readonly origin: () => string;
  readonly log: Logger;
}

/** Sends nothing more to a webhook, and stores that for its owner's bell and mails them why, once. Says whether it did. */
export async function disableWebhook(
  tx: Transaction,
  { webhook, reason }: Disabling,
  mail: OwnerMail,
): Promise<boolean> {
  const changed = await tx
    .update(webhooks)
    .set({ disabledAt: sql`now()`, disabledReason: reason })
    .where(and(eq(webhooks.id, webhook.id), isNull(webhooks.disabledAt)))
    .returning({ id: webhooks.id });
  if (changed.length === 0) return false;
  mail.log.info({ webhookId: webhook.id }, 'A webhook was disabled');
  await notifyOwner(tx, webhook);
  if (!mail.mailer.isConfigured) return true;
  try {
    // A savepoint: it is disabled even where the mail cannot be queued.
    await tx.transaction((within) => mailOwner(within, { webhook, reason }, mail));
  } catch (error) {
    mail.log.warn(
      { err: describeError(error), webhookId: webhook.id },
      'Its owner is not mailed that a webhook was disabled',
    );
  }
  return true;
}

async function notifyOwner(tx: Transaction, webhook: Disabling['webhook']): Promise<void> {
  const { clusterId: id } = webhook;
  const [cluster] = await tx.select({ name: clusters.name }).from(clusters).where(eq(clusters.id, id));
  if (cluster === undefined) return;
  await storePersonal(tx, webhook, {
    key: `webhook/${webhook.id}/${randomUUID()}`,
    type: 'webhook.disabled',
    permission: '',
    namespace: '',
    data: {
      title: `Your webhook at ${webhook.origin} is disabled`,
      cluster: { id, name: cluster.name },
      path: settingsOf(id),
    },
  });
}

const settingsOf = (clusterId: number) => `/clusters/${clusterId}/settings/cluster`;

async function mailOwner(
  tx: Transaction,
  { webhook, reason }: Disabling,
  { mailer, origin }: OwnerMail,
): Promise<void> {
  const { clusterId } = webhook;
  const [owner] = await tx
    .select({ email: users.email, provenAt: users.emailProvenAt, cluster: clusters.name })
    .from(users)
    .innerJoin(clusters, eq(clusters.id, clusterId))
    .where(eq(users.id, webhook.userId));
  if (owner === undefined || owner.provenAt === null) return;
  await mailer.send(
    {
      purpose: 'webhook disabled',
      to: owner.email,
      subject: `Your webhook for ${owner.cluster} is disabled`,
      text: [
        `The console sends nothing more to your webhook at ${webhook.origin} for the cluster ${owner.cluster}.`,
        reason,
        'Change or enable it in your settings of the cluster:',
        `${origin()}${settingsOf(clusterId)}`,
      ].join('\n\n'),
    },
    tx,
  );
}
