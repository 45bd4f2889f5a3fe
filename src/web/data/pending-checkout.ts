import type { ApiClient } from './client.ts';

const key = 'wheelhouse.pendingHostedPage';
/** What ids of hosted pages look like; anything else under the key, or in an address, is none. */
const form = /^[\w-]{1,100}$/;

/** Where a subscription that was completed by a callback leads to. */
export const afterCallback = '/dashboard';

/** The parts of a storage used here. */
type PendingStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The id of a hosted page that is paid and not yet told to the server, or of one that an address names. */
export function hostedPageIdOf(text: string | null | undefined): string | undefined {
  return text != null && form.test(text) ? text : undefined;
}

/** The hosted page that waits in this browser to be told to the server. */
export function pendingHostedPage(storage: PendingStorage): string | undefined {
  return hostedPageIdOf(storage.getItem(key));
}

/** Keeps a hosted page until the server knows of it, also over a sign-in. */
export function keepHostedPage(storage: PendingStorage, id: string): void {
  storage.setItem(key, id);
}

/** Forgets a hosted page that the server knows of; one that was paid since stays. */
export function forgetHostedPage(storage: PendingStorage, id: string): void {
  if (storage.getItem(key) === id) storage.removeItem(key);
}

/** Calls back once another page of this browser has told the server of a hosted page; gives how to stop. */
export function onHostedPageTold(
  target: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  told: () => void,
): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key && hostedPageIdOf(event.oldValue) !== undefined && event.newValue === null) told();
  };
  target.addEventListener('storage', listen);
  return () => target.removeEventListener('storage', listen);
}

/**
 * Tells the server of the hosted page that waits in this browser, after a sign-in. Whether it did: a failure is only
 * logged, and the page goes on waiting.
 */
export async function tellPending(
  hostedPageId: string,
  {
    api,
    storage,
    log,
  }: {
    readonly api: Pick<ApiClient, 'processCallback'>;
    readonly storage: PendingStorage;
    readonly log: (message: string, error: unknown) => void;
  },
): Promise<boolean> {
  try {
    await tellHostedPage(api, storage, hostedPageId);
    return true;
  } catch (error) {
    log('The pending subscription could not be completed.', error);
    return false;
  }
}

/** Tells the server of a paid hosted page, which then is no longer kept. Rejects with a Problem. */
export async function tellHostedPage(
  api: Pick<ApiClient, 'processCallback'>,
  storage: PendingStorage,
  hostedPageId: string,
): Promise<void> {
  await api.processCallback({ body: { hostedPageId } });
  forgetHostedPage(storage, hostedPageId);
}
