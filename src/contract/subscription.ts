import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * The subscription of a company: the calls of the specification (section 7), and those of the plan page.
 *
 * The checkout runs in a frame of the console's page at `checkoutFramePath`, whose answer has a policy of its own: the
 * document is sandboxed (its origin is "null", it reads nothing of the console) and alone may load the provider's script
 * and frame its page. The two speak by `postMessage`:
 *
 * 1. frame → page: `{ type: 'ready' }`
 * 2. page → frame (target '*', as an opaque origin has no name): `{ type: 'open', site, hostedPageId, url, isChange }`, with `site`
 *    from `subscriptionConfig` and the rest from `checkout`
 * 3. frame → page, one of: `{ type: 'success', hostedPageId }`, `{ type: 'closed' }`, `{ type: 'failed' }` (the
 *    provider's script did not load)
 *
 * The page believes a message only if its `source` is the frame's own window, its `origin` is "null", and the id of
 * `success` is the one that it opened. On narrow screens it opens `url` as a window of its own instead: the provider sends
 * that one to `/subscription/callback?id=HOSTED_PAGE_ID&state=succeeded`, or to `/subscription/cancel`.
 */
export const checkoutFramePath = '/api/subscription/frame';

/** Amounts are in the smallest unit of their currency: cents, or yen. */
const amountSchema = z.int();
const hostedPageIdSchema = z.string().check(z.regex(/^[\w-]{1,100}$/, 'There is no such payment page.'));

/** How many there are of something and how many the plan allows; null for any number. */
const allowanceSchema = z.object({ used: z.int(), allowed: z.nullable(z.int()) });

/** A plan as it is on offer (specification section 3). */
export const planSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Of one seat for one billing period, in the smallest unit of the currency. */
    price: amountSchema,
    /** ISO 4217. */
    currency: z.string(),
    billingPeriodUnit: z.enum(['day', 'week', 'month', 'year']),
    /** How many of these units one billing period has. */
    billingPeriod: z.int(),
    description: z.string(),
    /** What it allows besides its seats; null for any number. */
    clusters: z.nullable(z.int()),
    retentionDays: z.nullable(z.int()),
  })
  .register(z.globalRegistry, { id: 'Plan' });
export type Plan = z.infer<typeof planSchema>;

/** The subscription of the company as its people see it. */
export const subscriptionSchema = z
  .object({
    /** Whether the console sells plans at all. Without it there is no plan and no limit. */
    isConfigured: z.boolean(),
    /** Whether payments are only tried out: nothing is charged. */
    isTest: z.boolean(),
    /** Null for a company that never had one. */
    plan: z.nullable(
      z.object({
        id: z.string(),
        name: z.string(),
        /** `ending` is cancelled and runs until `endsAt`; with `ended` nothing can be added. */
        state: z.enum(['active', 'ending', 'ended']),
        seats: z.int(),
        /** When it ends or ended; null while it goes on. */
        endsAt: z.nullable(z.string()),
        nextBillingAt: z.nullable(z.string()),
      }),
    ),
    /** Members and pending invitations, which take a seat each. */
    seats: z.extend(allowanceSchema, { members: z.int(), invitations: z.int() }),
    clusters: allowanceSchema,
    /** Days for which the audit is kept; null for ever. */
    retention: z.object({ days: z.nullable(z.int()), allowed: z.nullable(z.int()) }),
    /** Who can choose and cancel a plan: the names of the Owners. */
    owners: z.array(z.string()),
  })
  .register(z.globalRegistry, { id: 'Subscription' });
export type Subscription = z.infer<typeof subscriptionSchema>;

/** The next invoice and the newest ones before. */
export const invoicesSchema = z.object({
  /** Null where none is to come. */
  next: z.nullable(z.object({ at: z.string(), amount: amountSchema, currency: z.string() })),
  invoices: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      amount: amountSchema,
      currency: z.string(),
      state: z.enum(['paid', 'due', 'void']),
    }),
  ),
});
export type Invoices = z.infer<typeof invoicesSchema>;

/** No API token reaches any of it. What is refused because a limit is reached says so by `limit` of the problem. */
export const subscriptionEndpoints = {
  subscription: endpoint({
    method: 'GET',
    path: '/api/subscription',
    summary: 'The plan of the organisation, with its limits and usage',
    access: 'member',
    response: subscriptionSchema,
  }),
  plans: endpoint({
    method: 'GET',
    path: '/api/subscription/plans',
    summary: 'The available plans; none if the console sells no plans',
    access: 'session',
    response: z.array(planSchema),
    failure: 'Failed to load subscription plans. Please try again later.',
    perMinute: 60,
  }),
  checkout: endpoint({
    method: 'GET',
    path: '/api/subscription/checkout',
    summary: 'Opens a payment page for a plan, or for another plan or number of seats',
    audited: 'begin to pay for the plan {plan}[ with seats for {seats}]',
    isRoutine: true,
    access: 'owner',
    // It makes a page at the provider.
    changes: true,
    query: z.object({
      planId: z.string().check(z.minLength(1), z.maxLength(100)),
      /** One where it is empty. Not fewer than members and pending invitations. */
      seats: z.optional(
        z.union([
          z.pipe(
            z.literal(''),
            z.transform(() => 1),
          ),
          z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)),
        ]),
      ),
    }),
    response: z.object({
      url: z.string(),
      hostedPageId: hostedPageIdSchema,
      /** Whether it changes a plan that goes on. */
      isChange: z.boolean(),
    }),
    failure: 'Failed to generate checkout URL. Please try again.',
    perMinute: 20,
  }),
  subscriptionConfig: endpoint({
    method: 'GET',
    path: '/api/subscription/config',
    summary: 'The payment provider’s site, for the script of the checkout',
    access: 'session',
    response: z.object({ chargebeeSiteName: z.string() }),
  }),
  /** What a payment page says is a hint: the provider is asked. Repeated, it changes nothing. */
  processCallback: endpoint({
    method: 'POST',
    path: '/api/subscription/process-callback',
    summary: 'Reports a payment page of the organisation as completed, which activates its plan',
    audited: 'report a payment page as completed',
    access: 'session',
    body: z.strictObject({ hostedPageId: hostedPageIdSchema }),
    status: 204,
    failure: 'Failed to complete the subscription process. Please contact support.',
    perMinute: 60,
  }),
  firstLoginComplete: endpoint({
    method: 'POST',
    path: '/api/profile/first-login-complete',
    summary: 'Marks the caller’s first sign-in as complete',
    access: 'session',
    own: true,
    status: 204,
  }),
  invoices: endpoint({
    method: 'GET',
    path: '/api/subscription/invoices',
    summary: 'The next invoice and the newest earlier ones, from the provider',
    access: 'owner',
    response: invoicesSchema,
    failure: 'Failed to load invoices. Please try again later.',
    perMinute: 60,
  }),
  billingPortal: endpoint({
    method: 'POST',
    path: '/api/subscription/portal',
    summary:
      'Opens the provider’s own pages for payment methods and invoices; the browser continues at the returned url',
    audited: 'open the pages of the payment provider',
    isRoutine: true,
    access: 'owner',
    proof: 'recent',
    response: z.object({ url: z.string() }),
    failure: 'Failed to open the billing portal. Please try again.',
    perMinute: 20,
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/api/subscription/cancel',
    summary: 'Cancels the plan at the end of the paid period; everything that exists keeps working',
    audited: 'cancel the plan',
    access: 'owner',
    proof: 'recent',
    response: subscriptionSchema,
    failure: 'Failed to cancel the plan. Please try again.',
    perMinute: 20,
  }),
} as const;
