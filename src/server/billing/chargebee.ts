import Chargebee, { type HostedPage, type Invoice, type ItemPrice, type Subscription } from 'chargebee';
import { z } from 'zod';
import type { Invoices, Plan } from '../../contract/subscription.ts';
import { createPublicGuard } from '../clusters/address.ts';
import { createGuardedFetch } from '../identity/guarded-fetch.ts';
import type { ChargebeeSettings } from '../kit/config-billing.ts';
import { describeError } from '../kit/describe-error.ts';
import {
  type BillingProvider,
  type CheckoutWish,
  type OpenedPage,
  type ProvidedPage,
  type ProvidedSubscription,
  ProviderFailure,
} from './provider.ts';

/** Chargebee has this long for an answer, ms. */
const timeout = 15_000;
/** Invoices that are shown. */
const invoiceLimit = 12;

/** What a price of Chargebee says in its metadata of the plan's limits. */
const limitsSchema = z.object({
  clusters: z.int().min(0).nullable().catch(null),
  retentionDays: z.int().min(1).nullable().catch(null),
});
const failureSchema = z.object({
  http_status_code: z.number(),
  api_error_code: z.string().max(100).catch(''),
});

/** Chargebee by its own SDK, over connections that are guarded as those of webhooks are. */
export class ChargebeeProvider implements BillingProvider {
  readonly name = 'chargebee';
  readonly site: string;
  readonly #sdk: Chargebee;

  constructor({ site, apiKey, hosts }: ChargebeeSettings) {
    const { protocol, suffix, port } = hosts;
    this.site = site;
    // Over plain http there is a double on this machine, which the guard would refuse.
    const trusted = protocol === 'http' ? new URL(`http://${site}${suffix}:${port}`) : undefined;
    const fetch = createGuardedFetch(createPublicGuard([]), { trusted });
    this.#sdk = new Chargebee({
      site,
      apiKey,
      protocol,
      hostSuffix: suffix,
      port,
      timeout,
      sdkTelemetryEnabled: false,
      httpClient: {
        makeApiRequest: async (request, limit) =>
          await fetch(request.url, {
            method: request.method,
            headers: Object.fromEntries(request.headers),
            ...(request.method === 'GET' ? {} : { body: await request.text() }),
            signal: AbortSignal.timeout(limit),
          }),
      },
    });
  }

  async plans(): Promise<readonly Plan[]> {
    const plans: Plan[] = [];
    let offset: string | undefined;
    do {
      const from = offset === undefined ? {} : { offset };
      const page = await ask('item prices', () =>
        this.#sdk.itemPrice.list({
          limit: 100,
          ...from,
          status: { is: 'active' },
          item_type: { is: 'plan' },
        }),
      );
      plans.push(...page.list.flatMap(({ item_price: price }) => planOf(price) ?? []));
      offset = page.next_offset;
    } while (offset !== undefined);
    return plans;
  }

  async openPage(wish: CheckoutWish): Promise<OpenedPage> {
    const { subscriptionId, customerId, companyName, email, plan, seats } = wish;
    const common = {
      subscription: { id: subscriptionId },
      subscription_items: [{ item_price_id: plan.id, quantity: seats }],
      redirect_url: wish.callbackUrl,
      cancel_url: wish.cancelUrl,
    };
    const { hosted_page: page } = await ask('a checkout', () =>
      wish.isChange
        ? this.#sdk.hostedPage.checkoutExistingForItems({ ...common, replace_items_list: true })
        : this.#sdk.hostedPage.checkoutNewForItems({
            ...common,
            customer: { id: customerId, company: companyName, email },
          }),
    );
    if (page.id === undefined || page.url === undefined || page.expires_at === undefined)
      throw new ProviderFailure('Chargebee answered with a checkout that has no id, address or end.');
    return { id: page.id, url: page.url, expiresAt: isoOf(page.expires_at) };
  }

  async page(id: string): Promise<ProvidedPage | undefined> {
    const answer = await orUnknown(() => ask('a checkout', () => this.#sdk.hostedPage.retrieve(id)));
    return answer === undefined ? undefined : pageOf(answer.hosted_page);
  }

  async subscription(id: string): Promise<ProvidedSubscription | undefined> {
    const answer = await orUnknown(() => ask('a subscription', () => this.#sdk.subscription.retrieve(id)));
    return answer === undefined ? undefined : subscriptionOf(answer.subscription);
  }

  async invoices({ id, nextBillingAt }: ProvidedSubscription): Promise<Invoices> {
    const { list } = await ask('invoices', () =>
      this.#sdk.invoice.list({
        limit: invoiceLimit,
        subscription_id: { is: id },
        'sort_by[desc]': 'date',
      }),
    );
    const invoices = list.map(({ invoice }) => invoiceOf(invoice));
    if (nextBillingAt === null) return { next: null, invoices };
    const { estimate } = await ask('the next invoice', () => this.#sdk.estimate.renewalEstimate(id));
    const { total, currency_code: currency } = estimate?.invoice_estimate ?? {};
    const isKnown = total !== undefined && currency !== undefined;
    return { next: isKnown ? { at: nextBillingAt, amount: total, currency } : null, invoices };
  }

  async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const { portal_session: session } = await ask('a portal', () =>
      this.#sdk.portalSession.create({ customer: { id: customerId }, redirect_url: returnUrl }),
    );
    return session.access_url;
  }

  async resume(subscriptionId: string): Promise<ProvidedSubscription> {
    try {
      const { subscription } = await ask('a resumption', () =>
        this.#sdk.subscription.removeScheduledCancellation(subscriptionId),
      );
      return subscriptionOf(subscription);
    } catch (error) {
      // Another server may have been first.
      const found = error instanceof ProviderFailure ? await this.subscription(subscriptionId) : undefined;
      if (found?.state === 'active') return found;
      throw error;
    }
  }

  async cancel(subscriptionId: string): Promise<ProvidedSubscription> {
    const { subscription } = await ask('a cancellation', () =>
      this.#sdk.subscription.cancelForItems(subscriptionId, { end_of_term: true }),
    );
    return subscriptionOf(subscription);
  }
}

/** Chargebee does not know what it was asked for. */
class UnknownThere extends ProviderFailure {}

/** Asks Chargebee. What it says of a failure is its code alone: its words repeat what was sent. */
async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refused = failureSchema.safeParse(error);
    if (!refused.success)
      throw new ProviderFailure(
        `Chargebee could not be reached for ${what}: ${describeError(error)?.message ?? 'no reason'}`,
        {
          cause: error,
        },
      );
    const { http_status_code: status, api_error_code: code } = refused.data;
    const message = `Chargebee answered ${status} ${code} when it was asked for ${what}.`;
    throw status === 404 ? new UnknownThere(message) : new ProviderFailure(message);
  }
}

