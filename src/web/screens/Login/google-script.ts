/** Google's sign-in script, as far as it is used here. */
interface GoogleId {
  initialize(options: {
    readonly client_id: string;
    readonly callback: (answer: { readonly credential?: string }) => void;
    readonly auto_select: boolean;
    readonly cancel_on_tap_outside: boolean;
  }): void;
  /** Offers the accounts with which the browser is signed in at Google, where there are any. */
  prompt(): void;
  cancel(): void;
}

/** Named by the specification's "loaded from their hosts". */
const address = 'https://accounts.google.com/gsi/client';

const loaded = (): GoogleId | undefined =>
  (globalThis as { readonly google?: { readonly accounts?: { readonly id?: GoogleId } } }).google?.accounts
    ?.id;

/**
 * Loads Google's script and lets it offer the person's accounts. What they choose is a hint and nothing else: the sign-in
 * itself is the same as by the button, and only its answer is believed. Where the script does not load, nothing happens.
 * @param onChosen told the address of the account; undefined where Google does not say it
 * @returns takes the offer away again
 */
export function offerGoogleAccounts(
  clientId: string,
  onChosen: (email: string | undefined) => void,
): () => void {
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  script.addEventListener('load', () => {
    const google = loaded();
    google?.initialize({
      client_id: clientId,
      callback: ({ credential }) => onChosen(emailIn(credential)),
      auto_select: false,
      cancel_on_tap_outside: false,
    });
    google?.prompt();
  });
  document.head.append(script);
  return () => {
    loaded()?.cancel();
    script.remove();
  };
}

/** The address in an ID token, which nobody has verified here. */
export function emailIn(token: string | undefined): string | undefined {
  try {
    const [, body = ''] = token?.split('.') ?? [];
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    const email =
      typeof claims === 'object' && claims !== null && 'email' in claims ? claims.email : undefined;
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}
