import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import {
  type Invoices,
  type Plan,
  type Subscription,
  subscriptionEndpoints,
} from '../../contract/subscription.ts';
import type { Member } from '../access/person.ts';
import { describeError } from '../kit/describe-error.ts';
import { auditRows } from '../store/schema/audit.ts';
import { checkouts, subscriptions } from '../store/schema/billing.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type PlanLimits, takenSeats } from '../plans/limits.ts';
import { type BillingProvider, type ProvidedSubscription, ProviderFailure } from './provider.ts';
import { readSubscription } from './subscription-state.ts';

type CheckoutRow = typeof checkouts.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Plans are asked for again after this, ms. */
const plansFor = 60_000;
/** A subscription is asked about this often although nothing told of a change, minutes. */
const checkAgain = 15;

/** Inputs of the subscriptions of a server. */
export interface BillingParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly provider: BillingProvider;
  readonly limits: PlanLimits;
  readonly log: Logger;
  /** The time in ms. */
  readonly now: () => number;
}

/**
 * Subscriptions of companies. What counts is the provider's subscription, read again from its API; messages of the page,
 * webhooks and the poll all lead to the same reading (docs/decisions/0028-billing.md).
 */
export class Billing {
  readonly #parts: BillingParts;
  #plans: { readonly at: number; readonly plans: Promise<readonly Plan[]> } | undefined;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /** What the checkout's script is told. */
  get site(): string {
    return this.#parts.provider.site;
  }

  /** The plans on offer. Throws Problem 502 while the provider does not answer. */
  async plans(): Promise<readonly Plan[]> {
    return await this.#orProblem('plans', () => this.#readPlans());
  }

