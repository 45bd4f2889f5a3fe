import { type RefObject, useEffect, useReducer, useRef } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useNarrow } from '../../core/use-sidebar.ts';
import { keepHostedPage, tellHostedPage } from '../../data/pending-checkout.ts';
import { useData } from '../../data/port.ts';
import { readCheckoutSite } from '../../data/subscription-queries.ts';
import { type CheckoutState, isElsewhere, nextCheckout, placeOf } from './checkout.ts';
import { readCheckoutMessage } from './checkout-message.ts';
import { type CheckoutWish, usePaidElsewhere } from './use-paid-elsewhere.ts';

/** A subscription on its way, and what moves it on. */
export interface CheckoutWork {
  readonly state: CheckoutState;
  /** Asks for the hosted page and shows it; in a narrow window it opens a window for it, so it has to be a press. */
  readonly proceed: (planId: string, seats: number) => void;
  /** Tells the server again of what was paid. */
  readonly retry: () => void;
  readonly close: () => void;
  /** The person opened the hosted page in one more window: that the first is closed says nothing any more. */
  readonly reopen: () => void;
  /** The frame of the checkout, whose messages alone are listened to. */
  readonly frame: RefObject<HTMLIFrameElement | null>;
}

/** Sentence for a frame that could not load the provider's script. */
const scriptMissing = 'The payment page did not load: your browser or network may be blocking the provider.';

/** Runs a checkout. @param onFinalised the server knows that it is paid */
export function useCheckout(onFinalised: () => void): CheckoutWork {
  const { services } = useCommands();
  const { api, queryClient } = useData();
  const isNarrow = useNarrow();
  const [state, dispatch] = useReducer(nextCheckout, { type: 'choosing' });
  const frame = useRef<HTMLIFrameElement>(null);
  const pageWindow = useRef<Window | null>(null);

  const paying = state.type === 'paying' && state.place === 'frame' ? state : undefined;
  useEffect(() => {
    if (paying === undefined) return undefined;
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

  const wish = useRef<CheckoutWish>(undefined);
  usePaidElsewhere({ isElsewhere: isElsewhere(state), wish, pageWindow, dispatch });

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
    // The provider's page does not reach this one.
    if (opened !== null) opened.opener = null;
    pageWindow.current = opened;
    wish.current = { planId, seats };
    dispatch({ type: 'proceed' });
    try {
      const [given, site] = await Promise.all([
        api.checkout({ query: { planId, seats } }),
        readCheckoutSite(api, queryClient),
      ]);
      opened?.location.replace(given.url);
      dispatch({ type: 'given', checkout: { ...given, site }, place: placeOf(isNarrow, opened) });
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
    reopen: () => {
      pageWindow.current = null;
    },
    frame,
  };
}
