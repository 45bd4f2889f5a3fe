import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Plan } from '../../contract/subscription.ts';
import { describeError } from '../kit/describe-error.ts';
import { auditRows } from '../store/schema/audit.ts';
import { checkouts, subscriptions } from '../store/schema/billing.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { PlanOffer } from './offer.ts';
import {
  type BillingProvider,
  type ProvidedPage,
  type ProvidedSubscription,
  ProviderFailure,
} from './provider.ts';
import type { Clock } from '../kit/clock.ts';

type CheckoutRow = typeof checkouts.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** A subscription is asked about this often although nothing told of a change, minutes. */
const checkAgain = 15;
/** One that has ended is, in minutes, as it may have been paused. */
const checkEndedAgain = 1_440;
/** For how long a page is asked about that was paid for a subscription which the provider does not have, after its end, ms. */
const awaitedFor = 7 * 86_400_000;
/** Open payment pages of a company that are asked about. */
const pagesAtOnce = 3;
/** The poll gives up a round after as many failures in a row: the provider does not answer. */
const failuresInARow = 3;

/**
 * Whether a page that was paid asks for a cancelled plan to go on: it was opened after the cancellation. Both times are the
 * provider's own; without that of the cancellation the plan ends, as its Owner said.
 */
const wasOpenedToResume = ({ openedAt }: ProvidedPage, { state, cancelledAt }: ProvidedSubscription) =>
  state === 'ending' && cancelledAt !== null && cancelledAt < openedAt;

/** Inputs of what settles payment pages. */
export interface SettlementParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly provider: BillingProvider;
  readonly offer: Pick<PlanOffer, 'plans'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * Brings what is stored to what the provider says. What counts is its subscription, read again from its API; messages of
 * the page, webhooks and the poll all lead to the same reading (docs/decisions/0028-billing.md).
 */
export class Settlement {
  readonly #parts: SettlementParts;

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /**
   * Asks the provider what became of a payment page, and activates what was paid: once, however many ask. Throws
   * ProviderFailure.
   */
  async complete(row: CheckoutRow): Promise<CheckoutRow['state']> {
    const { provider, log, clock } = this.#parts;
    const page = await provider.page(row.hostedPageId);
    if (page?.state === 'succeeded') {
      if (page.subscriptionId !== row.subscriptionId) {
        log.warn({ hostedPageId: row.hostedPageId }, 'A payment page was paid for another subscription');
        return await this.#settle(row, 'cancelled');
      }
      const subscription = await provider.subscription(row.subscriptionId);
      // It is paid: a provider that does not find it yet is asked again.
      if (subscription === undefined && Date.parse(page.expiresAt) + awaitedFor <= clock.now())
        return await this.#abandon(row);
      if (subscription === undefined) throw new ProviderFailure('The provider does not know this payment.');
      await this.#activate(row, page, subscription);
      return 'completed';
    }
    if (page?.state === 'cancelled') return await this.#settle(row, 'cancelled');
    if (page === undefined || Date.parse(page.expiresAt) <= clock.now())
      return await this.#settle(row, 'expired');
    return 'open';
  }

