import { providerParam } from '../../contract/sign-in.ts';

/**
 * The address that begins a sign-in at a provider. It is navigated to: a form that a provider answers would be blocked.
 * @param returnUrl a path of this console
 * @param loginHint the address of the account that the person chose
 */
export function signInAddress(provider: string, returnUrl: string, loginHint?: string): string {
  const hint = loginHint === undefined ? {} : { loginHint };
  return `/api/auth/login?${new URLSearchParams({ [providerParam]: provider, returnUrl, ...hint }).toString()}`;
}
