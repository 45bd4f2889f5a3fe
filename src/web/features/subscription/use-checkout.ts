import { type RefObject, useEffect, useReducer, useRef } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useNarrow } from '../../core/use-sidebar.ts';
import { keepHostedPage, onHostedPageTold, tellHostedPage } from '../../data/pending-checkout.ts';
import { useData } from '../../data/port.ts';
import { readCheckoutSite } from '../../data/subscription-queries.ts';
import { type CheckoutState, isPaidFor, nextCheckout } from './checkout.ts';
import { readCheckoutMessage } from './checkout-message.ts';

/** A subscription on its way, and what moves it on. */
export interface CheckoutWork {
  readonly state: CheckoutState;
  /** Asks for the hosted page and shows it; in a narrow window it opens a window for it, so it has to be a press. */
  readonly proceed: (planId: string, seats: number) => void;
  /** Tells the server again of what was paid. */
  readonly retry: () => void;
  readonly close: () => void;
  /** The frame of the checkout, whose messages alone are listened to. */
  readonly frame: RefObject<HTMLIFrameElement | null>;
}

/** Sentence for a frame that could not load the provider's script. */
const scriptMissing =
  'The payment page did not load: something in your browser or network may block the provider.';

/** While a hosted page is open in a window of its own, the subscription is read this often, ms. */
const readInterval = 5_000;

/** Runs a checkout. @param onFinalised the server knows that it is paid */
export function useCheckout(onFinalised: () => void): CheckoutWork {
  const { services } = useCommands();
  const { api, queryClient } = useData();
  const isNarrow = useNarrow();
  const [state, dispatch] = useReducer(nextCheckout, { type: 'choosing' });
  const frame = useRef<HTMLIFrameElement>(null);

  const paying = state.type === 'paying' ? state : undefined;
  useEffect(() => {
    if (paying === undefined) return undefined;
    if (paying.place !== 'frame') return onHostedPageTold(window, () => dispatch({ type: 'told' }));
    const listen = (event: MessageEvent) => {
      const shown = frame.current?.contentWindow ?? null;
      const message = readCheckoutMessage(event, shown, paying.checkout.hostedPageId);
      if (message === undefined) return;
      // A sandboxed document has no origin to address; only this frame hears it.
      if (message.type === 'ready') shown?.postMessage({ type: 'open', ...paying.checkout }, '*');
      else dispatch(message.type === 'failed' ? { type: 'failed', failure: scriptMissing } : message);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [paying]);

  // The window may be closed, or its own way back may fail, after it was paid: the server finds that out by itself.
  const isElsewhere = paying !== undefined && paying.place !== 'frame';
  const wish = useRef<{ readonly planId: string; readonly seats: number }>(undefined);
  useEffect(() => {
    if (!isElsewhere) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    let wasPaidFor: boolean | undefined;
    const read = async () => {
      try {
        const subscription = await api.subscription({}, { signal });
        if (wish.current === undefined || signal.aborted) return;
        const isPaid = isPaidFor(subscription, wish.current);
        wasPaidFor ??= isPaid;
        if (isPaid && !wasPaidFor) dispatch({ type: 'told' });
      } catch (failure) {
        if (!signal.aborted) services.log('The subscription could not be read while it is paid.', failure);
      }
    };
    void read();
    const timer = setInterval(() => void read(), readInterval);
    window.addEventListener('focus', () => void read(), { signal });
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [isElsewhere, api, services]);

  const finalising = state.type === 'finalising' ? state.hostedPageId : undefined;
  useEffect(() => {
    if (finalising === undefined) return;
    // Should this page go before the server has answered, the next one tells it.
    keepHostedPage(localStorage, finalising);
    tellHostedPage(api, localStorage, finalising).then(
      () => dispatch({ type: 'told' }),
      (failure: unknown) => {
        services.log('The subscription could not be completed.', failure);
        dispatch({ type: 'failed', failure });
      },
    );
  }, [finalising, api, services]);

  const isDone = state.type === 'finalised';
  const finalised = useRef(onFinalised);
  useEffect(() => {
    if (isDone) finalised.current();
  }, [isDone]);

  const proceed = async (planId: string, seats: number) => {
    // Opened by the press itself, before anything is waited for: a browser blocks it otherwise.
    const opened = isNarrow ? window.open('', '_blank') : null;
    wish.current = { planId, seats };
    dispatch({ type: 'proceed' });
    try {
      const [given, site] = await Promise.all([
        api.checkout({ query: { planId, seats } }),
        readCheckoutSite(api, queryClient),
      ]);
      opened?.location.replace(given.url);
      const place = isNarrow ? (opened === null ? 'blocked window' : 'window') : 'frame';
      dispatch({ type: 'given', checkout: { ...given, site }, place });
    } catch (failure) {
      opened?.close();
      services.log('The checkout could not be opened.', failure);
      dispatch({ type: 'failed', failure });
    }
  };
  return {
    state,
    proceed: (planId, seats) => void proceed(planId, seats),
    retry: () => dispatch({ type: 'retry' }),
    close: () => dispatch({ type: 'closed' }),
    frame,
  };
}
