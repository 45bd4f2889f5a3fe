import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import type { Subscription } from '../../../src/contract/subscription.ts';
import { readCheckoutSite } from '../../../src/web/data/subscription-queries.ts';
import {
  type CheckoutEvent,
  type CheckoutState,
  ClosedWindow,
  isElsewhere,
  isPaidFor,
  nextCheckout,
  placeOf,
} from '../../../src/web/features/subscription/checkout.ts';
import { readCheckoutMessage } from '../../../src/web/features/subscription/checkout-message.ts';
import { Unfinished } from '../../../src/web/features/subscription/Unfinished.tsx';
import { textOf } from './text-of.ts';

describe('a subscription that could not be completed', () => {
  const failed = 'Failed to complete the subscription process. Please contact support.';
  const notLost = 'Your payment is not lost';
  const said = (failure: unknown) => textOf(createElement(Unfinished, { failure, onRetry: () => undefined }));

  test.each<[string, unknown, boolean]>([
    [
      'a provider that does not answer',
      new Problem({ status: 502, title: failed, detail: 'It is away.' }),
      true,
    ],
    ['a page that is not paid yet', new Problem({ status: 409, title: failed }), true],
    ['a network that is down', new Error('The console cannot be reached.'), true],
    ['a page that was cancelled or has expired', new Problem({ status: 410, title: failed }), false],
    ['the page of another company', new Problem({ status: 404, title: failed }), false],
  ])(
    'says so in the words of the specification, and whether it goes on by itself: %s',
    (_, failure, goesOn) => {
      const text = said(failure);
      expect(text).toContain(failed);
      expect(text).toContain('Retry');
      expect(text.includes(notLost)).toBe(goesOn);
    },
  );

  test('says once what failed, and behind it why', () => {
    expect(said(new Error('The console cannot be reached.')).split(failed)).toHaveLength(2);
    expect(said(new Error('The console cannot be reached.'))).toContain('The console cannot be reached.');
  });
});

describe('a message of a checkout', () => {
  const frame = {};
  const success = { type: 'success', hostedPageId: 'hp_1' };
  const read = (data: unknown, more: object = {}, of: object | null = frame) =>
    readCheckoutMessage({ origin: 'null', source: frame, data, ...more } as never, of as never, 'hp_1');

  test('is taken from the frame of the checkout, which is sandboxed, about its own page', () => {
    expect(read(success)).toEqual(success);
    for (const type of ['ready', 'closed', 'failed']) expect(read({ type, more: 1 })).toEqual({ type });
  });

  test.each([
    ['another origin', success, { origin: 'https://evil.example.org' }],
    ['the console itself', success, { origin: 'https://console.example.org' }],
    ['another sandbox', success, { source: {} }],
    ['no window', success, { source: null }],
    ['another origin that closes', { type: 'closed' }, { origin: 'https://evil.example.org' }],
    ['another sandbox that closes', { type: 'closed' }, { source: {} }],
    ['the page of another company', { type: 'success', hostedPageId: 'hp_2' }, {}],
    ['no page', { type: 'success' }, {}],
    ['a page that is no text', { type: 'success', hostedPageId: ['hp_1'] }, {}],
    ['another word', { type: 'finished', hostedPageId: 'hp_1' }, {}],
    ['a text', 'success', {}],
    ['nothing', null, {}],
  ])('is ignored: %s', (_, data, more) => {
    expect(read(data, more)).toBeUndefined();
  });

  test('is ignored while the frame has no window', () => {
    expect(read(success, {}, null)).toBeUndefined();
    expect(read(success, { source: null }, null)).toBeUndefined();
  });
});

