import type { User } from '../../../contract/account.ts';
import { splitHref } from '../../../registry/path.ts';
import { hostedPageIdOf } from '../../data/pending-checkout.ts';
import { detourOf } from '../../data/session.ts';
import { callbackHref, namedPlace } from '../return-url.ts';

/** What the provider says in the address that it leads back to. */
export interface CallbackAddress {
  /** Absent where a sign-in led here. */
  readonly hostedPageId: string | undefined;
  readonly isCancelled: boolean;
  /** Where a sign-in would have led without a hosted page that waits. */
  readonly returnTo: string | undefined;
}

/** Reads the address of the callback page. */
export function readCallback(href: string): CallbackAddress {
  const search = new URLSearchParams(splitHref(href).search);
  return {
    hostedPageId: hostedPageIdOf(search.get('id')),
    isCancelled: search.get('state') === 'cancelled',
    returnTo: namedPlace(search.get('returnUrl')),
  };
}

/** What the callback page does next. */
export type CallbackStep =
  | { readonly type: 'wait' }
  | { readonly type: 'go'; readonly to: string }
  /** Somebody has to sign in first, at this address: the page says so. */
  | { readonly type: 'sign in'; readonly at: string }
  /** To where the person was before, or home. */
  | { readonly type: 'go on' }
  | { readonly type: 'tell'; readonly hostedPageId: string };

/**
 * What the callback page does next.
 * @param user undefined while it is being asked who is signed in, null for nobody
 * @param pending the hosted page that is kept in this browser
 */
export function nextStep(
  { isCancelled, returnTo }: CallbackAddress,
  user: User | null | undefined,
  pending: string | undefined,
): CallbackStep {
  if (user === undefined) return { type: 'wait' };
  if (isCancelled) return { type: 'go', to: '/subscription/cancel' };
  if (user === null)
    return {
      type: 'sign in',
      at: `/login?${new URLSearchParams({ returnUrl: callbackHref(returnTo) }).toString()}`,
    };
  const detour = detourOf(user);
  if (detour !== undefined) return { type: 'go', to: detour };
  return pending === undefined ? { type: 'go on' } : { type: 'tell', hostedPageId: pending };
}
