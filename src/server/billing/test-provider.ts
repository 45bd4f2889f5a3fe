import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Invoices, Plan } from '../../contract/subscription.ts';
import { testBilling } from '../store/schema/billing.ts';
import type { Store, Transaction } from '../store/store.ts';
import {
  type BillingProvider,
  type CheckoutWish,
  type OpenedPage,
  type ProvidedPage,
  type ProvidedSubscription,
  ProviderFailure,
} from './provider.ts';
import type { Clock } from '../kit/clock.ts';

/** How long a payment page of the test mode can be paid, ms. */
const pageLifetime = 3_600_000;

/** What is on offer in test mode: two periods, and a currency without a smaller unit. */
export const testPlans: readonly Plan[] = [
  {
    id: 'team-monthly',
    name: 'Team',
    price: 900,
    currency: 'USD',
    billingPeriodUnit: 'month',
    billingPeriod: 1,
    description: 'For a team: up to 10 clusters, the audit for a year.',
    clusters: 10,
    retentionDays: 365,
  },
  {
    id: 'business-yearly',
    name: 'Business',
    price: 19_900,
    currency: 'USD',
    billingPeriodUnit: 'year',
    billingPeriod: 1,
    description: 'For a company: any number of clusters, the audit for ever.',
    clusters: null,
    retentionDays: null,
  },
  {
    id: 'business-monthly-jpy',
    name: 'Business (Japan)',
    price: 2_800,
    currency: 'JPY',
    billingPeriodUnit: 'month',
    billingPeriod: 1,
    description: 'As Business, paid by the month in yen.',
    clusters: null,
    retentionDays: null,
  },
];

const pageSchema = z.object({
  state: z.enum(['open', 'succeeded', 'cancelled']),
  openedAt: z.string(),
  expiresAt: z.string(),
  customerId: z.string(),
  companyName: z.string(),
  subscriptionId: z.string(),
  planId: z.string(),
  seats: z.int(),
  callbackUrl: z.string(),
  cancelUrl: z.string(),
});
/** A payment page of the test mode. */
export type TestPage = z.infer<typeof pageSchema>;

const subscriptionSchema = z.object({
  customerId: z.string(),
  planId: z.string(),
  seats: z.int(),
  resourceVersion: z.int(),
  startedAt: z.string(),
  /** Null while it goes on. */
  cancelledAt: z.string().nullable(),
});
type TestSubscription = z.infer<typeof subscriptionSchema>;

/** The provider of the test mode: nothing is charged, and what it knows lies in the console's own store. */
export class TestProvider implements BillingProvider {
  readonly name = 'test';
  readonly site = 'wheelhouse-test';
  readonly #db: Store['db'];
  readonly #clock: Clock;
  readonly #origin: () => string;

  /** @param parts `origin` of its pages */
  constructor(parts: {
    readonly db: Store['db'];
    readonly clock: Clock;
    readonly origin: () => string;
  }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#origin = parts.origin;
  }

  async plans(): Promise<readonly Plan[]> {
    return await Promise.resolve(testPlans);
  }

