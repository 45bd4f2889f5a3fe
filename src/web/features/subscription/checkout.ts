import type { Subscription } from '../../../contract/subscription.ts';

/**
 * Where a hosted page shows: in a frame over the console, or in a window of its own where the screen is narrow, which the
 * browser may have blocked.
 */
export type CheckoutPlace = 'frame' | 'window' | 'blocked window';

/**
 * Where a hosted page shows.
 * @param opened the window that was opened for it by the press; null where the browser blocked it
 */
export function placeOf(isNarrow: boolean, opened: object | null): CheckoutPlace {
  if (!isNarrow) return 'frame';
  return opened === null ? 'blocked window' : 'window';
}

/** Texts of the dialog while a hosted page is in a window of its own. */
export const windowTexts = {
  window: { title: 'The checkout is open in another window', act: 'Open it again' },
  'blocked window': {
    title: 'Your browser blocked the window of the checkout',
    act: 'Open the checkout',
  },
} as const;

/** A page at the provider on which somebody pays for this company. */
export interface Checkout {
  readonly url: string;
  readonly hostedPageId: string;
  /** Whether it changes a plan that goes on. */
  readonly isChange: boolean;
  /** Name of the company's site at the provider, which its script is told. */
  readonly site: string;
}

/** Whether a company has what a hosted page was opened for. */
export const isPaidFor = (
  { plan }: Pick<Subscription, 'plan'>,
  { planId, seats }: { readonly planId: string; readonly seats: number },
): boolean => plan?.state === 'active' && plan.id === planId && plan.seats === seats;

/**
 * How far a subscription has come. `hasLeft` says that the window of a hosted page was closed and no payment was seen: it
 * may still come.
 */
export type CheckoutState =
  | { readonly type: 'choosing'; readonly failure?: unknown; readonly hasLeft?: boolean }
  /** The address of the hosted page is being asked for. */
  | { readonly type: 'asking' }
  | { readonly type: 'paying'; readonly checkout: Checkout; readonly place: CheckoutPlace }
  /** It is paid, and the server is being told. */
  | { readonly type: 'finalising'; readonly hostedPageId: string }
  | { readonly type: 'unfinished'; readonly hostedPageId: string; readonly failure: unknown }
  | { readonly type: 'finalised' };

/** What happens to it: what the person does, what the server answers, what the checkout tells. */
export type CheckoutEvent =
  | { readonly type: 'proceed' | 'retry' | 'told' | 'closed' }
  /** The window of the hosted page is closed, and nothing was paid. */
  | { readonly type: 'left' }
  | { readonly type: 'given'; readonly checkout: Checkout; readonly place: CheckoutPlace }
  | { readonly type: 'success'; readonly hostedPageId: string }
  | { readonly type: 'failed'; readonly failure: unknown };

/** Whether somebody pays, or may pay, in a window of its own: of what comes of it the server alone can tell. */
export const isElsewhere = (state: CheckoutState): boolean =>
  state.type === 'paying' ? state.place !== 'frame' : state.type === 'choosing' && state.hasLeft === true;

/** How long a payment is waited for once its window is closed, ms: the way back to the console closes it as well. */
const waitForPayment = 4_000;

/** When the window of a hosted page was seen to be closed, and whether that means that nothing was paid in it. */
export class ClosedWindow {
  #closedAt: number | undefined;

  /** @param now in ms */
  see(isClosed: boolean, now: number): void {
    this.#closedAt = isClosed ? (this.#closedAt ?? now) : undefined;
  }

  get isClosed(): boolean {
    return this.#closedAt !== undefined;
  }

  /** Whether a reading of the subscription that began then, and found nothing paid, came late enough to say so. */
  isUnpaidAt(began: number): boolean {
    return this.#closedAt !== undefined && began - this.#closedAt >= waitForPayment;
  }
}

/** The next state. What does not belong to the present one changes nothing: a checkout is finalised once, and only one that is paid. */
export function nextCheckout(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case 'proceed':
      return state.type === 'choosing' ? { type: 'asking' } : state;
    case 'given':
      return state.type === 'asking'
        ? { type: 'paying', checkout: event.checkout, place: event.place }
        : state;
    case 'success':
      return state.type === 'paying' && event.hostedPageId === state.checkout.hostedPageId
        ? { type: 'finalising', hostedPageId: event.hostedPageId }
        : state;
    case 'closed':
      // A hosted page also says so after “success”.
      return state.type === 'asking' || state.type === 'paying' ? { type: 'choosing' } : state;
    case 'left':
      return state.type === 'paying' && state.place === 'window'
        ? { type: 'choosing', hasLeft: true }
        : state;
    case 'retry':
      return state.type === 'unfinished' ? { type: 'finalising', hostedPageId: state.hostedPageId } : state;
    case 'told':
      // The other window of a narrow screen may have told the server.
      return state.type === 'finalising' || isElsewhere(state) ? { type: 'finalised' } : state;
    case 'failed':
      if (state.type === 'asking' || state.type === 'paying')
        return { type: 'choosing', failure: event.failure };
      return state.type === 'finalising'
        ? { type: 'unfinished', hostedPageId: state.hostedPageId, failure: event.failure }
        : state;
    default:
      return event satisfies never;
  }
}
