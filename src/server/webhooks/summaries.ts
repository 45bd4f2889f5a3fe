import { randomUUID } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { WebhookEvent, WebhookFormat } from '../../contract/webhooks.ts';
import type { Queue } from '../queue/queue.ts';
import { webhookDeliveries } from '../store/schema/webhooks.ts';
import type { Transaction } from '../store/store.ts';
import { bodyOf, type EventCounts, type HappeningData } from './bodies.ts';

/** A summary counts for this long before it is sent, minutes. */
const countedMinutes = 2;

/** A happening that is counted instead of told. */
interface Counted {
  readonly id: string;
  readonly type: WebhookEvent;
  readonly cluster: HappeningData['cluster'];
}

/** The messages that stand for events beyond what a webhook gets in a while, with how many there were of each type. */
export class Summaries {
  readonly #queue: Pick<Queue, 'add'>;
  readonly #origin: () => string;

  /** @param parts `origin`: where people open the console */
  constructor({ queue, origin }: { readonly queue: Pick<Queue, 'add'>; readonly origin: () => string }) {
    this.#queue = queue;
    this.#origin = origin;
  }

  /** Counts a happening in the summary that is not sent yet, or begins one. */
  async count(
    tx: Transaction,
    { id: happeningId, type, cluster }: Counted,
    webhook: { readonly id: string; readonly format: WebhookFormat },
  ): Promise<void> {
    const bodyFor = (counts: EventCounts) =>
      bodyOf(
        webhook.format,
        { type: 'webhook.summary', at: new Date().toISOString(), data: summaryOf(counts, cluster) },
        this.#origin(),
      );
    // Locked until the commit, and never one whose time has come: it may be on its way.
    const [open] = await tx
      .select({ id: webhookDeliveries.id, counts: webhookDeliveries.counts })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, webhook.id),
          eq(webhookDeliveries.type, 'webhook.summary'),
          eq(webhookDeliveries.state, 'waiting'),
          eq(webhookDeliveries.tries, 0),
          gt(webhookDeliveries.nextAt, sql`clock_timestamp()`),
        ),
      )
      .limit(1)
      .for('update');
    if (open !== undefined) {
      const before = open.counts as EventCounts;
      const counts = { ...before, [type]: (before[type] ?? 0) + 1 };
      await tx
        .update(webhookDeliveries)
        .set({ counts, body: bodyFor(counts) })
        .where(eq(webhookDeliveries.id, open.id));
      return;
    }
    const id = randomUUID();
    const counts = { [type]: 1 };
    await tx.insert(webhookDeliveries).values({
      id,
      webhookId: webhook.id,
      happeningId,
      type: 'webhook.summary',
      body: bodyFor(counts),
      counts,
      nextAt: sql`now() + make_interval(mins => ${countedMinutes})`,
    });
    await this.#queue.add('webhook', { id, tries: 0 }, tx, countedMinutes * 60_000);
  }
}

/** What a summary tells: how many events there were of each type. */
function summaryOf(counts: EventCounts, cluster: HappeningData['cluster']): HappeningData {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const each = Object.entries(counts).map(([type, number]) => `${number} ${type}`);
  const title = `${all} more ${all === 1 ? 'event is' : 'events are'} not sent one by one: ${each.join(', ')}`;
  return { title, cluster, counts, path: `/clusters/${cluster.id}` };
}