  async openPage(wish: CheckoutWish): Promise<OpenedPage> {
    const id = randomBytes(18).toString('base64url');
    const openedAt = this.#time();
    const expiresAt = new Date(this.#clock.now() + pageLifetime).toISOString();
    const { customerId, companyName, subscriptionId, seats, callbackUrl, cancelUrl } = wish;
    const data: TestPage = {
      state: 'open',
      openedAt,
      expiresAt,
      customerId,
      companyName,
      subscriptionId,
      planId: wish.plan.id,
      seats,
      callbackUrl,
      cancelUrl,
    };
    await this.#db.insert(testBilling).values({ id, kind: 'page', data });
    return { id, url: `${this.#origin()}/pages/${id}`, expiresAt };
  }

  async page(id: string): Promise<ProvidedPage | undefined> {
    const page = await this.testPage(id);
    if (page === undefined) return undefined;
    const { state, openedAt, expiresAt, subscriptionId } = page;
    return { state, openedAt, expiresAt, subscriptionId: state === 'succeeded' ? subscriptionId : null };
  }

  /** A payment page with all that is shown on it. */
  async testPage(id: string): Promise<TestPage | undefined> {
    return await readPage(this.#db, id);
  }

  /**
   * Pays a page or gives it up, once: whoever comes later finds what it is by then.
   * @returns what it is now; undefined for one that is unknown
   */
  async settlePage(id: string, state: 'succeeded' | 'cancelled'): Promise<TestPage | undefined> {
    return await this.#db.transaction(async (tx) => {
      const page = await readPage(tx, id, true);
      if (page === undefined) return undefined;
      if (page.state !== 'open' || Date.parse(page.expiresAt) <= this.#clock.now()) return page;
      const settled: TestPage = { ...page, state };
      await tx.update(testBilling).set({ data: settled }).where(eq(testBilling.id, id));
      if (state === 'succeeded') await this.#subscribe(tx, page);
      return settled;
    });
  }

  async subscription(id: string): Promise<ProvidedSubscription | undefined> {
    const found = await readSubscription(this.#db, id);
    return found === undefined ? undefined : this.#provided(id, found);
  }

  async invoices({ id }: ProvidedSubscription): Promise<Invoices> {
    const found = await readSubscription(this.#db, id);
    const plan = testPlans.find((one) => one.id === found?.planId);
    if (found === undefined || plan === undefined) return { next: null, invoices: [] };
    const { currency } = plan;
    const amount = plan.price * found.seats;
    const { nextBillingAt } = this.#provided(id, found);
    return {
      next: nextBillingAt === null ? null : { at: nextBillingAt, amount, currency },
      invoices: [{ id: `${id}-1`, at: found.startedAt, amount, currency, state: 'paid' }],
    };
  }

  async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const url = new URL(`${this.#origin()}/portal/${encodeURIComponent(customerId)}`);
    url.searchParams.set('return', returnUrl);
    return await Promise.resolve(url.href);
  }

  async resume(subscriptionId: string): Promise<ProvidedSubscription> {
    return await this.#setCancelled(subscriptionId, null);
  }

  async cancel(subscriptionId: string): Promise<ProvidedSubscription> {
    return await this.#setCancelled(subscriptionId, this.#time());
  }

  async #setCancelled(subscriptionId: string, cancelledAt: string | null): Promise<ProvidedSubscription> {
    return await this.#db.transaction(async (tx) => {
      const found = await readSubscription(tx, subscriptionId, true);
      if (found === undefined) throw new ProviderFailure('The test mode does not know the subscription.');
      const data = { ...found, cancelledAt, resourceVersion: found.resourceVersion + 1 };
      await tx.update(testBilling).set({ data }).where(eq(testBilling.id, subscriptionId));
      return this.#provided(subscriptionId, data);
    });
  }

  #time(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  async #subscribe(tx: Transaction, page: TestPage): Promise<void> {
    const { customerId, planId, seats, subscriptionId: id } = page;
    const before = await readSubscription(tx, id, true);
    const data: TestSubscription = {
      customerId,
      planId,
      seats,
      resourceVersion: (before?.resourceVersion ?? 0) + 1,
      startedAt: before?.startedAt ?? this.#time(),
      // What was cancelled stays so, as with Chargebee: a payment changes plan and seats alone.
      cancelledAt: before?.cancelledAt ?? null,
    };
    await tx
      .insert(testBilling)
      .values({ id, kind: 'subscription', data })
      .onConflictDoUpdate({ target: testBilling.id, set: { data } });
  }

  #provided(id: string, subscription: TestSubscription): ProvidedSubscription {
    const { planId, seats, resourceVersion, startedAt, cancelledAt } = subscription;
    const isCancelled = cancelledAt !== null;
    const unit = testPlans.find((plan) => plan.id === planId)?.billingPeriodUnit ?? 'month';
    const end = new Date(startedAt);
    nextPeriod(end, unit);
    // Who cancelled paid for the first period alone; for everybody else they follow one another.
    if (!isCancelled) while (end.getTime() <= this.#clock.now()) nextPeriod(end, unit);
    const isOver = isCancelled && end.getTime() <= this.#clock.now();
    return {
      id,
      state: isOver ? 'ended' : isCancelled ? 'ending' : 'active',
      planId,
      seats,
      // That it ended is a change of its own.
      resourceVersion: resourceVersion + (isOver ? 1 : 0),
      endsAt: isCancelled ? end.toISOString() : null,
      cancelledAt: isOver ? null : cancelledAt,
      nextBillingAt: isCancelled ? null : end.toISOString(),
    };
  }
}

function nextPeriod(date: Date, unit: Plan['billingPeriodUnit']): void {
  if (unit === 'year') date.setUTCFullYear(date.getUTCFullYear() + 1);
  else if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (unit === 'week' ? 7 : 1));
}

type Reader = Pick<Store['db'] | Transaction, 'select'>;

async function readPage(db: Reader, id: string, isLocked = false): Promise<TestPage | undefined> {
  const data = await readData(db, { id, kind: 'page', isLocked });
  return data === undefined ? undefined : pageSchema.parse(data);
}

async function readSubscription(
  db: Reader,
  id: string,
  isLocked = false,
): Promise<TestSubscription | undefined> {
  const data = await readData(db, { id, kind: 'subscription', isLocked });
  return data === undefined ? undefined : subscriptionSchema.parse(data);
}

async function readData(
  db: Reader,
  {
    id,
    kind,
    isLocked,
  }: { readonly id: string; readonly kind: 'page' | 'subscription'; readonly isLocked: boolean },
): Promise<unknown> {
  const query = db
    .select({ data: testBilling.data })
    .from(testBilling)
    .where(and(eq(testBilling.id, id), eq(testBilling.kind, kind)));
  const [row] = await (isLocked ? query.for('update') : query);
  return row?.data;
}
