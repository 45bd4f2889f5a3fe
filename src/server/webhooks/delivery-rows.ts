import { and, eq, lte, sql } from 'drizzle-orm';
import type { DeliveryAttempt } from '../../contract/webhooks.ts';
import type { Queue, Try } from '../queue/queue.ts';
import { happenings, webhookDeliveries, webhooks } from '../store/schema/webhooks.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Rows without a job that are looked at together. */
const overdueAtOnce = 500;

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type WebhookRow = typeof webhooks.$inferSelect;

/** A delivery that waits for its next try, the webhook, and what it tells of; a test tells of nothing. */
export interface WaitingDelivery {
  readonly delivery: DeliveryRow;
  readonly webhook: WebhookRow;
  readonly about: typeof happenings.$inferSelect | null;
}

/** How a delivery ended. */
export interface DeliveryEnd {
  readonly state: 'delivered' | 'failed' | 'dropped';
  readonly attempts?: readonly DeliveryAttempt[];
}

/**
 * The stored deliveries and their jobs in the queue. Each change names the try that it follows: one that another server
 * went on with meanwhile stays as it is.
 */
export class DeliveryRows {
  readonly #store: Pick<Store, 'db'>;
  readonly #queue: Queue;

  constructor({ store, queue }: { readonly store: Pick<Store, 'db'>; readonly queue: Queue }) {
    this.#store = store;
    this.#queue = queue;
  }

  /** Those whose next try is due, whether they have a job or not. */
  async overdue(): Promise<Try[]> {
    return await this.#store.db
      .select({ id: webhookDeliveries.id, tries: webhookDeliveries.tries })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.state, 'waiting'), lte(webhookDeliveries.nextAt, sql`now()`)))
      .limit(overdueAtOnce);
  }

  /** A delivery that waits for this very try; undefined for one that does not any more. */
  async find(attempt: Try): Promise<WaitingDelivery | undefined> {
    const [found] = await this.#store.db
      .select({ delivery: webhookDeliveries, webhook: webhooks, about: happenings })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .leftJoin(happenings, eq(happenings.id, webhookDeliveries.happeningId))
      .where(isTry(attempt));
    return found;
  }

  /** Queues the next try of a delivery. @param wait ms */
  async again(
    { id, tries }: Try,
    set: { readonly step: number; readonly attempts: unknown },
    wait: number,
  ): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const changed = await tx
        .update(webhookDeliveries)
        .set({ ...set, tries: tries + 1, nextAt: fromNow(wait) })
        .where(isTry({ id, tries }))
        .returning({ id: webhookDeliveries.id });
      if (changed.length > 0) await this.#queue.add('webhook', { id, tries: tries + 1 }, tx, wait);
    });
    this.#queue.lookAfter('webhook', wait);
  }

  /** What else waits for a receiver waits longer. @param wait ms */
  async slowDown(webhookId: string, wait: number): Promise<void> {
    await this.#store.db
      .update(webhookDeliveries)
      .set({ nextAt: sql`greatest(${webhookDeliveries.nextAt}, ${fromNow(wait)})` })
      .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')));
  }

  /** Ends a delivery. @param within what happens with the same commit, unless another server went on with it */
  async settle(
    { id, tries }: Try,
    end: DeliveryEnd,
    within?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const ended = await tx
        .update(webhookDeliveries)
        .set({ ...end, tries: tries + 1 })
        .where(isTry({ id, tries }))
        .returning({ id: webhookDeliveries.id });
      if (ended.length > 0) await within?.(tx);
    });
  }
}

const isTry = ({ id, tries }: Try) =>
  and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.tries, tries),
    eq(webhookDeliveries.state, 'waiting'),
  );

const fromNow = (wait: number) => sql<string>`now() + make_interval(secs => ${wait / 1_000})`;