  /**
   * Reads a subscription again because something told of a change. What is unknown, or older than what is known, is left
   * alone. Throws ProviderFailure.
   * @param version what the change is said to have led to
   */
  async refresh(subscriptionId: string, version: number): Promise<void> {
    const { db } = this.#parts.store;
    const { name } = this.#parts.provider;
    const open = await db
      .select()
      .from(checkouts)
      .where(
        and(
          eq(checkouts.subscriptionId, subscriptionId),
          eq(checkouts.provider, name),
          eq(checkouts.state, 'open'),
        ),
      );
    for (const row of open) await this.complete(row);
    const [row] = await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.subscriptionId, subscriptionId), eq(subscriptions.provider, name)));
    if (row !== undefined && version > row.resourceVersion) await this.#check(row);
  }

  /** Asks about the open payment pages of a company; those that the provider does not tell of stay open. */
  async completeAll(companyId: number): Promise<void> {
    const { store, provider } = this.#parts;
    const open = await store.db
      .select()
      .from(checkouts)
      .where(
        and(
          eq(checkouts.companyId, companyId),
          eq(checkouts.provider, provider.name),
          eq(checkouts.state, 'open'),
        ),
      )
      .orderBy(desc(checkouts.createdAt));
    await this.#each(open, (row) => this.complete(row));
  }

  /** Asks about the open payment pages, and about subscriptions that were not asked about for a while. */
  async poll(signal: AbortSignal): Promise<void> {
    const { store, provider } = this.#parts;
    const open = await store.db
      .select()
      .from(checkouts)
      .where(
        and(
          eq(checkouts.state, 'open'),
          eq(checkouts.provider, provider.name),
          // Pages that somebody left behind are asked about once more when they are over.
          sql`(${checkouts.expiresAt} < now() or (select count(*) from checkouts newer
            where newer.company_id = checkouts.company_id and newer.state = 'open'
              and newer.created_at >= checkouts.created_at) <= ${pagesAtOnce})`,
        ),
      )
      // What was opened last is waited for.
      .orderBy(desc(checkouts.createdAt))
      .limit(200);
    const due = await store.db
      .select()
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.provider, provider.name),
          isNotNull(subscriptions.state),
          sql`${subscriptions.checkedAt} < now()
            - make_interval(mins => case ${subscriptions.state} when 'ended' then ${checkEndedAgain}::int else ${checkAgain}::int end)`,
        ),
      )
      .orderBy(asc(subscriptions.checkedAt))
      .limit(50);
    await this.#each(open, (row) => this.complete(row), signal);
    await this.#each(due, (row) => this.#check(row), signal);
  }

  /** Asks about one after the other, until the provider fails several times in a row. */
  async #each<T>(rows: readonly T[], ask: (row: T) => Promise<unknown>, signal?: AbortSignal): Promise<void> {
    let failures = 0;
    for (const row of rows) {
      if (signal?.aborted === true || failures >= failuresInARow) return;
      try {
        await ask(row);
        failures = 0;
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        failures += 1;
        this.#parts.log.warn(
          { err: describeError(error) },
          'The provider of payments does not answer; it is asked again',
        );
      }
    }
  }

  /** Stores what the provider said of a company's subscription. Throws ProviderFailure. */
  async store(row: SubscriptionRow, subscription: ProvidedSubscription): Promise<void> {
    const plan = await this.#planOf(subscription);
    await this.#parts.store.db.transaction((tx) => this.#write(tx, { ...row, plan }, subscription));
  }

  async #check(row: SubscriptionRow): Promise<void> {
    if (row.subscriptionId === null) return;
    const found = await this.#parts.provider.subscription(row.subscriptionId);
    if (found !== undefined) await this.store(row, found);
  }

  async #settle(row: CheckoutRow, state: 'cancelled' | 'expired'): Promise<CheckoutRow['state']> {
    const [settled] = await this.#parts.store.db
      .update(checkouts)
      .set({ state, settledAt: sql`now()` })
      .where(and(eq(checkouts.hostedPageId, row.hostedPageId), eq(checkouts.state, 'open')))
      .returning({ state: checkouts.state });
    return settled?.state ?? (await this.#stateOf(row));
  }

  /** Gives up a page that was paid for nothing which the provider knows of: it would be asked about for ever. */
  async #abandon(row: CheckoutRow): Promise<CheckoutRow['state']> {
    const { store, log } = this.#parts;
    const isFirst = await store.db.transaction(async (tx) => {
      const [first] = await tx
        .update(checkouts)
        .set({ state: 'abandoned', settledAt: sql`now()` })
        .where(and(eq(checkouts.hostedPageId, row.hostedPageId), eq(checkouts.state, 'open')))
        .returning({ id: checkouts.hostedPageId });
      if (first === undefined) return false;
      await tx.insert(auditRows).values({
        ...auditedAs(row),
        action: 'subscription.abandon',
        subject: {
          page: row.hostedPageId,
          plan: row.planId,
          seats: row.seats,
          subscription: row.subscriptionId,
        },
        // What was paid came to nothing.
        status: 410,
      });
      return true;
    });
    if (!isFirst) return await this.#stateOf(row);
    log.error(
      { hostedPageId: row.hostedPageId, subscription: row.subscriptionId, companyId: row.companyId },
      'A payment page was paid, and 7 days later the provider has no subscription for it; it is not asked about any more. Look for the payment at the provider',
    );
    return 'abandoned';
  }

  async #stateOf({ hostedPageId }: CheckoutRow): Promise<CheckoutRow['state']> {
    const [row] = await this.#parts.store.db
      .select({ state: checkouts.state })
      .from(checkouts)
      .where(eq(checkouts.hostedPageId, hostedPageId));
    return row?.state ?? 'expired';
  }

  /** Of all who find a page paid, the first one writes what follows from it; the others wait for it and leave it be. */
  async #activate(row: CheckoutRow, page: ProvidedPage, found: ProvidedSubscription): Promise<void> {
    const { provider } = this.#parts;
    const plan = await this.#planOf(found);
    await this.#parts.store.db.transaction(async (tx) => {
      const [first] = await tx
        .update(checkouts)
        .set({ state: 'completed', settledAt: sql`now()` })
        .where(and(eq(checkouts.hostedPageId, row.hostedPageId), eq(checkouts.state, 'open')))
        .returning({ id: checkouts.hostedPageId });
      if (first === undefined) return;
      // Asked for while the claim is held: whoever comes later could undo a cancellation that was made since.
      const subscription = wasOpenedToResume(page, found) ? await provider.resume(found.id) : found;
      await this.#write(tx, { ...row, plan }, subscription);
      await tx.insert(auditRows).values({
        ...auditedAs(row),
        action: 'subscription.activate',
        subject: { plan: subscription.planId, seats: subscription.seats, subscription: subscription.id },
        status: 200,
      });
    });
  }

  /** Stores a subscription unless what is stored is newer, and tells the company's open pages. */
  async #write(
    tx: Transaction,
    {
      companyId,
      generation,
      plan,
    }: { readonly companyId: number; readonly generation: number; readonly plan: Plan | undefined },
    subscription: ProvidedSubscription,
  ): Promise<void> {
    const { store, provider } = this.#parts;
    const { id, state, planId, seats, resourceVersion, endsAt, nextBillingAt } = subscription;
    const own = and(eq(subscriptions.companyId, companyId), eq(subscriptions.provider, provider.name));
    const written = await tx
      .update(subscriptions)
      .set({
        subscriptionId: id,
        generation,
        state,
        planId,
        seats,
        resourceVersion,
        endsAt,
        nextBillingAt,
        // A plan that is not on offer any more keeps the limits that it had.
        ...(plan === undefined
          ? {}
          : { planName: plan.name, clusters: plan.clusters, retentionDays: plan.retentionDays }),
      })
      .where(
        and(
          own,
          sql`(${subscriptions.generation} < ${generation}
            or (${subscriptions.generation} = ${generation} and ${subscriptions.resourceVersion} < ${resourceVersion}))`,
        ),
      )
      .returning({ companyId: subscriptions.companyId });
    await tx.update(subscriptions).set({ checkedAt: sql`now()` }).where(own);
    if (written.length > 0) await store.channel.notify('grants', { companyId }, tx);
  }

  /** The plan of a subscription; undefined where it is not on offer any more, or the offer cannot be read. */
  async #planOf({ planId }: ProvidedSubscription): Promise<Plan | undefined> {
    const plans = await this.#parts.offer.plans();
    return plans.find(({ id }) => id === planId);
  }
}

/** What every row of the audit about a payment page has. */
const auditedAs = ({ companyId, userId }: CheckoutRow) => ({
  companyId,
  userId,
  actor: 'billing',
  address: 'console',
  requestId: 'billing',
  finishedAt: sql`date_trunc('milliseconds', now())`,
});
