import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { z } from 'zod';
import { describeError } from '../kit/describe-error.ts';
import type { Queue, Try } from '../queue/queue.ts';
import { billingEvents } from '../store/schema/billing.ts';
import type { Store } from '../store/store.ts';
import { ProviderFailure } from './provider.ts';
import type { Settlement } from './settlement.ts';

/** Waits before each further try, ms; after the last one the poll is left to find out. */
const waits = [2, 10, 30, 60, 300, 900].map((seconds) => seconds * 1_000);
/** Events are known for this long, days: a provider sends one again for some days at most. */
const keptDays = 30;

/** The part of an event that is read: which subscription to ask about. All else that it says is asked for. */
const eventSchema = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  content: z.object({
    subscription: z
      .object({
        id: z.string().regex(/^[\w-]{1,100}$/),
        resource_version: z.int().min(0).catch(Number.MAX_SAFE_INTEGER),
      })
      .optional(),
  }),
});

/** Inputs of the events of a server. */
export interface BillingEventParts {
  readonly store: Pick<Store, 'db'>;
  readonly queue: Queue;
  readonly settlement: Pick<Settlement, 'refresh'>;
  readonly log: Logger;
}

/** What a provider tells by webhook: hints to read a subscription again, done by the queue. */
export class BillingEvents {
  readonly #parts: BillingEventParts;

  constructor(parts: BillingEventParts) {
    this.#parts = parts;
  }

  /** Begins to do what waits. */
  async start(): Promise<void> {
    await this.#parts.queue.work('billing', {
      atOnce: 2,
      overdue: () => this.#waiting(),
      perform: (attempt) => this.#perform(attempt),
    });
  }

  /**
   * Takes an event, once by its id: it is stored before it is answered. False for what is no event.
   */
  async take(body: unknown): Promise<boolean> {
    const event = eventSchema.safeParse(body);
    if (!event.success) return false;
    const { id, content } = event.data;
    if (content.subscription === undefined) return true;
    const { id: subscriptionId, resource_version: resourceVersion } = content.subscription;
    const { store, queue } = this.#parts;
    await store.db.transaction(async (tx) => {
      const [added] = await tx
        .insert(billingEvents)
        .values({ id, subscriptionId, resourceVersion })
        .onConflictDoNothing()
        .returning({ id: billingEvents.id });
      if (added !== undefined) await queue.add('billing', { id, tries: 0 }, tx);
    });
    return true;
  }

  /** Forgets events that are not sent again any more. */
  async forget(): Promise<void> {
    await this.#parts.store.db
      .delete(billingEvents)
      .where(lt(billingEvents.receivedAt, sql`now() - make_interval(days => ${keptDays})`));
  }

  async #waiting(): Promise<readonly Try[]> {
    return await this.#parts.store.db
      .select({ id: billingEvents.id, tries: billingEvents.tries })
      .from(billingEvents)
      .where(isNull(billingEvents.doneAt))
      .orderBy(asc(billingEvents.receivedAt))
      .limit(200);
  }

  async #perform({ id, tries }: Try): Promise<void> {
    const { store, queue, settlement, log } = this.#parts;
    const own = and(eq(billingEvents.id, id), eq(billingEvents.tries, tries), isNull(billingEvents.doneAt));
    const [row] = await store.db.select().from(billingEvents).where(own);
    if (row === undefined) return;
    try {
      await settlement.refresh(row.subscriptionId, row.resourceVersion);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ err: describeError(error) }, 'The provider of payments does not answer; it is asked again');
      const wait = waits[tries];
      if (wait !== undefined) {
        await store.db.transaction(async (tx) => {
          await tx
            .update(billingEvents)
            .set({ tries: tries + 1 })
            .where(own);
          await queue.add('billing', { id, tries: tries + 1 }, tx, wait);
        });
        queue.lookAfter('billing', wait);
        return;
      }
    }
    await store.db.update(billingEvents).set({ doneAt: sql`now()` }).where(eq(billingEvents.id, id));
  }
}
