import { type Dispatch, type RefObject, useEffect } from 'react';
import { useCommands } from '../../core/commands.ts';
import { onHostedPageTold } from '../../data/pending-checkout.ts';
import { useData } from '../../data/port.ts';
import { type CheckoutEvent, ClosedWindow, isPaidFor } from './checkout.ts';

/** What a hosted page was opened for. */
export interface CheckoutWish {
  readonly planId: string;
  readonly seats: number;
}

interface PaidElsewhereParts {
  /** A hosted page is open in a window of its own, or was and may have been paid. */
  readonly isElsewhere: boolean;
  readonly wish: RefObject<CheckoutWish | undefined>;
  /** That window; null where it is not known. */
  readonly pageWindow: RefObject<Window | null>;
  readonly dispatch: Dispatch<CheckoutEvent>;
}

/** While a hosted page is open in a window of its own, the subscription is read this often, ms. */
const readInterval = 5_000;
/** The window is looked at this often, and the subscription read as often once it is closed, ms. */
const lookInterval = 1_000;

/**
 * Finds out what becomes of a hosted page in a window of its own. The window may be closed, or its own way back may fail,
 * after it was paid: what counts is what the server says.
 */
export function usePaidElsewhere({ isElsewhere, wish, pageWindow, dispatch }: PaidElsewhereParts): void {
  const { services } = useCommands();
  const { api } = useData();
  useEffect(() => {
    if (!isElsewhere) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const closed = new ClosedWindow();
    let wasPaidFor: boolean | undefined;
    let lastReadAt = 0;
    let hasLeft = false;
    const read = async () => {
      const began = Date.now();
      lastReadAt = began;
      try {
        const subscription = await api.subscription({}, { signal });
        if (wish.current === undefined || signal.aborted) return;
        const isPaid = isPaidFor(subscription, wish.current);
        wasPaidFor ??= isPaid;
        if (isPaid && !wasPaidFor) dispatch({ type: 'told' });
        else if (!hasLeft && closed.isUnpaidAt(began)) {
          hasLeft = true;
          dispatch({ type: 'left' });
        }
      } catch (failure) {
        if (!signal.aborted) services.log('The subscription could not be read while it is paid.', failure);
      }
    };
    const look = () => {
      const now = Date.now();
      closed.see(pageWindow.current?.closed === true, now);
      const interval = closed.isClosed && !hasLeft ? lookInterval : readInterval;
      if (now - lastReadAt >= interval) void read();
    };
    void read();
    const timer = setInterval(look, lookInterval);
    window.addEventListener('focus', () => void read(), { signal });
    const stopHearing = onHostedPageTold(window, () => dispatch({ type: 'told' }));
    return () => {
      clearInterval(timer);
      stopHearing();
      ending.abort();
    };
  }, [isElsewhere, wish, pageWindow, dispatch, api, services]);
}
