import type { Invoices, Plan } from '../../contract/subscription.ts';

/** A subscription as its provider has it. */
export interface ProvidedSubscription {
  readonly id: string;
  readonly state: 'active' | 'ending' | 'ended';
  readonly planId: string;
  readonly seats: number;
  /** Goes up with each change: of two answers the one with the higher version is newer. */
  readonly resourceVersion: number;
  /** ISO; null while it goes on. */
  readonly endsAt: string | null;
  /** When somebody cancelled it, ISO; null unless it is `ending`, and where that is not known. */
  readonly cancelledAt: string | null;
  readonly nextBillingAt: string | null;
}

/** A payment page as its provider has it. */
export interface ProvidedPage {
  readonly state: 'open' | 'succeeded' | 'cancelled';
  /** By the clock of the provider, ISO. */
  readonly openedAt: string;
  /** ISO. */
  readonly expiresAt: string;
  /** What was paid; null before. */
  readonly subscriptionId: string | null;
}

/** What a payment page is opened for. */
export interface CheckoutWish {
  /** The company at the provider. */
  readonly customerId: string;
  readonly companyName: string;
  readonly email: string;
  /** The subscription to make, or to change where `isChange`. */
  readonly subscriptionId: string;
  readonly isChange: boolean;
  readonly plan: Plan;
  readonly seats: number;
  /** Where a page in a window of its own sends the browser. */
  readonly callbackUrl: string;
  readonly cancelUrl: string;
}

/** A payment page that was just opened. */
export interface OpenedPage {
  readonly id: string;
  readonly url: string;
  /** ISO. */
  readonly expiresAt: string;
}

/** Who is paid. Every call throws ProviderFailure where the provider does not answer as it should. */
export interface BillingProvider {
  /** Its name in the store. */
  readonly name: 'chargebee' | 'test';
  /** What the checkout's script is told. */
  readonly site: string;
  plans(): Promise<readonly Plan[]>;
  openPage(wish: CheckoutWish): Promise<OpenedPage>;
  /** Undefined for one that it does not know. */
  page(id: string): Promise<ProvidedPage | undefined>;
  /** Undefined for one that it does not know. */
  subscription(id: string): Promise<ProvidedSubscription | undefined>;
  invoices(subscription: ProvidedSubscription): Promise<Invoices>;
  /** Opens its pages for payment methods and invoices. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** Takes back a cancellation whose end has not come: for a plan that was chosen anew. */
  resume(subscriptionId: string): Promise<ProvidedSubscription>;
  /** Cancels at the end of what is paid. */
  cancel(subscriptionId: string): Promise<ProvidedSubscription>;
}

/** The provider of payments did not answer, or not as it should. The message is for the log: it carries no secret. */
export class ProviderFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderFailure';
  }
}