describe('a checkout', () => {
  const checkout = {
    url: 'https://pay.example.org/hp_1',
    hostedPageId: 'hp_1',
    isChange: false,
    site: 'example',
  };
  const bought = {
    id: 'team',
    name: 'Team',
    state: 'active',
    seats: 3,
    endsAt: null,
    nextBillingAt: null,
  } as const;
  const choosing: CheckoutState = { type: 'choosing' };
  const asking: CheckoutState = { type: 'asking' };
  const paying: CheckoutState = { type: 'paying', checkout, place: 'frame' };
  const inWindow: CheckoutState = { type: 'paying', checkout, place: 'window' };
  const finalising: CheckoutState = { type: 'finalising', hostedPageId: 'hp_1' };
  const unfinished: CheckoutState = { type: 'unfinished', hostedPageId: 'hp_1', failure: 'down' };
  const finalised: CheckoutState = { type: 'finalised' };
  const proceed: CheckoutEvent = { type: 'proceed' };
  const given: CheckoutEvent = { type: 'given', checkout, place: 'frame' };
  const success: CheckoutEvent = { type: 'success', hostedPageId: 'hp_1' };
  const others: CheckoutEvent = { type: 'success', hostedPageId: 'hp_2' };
  const closed: CheckoutEvent = { type: 'closed' };
  const failed: CheckoutEvent = { type: 'failed', failure: 'down' };
  const retry: CheckoutEvent = { type: 'retry' };
  const told: CheckoutEvent = { type: 'told' };
  const left: CheckoutEvent = { type: 'left' };
  const hasLeft: CheckoutState = { type: 'choosing', hasLeft: true };

  test.each<[CheckoutState, CheckoutEvent, CheckoutState]>([
    [choosing, proceed, asking],
    [{ type: 'choosing', failure: 'down' }, proceed, asking],
    [asking, given, paying],
    [asking, failed, { type: 'choosing', failure: 'down' }],
    [asking, closed, choosing],
    [paying, failed, { type: 'choosing', failure: 'down' }],
    [paying, success, finalising],
    [paying, closed, choosing],
    [inWindow, closed, choosing],
    // The other window told the server.
    [inWindow, told, finalised],
    // Its window was closed without a payment, which may come late all the same.
    [inWindow, left, hasLeft],
    [hasLeft, proceed, asking],
    [hasLeft, told, finalised],
    [finalising, told, finalised],
    [finalising, failed, unfinished],
    [unfinished, retry, finalising],
  ])('goes from %o by %o to %o', (state, event, next) => {
    expect(nextCheckout(state, event)).toEqual(next);
  });

  test.each([
    ['a wide screen, in a frame', false, null, 'frame'],
    ['a narrow screen, in the window that the press opened', true, {}, 'window'],
    ['a narrow screen whose browser blocked the window', true, null, 'blocked window'],
  ])('shows on %s', (_, isNarrow, opened, place) => {
    expect(placeOf(isNarrow, opened)).toBe(place);
  });

  test.each<[CheckoutState, boolean]>([
    [paying, false],
    [inWindow, true],
    [{ type: 'paying', checkout, place: 'blocked window' }, true],
    [hasLeft, true],
    [choosing, false],
    [finalising, false],
  ])('%o is asked about at the server alone: %s', (state, isAsked) => {
    expect(isElsewhere(state)).toBe(isAsked);
  });

  test('is left once its window has been closed for some seconds and nothing is paid', () => {
    const window = new ClosedWindow();
    window.see(false, 0);
    expect([window.isClosed, window.isUnpaidAt(60_000)]).toEqual([false, false]);
    window.see(true, 60_000);
    window.see(true, 61_000);
    // The way back to the console, which tells the server, closes it as well.
    expect([window.isClosed, window.isUnpaidAt(63_900)]).toEqual([true, false]);
    expect(window.isUnpaidAt(64_000)).toBe(true);
    // Opened once more.
    window.see(false, 65_000);
    expect(window.isUnpaidAt(70_000)).toBe(false);
  });

  test('is done in a window that the browser blocked at first, once the server knows', () => {
    const blocked: CheckoutState = { type: 'paying', checkout, place: 'blocked window' };
    expect(nextCheckout(asking, { type: 'given', checkout, place: 'blocked window' })).toEqual(blocked);
    expect(nextCheckout(blocked, told)).toEqual(finalised);
  });

  test.each<[string, Subscription['plan'], boolean]>([
    ['no plan', null, false],
    ['that plan', bought, true],
    ['another plan', { ...bought, id: 'business' }, false],
    ['other seats', { ...bought, seats: 4 }, false],
    ['that plan, cancelled', { ...bought, state: 'ending' }, false],
  ])('is paid where the organisation has what was chosen: %s', (_, plan, isPaid) => {
    expect(isPaidFor({ plan }, { planId: 'team', seats: 3 })).toBe(isPaid);
  });

  test('names its site again after the server could not say it', async () => {
    const answers = [Promise.reject(new Error('down')), Promise.resolve({ chargebeeSiteName: 'acme' })];
    const api = { subscriptionConfig: async () => await answers.shift() } as never;
    const queryClient = new QueryClient();
    expect(await readCheckoutSite(api, queryClient)).toBe('wheelhouse');
    expect(await readCheckoutSite(api, queryClient)).toBe('acme');
    expect(await readCheckoutSite(api, queryClient)).toBe('acme');
    expect(answers).toEqual([]);
  });

  test.each<[string, CheckoutState, CheckoutEvent]>([
    ['paid before it was asked for', choosing, success],
    ['paid before its address is known', asking, success],
    ['the page of another company', paying, others],
    ['paid twice', finalising, success],
    ['paid once more after a failure', unfinished, success],
    ['paid once more after it is done', finalised, success],
    ['closed after it was paid', finalising, closed],
    ['closed after it is done', finalised, closed],
    ['asked for twice', asking, proceed],
    ['an address that comes after it was closed', choosing, given],
    ['told while it is paid in this page', paying, told],
    ['told while nothing was paid', choosing, told],
    ['a window that is closed, while it is paid in this page', paying, left],
    ['a window that is closed after it was paid', finalised, left],
    ['a retry while nothing failed', finalising, retry],
    ['a failure of what was closed', choosing, failed],
  ])('does not change: %s', (_, state, event) => {
    expect(nextCheckout(state, event)).toBe(state);
  });
});
