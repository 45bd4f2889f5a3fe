import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
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
import { checkouts, subscriptions } from '../store/schema/billing.ts';
import type { Store } from '../store/store.ts';
import { type PlanLimits, takenSeats } from '../plans/limits.ts';
import type { PlanOffer } from './offer.ts';
import { type BillingProvider, ProviderFailure } from './provider.ts';
import type { Settlement } from './settlement.ts';
import { readSubscription } from './subscription-state.ts';

type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Inputs of the subscriptions of a server. */
export interface BillingParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly provider: BillingProvider;
  readonly limits: PlanLimits;
  readonly offer: PlanOffer;
  readonly settlement: Settlement;
  readonly log: Logger;
}

/** What people of a company do about its plan. */
export class Billing {
  readonly #parts: BillingParts;
  readonly #offer: Pick<PlanOffer, 'plans'>;
  readonly #settlement: Pick<Settlement, 'complete' | 'completeAll' | 'store'>;

  constructor(parts: BillingParts) {
    this.#parts = parts;
    this.#offer = parts.offer;
    this.#settlement = parts.settlement;
  }

  /** What the checkout's script is told. */
  get site(): string {
    return this.#parts.provider.site;
  }

  /** The plans on offer. Throws Problem 502 while the provider does not answer. */
  async plans(): Promise<readonly Plan[]> {
    return await this.#orProblem('plans', () => this.#offer.plans());
  }

  /**
   * Opens a payment page for a plan. Throws Problem 404 for a plan that is not on offer, 409 for fewer seats than are
   * taken, 502 while the provider does not answer.
   */
  async openCheckout(
    person: Member,
    wish: { readonly planId: string; readonly seats: number; readonly origin: string },
  ): Promise<{ url: string; hostedPageId: string; isChange: boolean }> {
    const { store, provider, limits } = this.#parts;
    const { companyId } = person;
    const plans = await this.#orProblem('checkout', () => this.#offer.plans());
    const plan = plans.find(({ id }) => id === wish.planId);
    if (plan === undefined)
      throw new Problem({ status: 404, title: 'This plan is no longer available. Choose another one.' });
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
    return { url: page.url, hostedPageId: page.id, isChange };
  }

  /**
   * Activates what a payment page of the company was paid for; a second time it changes nothing. Throws Problem 404 for a
   * page that is none of the company's, 409 for one that is not paid, 410 for one that is cancelled, expired or abandoned, 502 while
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
    if (row === undefined)
      throw unfinishedCheckout(404, 'This payment page belongs to another organisation.');
    const state =
      row.state === 'open'
        ? await this.#orProblem('processCallback', () => this.#settlement.complete(row))
        : row.state;
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
    if (state === 'abandoned')
      throw unfinishedCheckout(
        410,
        'This payment page was paid, but the payment provider has no subscription for it, and the console no longer checks it. Contact the provider’s support and name this page: ' +
          `${hostedPageId}.`,
      );
    throw unfinishedCheckout(409, 'This payment page has not been paid.');
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
    // What is paid already counts before the cancellation, not after it.
    await this.#settlement.completeAll(companyId);
    const row = await this.#row(companyId);
    if (row?.subscriptionId == null || row.state === 'ended') throw noPlan();
    const { subscriptionId } = row;
    if (row.state === 'active') {
      const cancelled = await this.#orProblem('cancelSubscription', () =>
        this.#parts.provider.cancel(subscriptionId),
      );
      await this.#settlement.store(row, cancelled);
    }
    return await this.state(companyId);
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
          ? 'The payment provider does not respond. If you have paid, your plan becomes active as soon as it does.'
          : 'The payment provider does not respond.';
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