async function orUnknown<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UnknownThere) return undefined;
    throw error;
  }
}

/** A price as a plan; undefined for one that is not paid by the seat. */
function planOf(price: ItemPrice): Plan | undefined {
  const { period_unit: billingPeriodUnit, price: amount } = price;
  if (price.pricing_model !== 'per_unit' || amount === undefined || billingPeriodUnit === undefined)
    return undefined;
  const limits = limitsSchema.safeParse(price.metadata);
  return {
    id: price.id,
    name: price.external_name ?? price.name,
    price: amount,
    currency: price.currency_code,
    billingPeriodUnit,
    billingPeriod: price.period ?? 1,
    description: price.description ?? '',
    clusters: limits.data?.clusters ?? null,
    retentionDays: limits.data?.retentionDays ?? null,
  };
}

function pageOf(page: HostedPage): ProvidedPage {
  const { state, created_at: createdAt, expires_at: expiresAt } = page;
  // Absent until something was paid, whatever the types say.
  const content = page.content as Partial<HostedPage['content']> | undefined;
  return {
    state:
      state === 'succeeded' || state === 'acknowledged'
        ? 'succeeded'
        : state === 'cancelled'
          ? 'cancelled'
          : 'open',
    openedAt: isoOf(createdAt ?? 0),
    expiresAt: isoOf(expiresAt ?? 0),
    subscriptionId: content?.subscription?.id ?? null,
  };
}

function subscriptionOf(subscription: Subscription): ProvidedSubscription {
  const { id, status, resource_version: resourceVersion } = subscription;
  const plan = subscription.subscription_items?.find(({ item_type: type }) => type === 'plan');
  if (plan === undefined || resourceVersion === undefined)
    throw new ProviderFailure('Chargebee answered with a subscription that has no plan or version.');
  const state = stateOf(status);
  const end = state === 'active' ? undefined : (subscription.cancelled_at ?? subscription.current_term_end);
  return {
    id,
    state,
    planId: plan.item_price_id,
    seats: plan.quantity ?? 1,
    resourceVersion,
    endsAt: end === undefined ? null : isoOf(end),
    cancelledAt:
      state === 'ending' && subscription.cancel_schedule_created_at !== undefined
        ? isoOf(subscription.cancel_schedule_created_at)
        : null,
    nextBillingAt:
      state === 'active' && subscription.next_billing_at !== undefined
        ? isoOf(subscription.next_billing_at)
        : null,
  };
}

function stateOf(status: Subscription['status']): ProvidedSubscription['state'] {
  if (status === 'non_renewing') return 'ending';
  return status === 'paused' || status === 'cancelled' || status === 'transferred' ? 'ended' : 'active';
}

function invoiceOf(invoice: Invoice): Invoices['invoices'][number] {
  const { id, date, total, currency_code: currency, status } = invoice;
  return {
    id,
    at: isoOf(date ?? 0),
    amount: total ?? 0,
    currency,
    state: status === 'paid' ? 'paid' : status === 'voided' ? 'void' : 'due',
  };
}

const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString();
