import type { Subscription } from '../../../contract/subscription.ts';

/**
 * Where a hosted page shows: in a frame over the console, or in a window of its own where the screen is narrow, which the
 * browser may have blocked.
 */
export type CheckoutPlace = 'frame' | 'window' | 'blocked window';

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

/** How far a subscription has come. */
export type CheckoutState =
  | { readonly type: 'choosing'; readonly failure?: unknown }
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
  | { readonly type: 'given'; readonly checkout: Checkout; readonly place: CheckoutPlace }
  | { readonly type: 'success'; readonly hostedPageId: string }
  | { readonly type: 'failed'; readonly failure: unknown };

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
    case 'retry':
      return state.type === 'unfinished' ? { type: 'finalising', hostedPageId: state.hostedPageId } : state;
    case 'told':
      // The other window of a narrow screen may have told the server.
      return state.type === 'finalising' || (state.type === 'paying' && state.place !== 'frame')
        ? { type: 'finalised' }
        : state;
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