  /**
   * Opens a payment page for a plan. Throws Problem 404 for a plan that is not on offer, 409 for fewer seats than are
   * taken, 502 while the provider does not answer.
   */
  async openCheckout(
    person: Member,
    wish: { readonly planId: string; readonly seats: number; readonly origin: string },
  ): Promise<{ url: string; hostedPageId: string }> {
    const { store, provider, limits } = this.#parts;
    const { companyId } = person;
    const plans = await this.#orProblem('checkout', () => this.#readPlans());
    const plan = plans.find(({ id }) => id === wish.planId);
    if (plan === undefined)
      throw new Problem({ status: 404, title: 'This plan is not on offer any more. Choose another one.' });
    const taken = await limits.seats(store.db, companyId);
    const needed = taken.members + taken.invitations;
    if (wish.seats < needed)
      throw new Problem({
        status: 409,
        title: `Your organisation needs at least ${needed} seats: ${takenSeats(taken)} take one each.`,
      });
    const row = await this.#customer(companyId);
    const isChange = row.subscriptionId !== null && (row.state === 'active' || row.state === 'ending');
    const generation = isChange ? row.generation : row.generation + 1;
    const subscriptionId =
      isChange && row.subscriptionId !== null ? row.subscriptionId : `${row.customerId}-${generation}`;
    const page = await this.#orProblem('checkout', () =>
      provider.openPage({
        customerId: row.customerId,
        companyName: person.companyName,
        email: person.email,
        subscriptionId,
        isChange,
        plan,
        seats: wish.seats,
        callbackUrl: `${wish.origin}/subscription/callback`,
        cancelUrl: `${wish.origin}/subscription/cancel`,
      }),
    );
    await store.db.insert(checkouts).values({
      hostedPageId: page.id,
      companyId,
      userId: person.id,
      provider: provider.name,
      subscriptionId,
      generation,
      planId: plan.id,
      seats: wish.seats,
      expiresAt: page.expiresAt,
    });
    return { url: page.url, hostedPageId: page.id };
  }

  /**
   * Activates what a payment page of the company was paid for; a second time it changes nothing. Throws Problem 404 for a
   * page that is none of the company's, 409 for one that is not paid, 410 for one that is cancelled or expired, 502 while
   * the provider does not answer.
   */
  async processCallback(companyId: number, hostedPageId: string): Promise<void> {
    const { db } = this.#parts.store;
    const [row] = await db
      .select()
      .from(checkouts)
      .where(
        and(
          eq(checkouts.hostedPageId, hostedPageId),
          eq(checkouts.companyId, companyId),
          eq(checkouts.provider, this.#parts.provider.name),
        ),
      );
    if (row === undefined) throw unfinishedCheckout(404, 'This payment page is none of your organisation.');
    const state =
      row.state === 'open' ? await this.#orProblem('processCallback', () => this.complete(row)) : row.state;
    if (state === 'completed') return;
    if (state === 'cancelled')
      throw unfinishedCheckout(
        410,
        'This payment page was cancelled, and nothing was paid. Choose a plan again.',
      );
    if (state === 'expired')
      throw unfinishedCheckout(
        410,
        'This payment page has expired, and nothing was paid. Choose a plan again.',
      );
    throw unfinishedCheckout(409, 'This payment page has not been paid.');
  }

  /**
   * Asks the provider what became of a payment page, and activates what was paid: once, however many ask. Throws
   * ProviderFailure.
   */
  async complete(row: CheckoutRow): Promise<CheckoutRow['state']> {
    const { provider, log, now } = this.#parts;
    const page = await provider.page(row.hostedPageId);
    if (page?.state === 'succeeded') {
      const subscription = await provider.subscription(row.subscriptionId);
      if (subscription === undefined || page.subscriptionId !== row.subscriptionId) {
        log.warn({ hostedPageId: row.hostedPageId }, 'A payment page was paid for another subscription');
        return await this.#settle(row, 'cancelled');
      }
      await this.#activate(row, subscription);
      return 'completed';
    }
    if (page?.state === 'cancelled') return await this.#settle(row, 'cancelled');
    if (page === undefined || Date.parse(page.expiresAt) <= now()) return await this.#settle(row, 'expired');
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

  /** Asks about every open payment page, and about subscriptions that were not asked about for a while. */
  async poll(signal: AbortSignal): Promise<void> {
    const { store, provider } = this.#parts;
    const open = await store.db
      .select()
      .from(checkouts)
      .where(and(eq(checkouts.state, 'open'), eq(checkouts.provider, provider.name)))
      .orderBy(asc(checkouts.createdAt))
      .limit(200);
    const due = await store.db
      .select()
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.provider, provider.name),
          inArray(subscriptions.state, ['active', 'ending']),
          lt(subscriptions.checkedAt, sql`now() - make_interval(mins => ${checkAgain})`),
        ),
      )
      .limit(50);
    for (const work of [
      ...open.map((row) => () => this.complete(row)),
      ...due.map((row) => () => this.#check(row)),
    ]) {
      if (signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        this.#parts.log.warn(
          { err: describeError(error) },
          'The provider of payments does not answer; it is asked again',
        );
        return;
      }
    }
  }

  /** The plan of a company, what it allows and what is used. The provider is not asked. */
  async state(companyId: number): Promise<Subscription> {
    return await readSubscription(this.#parts, companyId, this.#parts.provider.name);
  }

  /** The next invoice and the newest ones before. Throws Problem 502. */
  async invoices(companyId: number): Promise<Invoices> {
    const row = await this.#row(companyId);
    const { subscriptionId } = row ?? {};
    if (subscriptionId == null) return { next: null, invoices: [] };
    return await this.#orProblem('invoices', async () => {
      const subscription = await this.#parts.provider.subscription(subscriptionId);
      if (subscription === undefined) return { next: null, invoices: [] };
      return await this.#parts.provider.invoices(subscription);
    });
  }

  /** Opens the provider's own pages. Throws Problem 409 without a plan, 502. */
  async openPortal(companyId: number, returnUrl: string): Promise<string> {
    const row = await this.#row(companyId);
    if (row?.subscriptionId == null) throw noPlan();
    const { customerId } = row;
    return await this.#orProblem('billingPortal', () =>
      this.#parts.provider.openPortal(customerId, returnUrl),
    );
  }

  /** Cancels the plan at the end of what is paid. Throws Problem 409 without a plan that goes on, 502. */
  async cancel(companyId: number): Promise<Subscription> {
    const row = await this.#row(companyId);
    if (row?.subscriptionId == null || row.state === 'ended') throw noPlan();
    const { subscriptionId } = row;
    if (row.state === 'active') {
      const cancelled = await this.#orProblem('cancelSubscription', () =>
        this.#parts.provider.cancel(subscriptionId),
      );
      await this.#store(row, cancelled);
    }
    return await this.state(companyId);
  }

  async #readPlans(): Promise<readonly Plan[]> {
    const { now, provider } = this.#parts;
    if (this.#plans !== undefined && now() - this.#plans.at < plansFor) return await this.#plans.plans;
    const asked = { at: now(), plans: provider.plans() };
    this.#plans = asked;
    try {
      return await asked.plans;
    } catch (error) {
      if (this.#plans === asked) this.#plans = undefined;
      throw error;
    }
  }

  async #row(companyId: number): Promise<SubscriptionRow | undefined> {
    const { store, provider } = this.#parts;
    const [row] = await store.db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.provider, provider.name)));
    return row;
  }

  /** The row of a company, made with a name for it as a customer where there is none. */
  async #customer(companyId: number): Promise<SubscriptionRow> {
    const { store, provider } = this.#parts;
    const customerId = `wheelhouse-${randomBytes(9).toString('hex')}`;
    await store.db
      .insert(subscriptions)
      .values({ companyId, provider: provider.name, customerId })
      .onConflictDoNothing();
    const row = await this.#row(companyId);
    if (row === undefined) throw new Error('The customer could not be stored.');
    return row;
  }

  async #check(row: SubscriptionRow): Promise<void> {
    if (row.subscriptionId === null) return;
    const found = await this.#parts.provider.subscription(row.subscriptionId);
    if (found !== undefined) await this.#store(row, found);
  }

  async #settle(row: CheckoutRow, state: 'cancelled' | 'expired'): Promise<CheckoutRow['state']> {
    const [settled] = await this.#parts.store.db
      .update(checkouts)
      .set({ state, settledAt: sql`now()` })
      .where(and(eq(checkouts.hostedPageId, row.hostedPageId), eq(checkouts.state, 'open')))
      .returning({ state: checkouts.state });
    return settled?.state ?? (await this.#stateOf(row));
  }

  async #stateOf({ hostedPageId }: CheckoutRow): Promise<CheckoutRow['state']> {
    const [row] = await this.#parts.store.db
      .select({ state: checkouts.state })
      .from(checkouts)
      .where(eq(checkouts.hostedPageId, hostedPageId));
    return row?.state ?? 'expired';
  }

  /** Of all who find a page paid, the first one writes what follows from it; the others wait for it and leave it be. */
  async #activate(row: CheckoutRow, subscription: ProvidedSubscription): Promise<void> {
    const plan = await this.#planOf(subscription);
    await this.#parts.store.db.transaction(async (tx) => {
      const [first] = await tx
        .update(checkouts)
        .set({ state: 'completed', settledAt: sql`now()` })
        .where(and(eq(checkouts.hostedPageId, row.hostedPageId), eq(checkouts.state, 'open')))
        .returning({ id: checkouts.hostedPageId });
      if (first === undefined) return;
      await this.#write(tx, { ...row, plan }, subscription);
      await tx.insert(auditRows).values({
        companyId: row.companyId,
        userId: row.userId,
        actor: 'billing',
        action: 'subscription.activate',
        subject: { plan: subscription.planId, seats: subscription.seats, subscription: subscription.id },
        address: 'console',
        requestId: 'billing',
        finishedAt: sql`date_trunc('milliseconds', now())`,
        status: 200,
      });
    });
  }

  async #store(row: SubscriptionRow, subscription: ProvidedSubscription): Promise<void> {
    const plan = await this.#planOf(subscription);
    await this.#parts.store.db.transaction((tx) => this.#write(tx, { ...row, plan }, subscription));
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
    const plans = await this.#readPlans();
    return plans.find(({ id }) => id === planId);
  }

  /** Turns a provider that does not answer into the sentence that the specification has for the call. */
  async #orProblem<T>(call: keyof typeof sentences, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.#parts.log.warn(
        { err: describeError(error) },
        'The provider of payments does not answer as it should',
      );
      const detail =
        call === 'processCallback'
          ? 'The provider of payments does not answer. If you have paid, your plan is activated by itself as soon as it does.'
          : 'The provider of payments does not answer.';
      throw new Problem({ status: 502, title: sentences[call], detail });
    }
  }
}

const sentences = {
  plans: subscriptionEndpoints.plans.failure,
  checkout: subscriptionEndpoints.checkout.failure,
  processCallback: subscriptionEndpoints.processCallback.failure,
  invoices: subscriptionEndpoints.invoices.failure,
  billingPortal: subscriptionEndpoints.billingPortal.failure,
  cancelSubscription: subscriptionEndpoints.cancelSubscription.failure,
} as const;

const unfinishedCheckout = (status: number, detail: string) =>
  new Problem({ status, title: sentences.processCallback, detail });

const noPlan = () => new Problem({ status: 409, title: 'Your organisation has no plan. Choose one first.' });
