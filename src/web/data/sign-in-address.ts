import { providerParam } from '../../contract/sign-in.ts';

/**
 * The address that begins a sign-in at a provider. It is navigated to: a form that a provider answers would be blocked.
 * @param returnUrl a path of this console
 */
export function signInAddress(provider: string, returnUrl: string): string {
  return `/api/auth/login?${new URLSearchParams({ [providerParam]: provider, returnUrl }).toString()}`;
}
