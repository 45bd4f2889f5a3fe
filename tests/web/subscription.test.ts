import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import type { Plan, Subscription } from '../../src/contract/subscription.ts';
import {
  afterCallback,
  forgetHostedPage,
  hostedPageIdOf,
  keepHostedPage,
  onHostedPageTold,
  pendingHostedPage,
  tellPending,
} from '../../src/web/data/pending-checkout.ts';
import { readCheckoutSite } from '../../src/web/data/subscription-queries.ts';
import {
  type CheckoutEvent,
  type CheckoutState,
  ClosedWindow,
  isElsewhere,
  isPaidFor,
  nextCheckout,
  placeOf,
} from '../../src/web/features/subscription/checkout.ts';
import { readCheckoutMessage } from '../../src/web/features/subscription/checkout-message.ts';
import {
  type LimitedSort,
  type LimitText,
  limitText,
  limitsLead,
  planStateText,
  retentionText,
  whoChooses,
} from '../../src/web/features/subscription/limits.ts';
import { PlanCard } from '../../src/web/features/subscription/PlanCard.tsx';
import { periodText, priceText, totalText } from '../../src/web/features/subscription/price.ts';
import { askedSeats } from '../../src/web/features/subscription/seats.ts';
import { Unfinished } from '../../src/web/features/subscription/Unfinished.tsx';
import { nextStep, readCallback } from '../../src/web/screens/Subscription/callback.ts';
import { callbackHref } from '../../src/web/screens/return-url.ts';
import { owner } from './owner.ts';

/** A storage of a browser, in memory. */
function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

describe('a price in words', () => {
  test.each([
    [4900, 'USD', 'en-US', '$49.00'],
    [1250, 'USD', 'en-US', '$12.50'],
    [5, 'USD', 'en-US', '$0.05'],
    [0, 'EUR', 'en-US', '€0.00'],
    [123456, 'EUR', 'en-US', '€1,234.56'],
    // Without minor units.
    [4900, 'JPY', 'en-US', '¥4,900'],
    [50000, 'KRW', 'en-US', '₩50,000'],
    [4900, 'CLP', 'en-US', 'CLP 4,900'],
    // With a thousand of them.
    [12500, 'KWD', 'en-US', 'KWD 12.500'],
    // As the browser's language writes it.
    [123456, 'EUR', 'de-DE', '1.234,56 €'],
    // The specification's currency where none is named.
    [4900, undefined, 'en-US', '$49.00'],
    [4900, '', 'en-US', '$49.00'],
  ])('%s in the smallest unit of %s (%s) is %s', (minor, currency, locale, text) => {
    expect(priceText(minor, currency, locale).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

/** The text of an element, its tags left out. */
const textOf = (element: Parameters<typeof renderToStaticMarkup>[0]) =>
  renderToStaticMarkup(element)
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('the card of a plan', () => {
  const plan: Plan = {
    id: 'business-jpy',
    name: 'Business (Japan)',
    price: 2_800,
    currency: 'JPY',
    billingPeriodUnit: 'month',
    billingPeriod: 1,
    description: 'As Business, paid by the month in yen.',
    clusters: null,
    retentionDays: null,
  };
  const card = (more: Partial<Parameters<typeof PlanCard>[0]> = {}) =>
    createElement(PlanCard, {
      plan,
      isSelected: false,
      isCurrent: false,
      onSelect: () => undefined,
      ...more,
    });

  test('has name, price of a seat per period, description and a button to select it', () => {
    expect(textOf(card())).toBe(
      `Business (Japan) ${priceText(2_800, 'JPY')} per month for each seat As Business, paid by the month in yen. Select Plan`,
    );
    expect(textOf(card())).toContain('2,800');
  });

  test('says that it is selected, and that the organisation has it', () => {
    const html = renderToStaticMarkup(card({ isSelected: true, isCurrent: true }));
    expect(html).toContain('aria-pressed="true"');
    expect(html).toContain('aria-label="Selected: Business (Japan)"');
    expect(html).toContain('Current plan');
  });

  test('has nothing to press for people who cannot choose one', () => {
    expect(renderToStaticMarkup(card({ onSelect: undefined }))).not.toContain('<button');
  });

  test.each<[Plan['billingPeriodUnit'], number, string]>([
    ['month', 1, 'per month'],
    ['year', 1, 'per year'],
    ['month', 3, 'per 3 months'],
    ['week', 2, 'per 2 weeks'],
    ['day', 1, 'per day'],
  ])('a period of %s × %s is “%s”', (billingPeriodUnit, billingPeriod, text) => {
    expect(periodText({ billingPeriodUnit, billingPeriod })).toBe(text);
  });

  test('sums seats up in the currency of the plan', () => {
    expect(totalText(plan, 1, 'en-US')).toBe('1 seat: ¥2,800 per month');
    expect(totalText({ ...plan, currency: 'USD', billingPeriod: 3 }, 2, 'en-US')).toBe(
      '2 seats: $56.00 per 3 months',
    );
  });
});

describe('a subscription that could not be completed', () => {
  const failed = 'Failed to complete the subscription process. Please contact support.';
  const notLost = 'What you paid is not lost';
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

describe('the field of seats', () => {
  test.each([
    ['3', 2, 3],
    [' 3 ', 3, 3],
    ['1000', 2, 1000],
    // An empty field counts as one seat.
    ['', 1, 1],
    ['  ', 0, 1],
  ])('“%s” with %s taken asks for %s', (text, taken, seats) => {
    expect(askedSeats(text, taken)).toEqual({ seats });
  });

  test.each([
    ['2', 3, /take 3 seats: enter 3 or more/],
    ['', 4, /take 4 seats: enter 4 or more/],
    ['0', 0, /at least 1 seat/],
    ['100001', 2, /at most 100000 seats/],
    ['-1', 0, /whole number/],
    ['2.5', 0, /whole number/],
    ['1e3', 0, /whole number/],
    ['many', 0, /whole number/],
    ['99999999999999999999', 0, /whole number/],
  ])('“%s” with %s taken is refused with a sentence', (text, taken, sentence) => {
    expect(askedSeats(text, taken).issue).toMatch(sentence);
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

describe('what is said of a limit before it is met', () => {
  const none: Subscription = {
    isConfigured: true,
    isTest: true,
    plan: null,
    seats: { used: 1, allowed: 5, members: 1, invitations: 0 },
    clusters: { used: 2, allowed: 5 },
    retention: { days: null, allowed: 90 },
    owners: ['Robin'],
  };
  const plan = {
    id: 'team',
    name: 'Team',
    state: 'active',
    seats: 5,
    endsAt: null,
    nextBillingAt: null,
  } as const;
  const full = { used: 5, allowed: 5 };

  test.each<[string, Partial<Subscription>, LimitedSort, Partial<LimitText> | undefined]>([
    ['nothing where no plan is sold', { isConfigured: false }, 'seats', undefined],
    [
      'nothing where any number is allowed',
      { plan, clusters: { used: 9, allowed: null } },
      'clusters',
      undefined,
    ],
    [
      'what an organisation has without a plan',
      {},
      'seats',
      { text: 'Without a plan an organisation has up to 5 seats: 1 is taken.', isReached: false },
    ],
    ['what is used of a plan', { plan }, 'clusters', { text: '2 of 5 clusters are used.', tone: 'info' }],
    [
      'that more seats are needed',
      { plan, seats: { ...full, members: 4, invitations: 1 } },
      'seats',
      {
        text: '5 of 5 seats are taken. To invite somebody, choose more seats or remove somebody.',
        isReached: true,
      },
    ],
    [
      'that a plan is needed',
      { clusters: full },
      'clusters',
      {
        text: 'Without a plan an organisation has up to 5 clusters: 5 are used. To add one, choose a plan or delete one.',
        tone: 'warn',
      },
    ],
    [
      'that a plan ended, and that everything goes on',
      { plan: { ...plan, state: 'ended' } },
      'seats',
      {
        text: 'The plan ended: nobody can be invited until an Owner chooses one. Everything that is there goes on.',
        isReached: true,
      },
    ],
  ])('%s', (_, more, sort, said) => {
    const text = limitText({ ...none, ...more }, sort);
    if (said === undefined) expect(text).toBeUndefined();
    else expect(text).toMatchObject(said);
  });

  test('says what limits do, and that nothing can be added once the plan has ended', () => {
    for (const one of [null, plan, { ...plan, state: 'ending' as const }])
      expect(limitsLead(one)).toMatch(/^A limit stops adding, never working: what is there goes on/);
    expect(limitsLead({ ...plan, state: 'ended' })).toMatch(
      /nothing can be added .* What is there goes on\.$/,
    );
  });

  test('says for how long the audit may be kept', () => {
    expect(retentionText(none)).toBe(' Without a plan it cannot be set to more than 90 days.');
    expect(retentionText({ ...none, plan })).toBe(' The plan allows no more than 90 days.');
    expect(retentionText({ ...none, plan, retention: { days: 30, allowed: null } })).toBeUndefined();
    expect(retentionText({ ...none, isConfigured: false })).toBeUndefined();
  });

  test.each([
    [[], ''],
    [['Robin'], ' Its Owner is Robin.'],
    [['Robin', 'Sam'], ' Its Owners are Robin and Sam.'],
    [['Kim', 'Robin', 'Sam'], ' Its Owners are Kim, Robin, and Sam.'],
  ])('tells who is no Owner who can choose a plan: %j', (owners, named) => {
    expect(whoChooses(owners)).toBe(`Only an Owner of your organisation can choose a plan.${named}`);
  });

  test.each<[NonNullable<Subscription['plan']>['state'], string | undefined]>([
    ['active', undefined],
    [
      'ending',
      'It is cancelled and runs until it ends. Nothing that is there is taken away then, but nobody can be invited and no cluster can be added.',
    ],
    [
      'ended',
      'It ended. Everything that is there goes on; nobody can be invited and no cluster can be added until you choose a plan.',
    ],
  ])('says what a plan that is %s takes away, and what it does not', (state, text) => {
    expect(planStateText({ ...plan, state })).toBe(text);
  });
});

describe('a pending hosted page', () => {
  test('is kept until it is told, and one that was paid since stays', () => {
    const kept = storage();
    expect(pendingHostedPage(kept)).toBeUndefined();
    keepHostedPage(kept, 'hp_1');
    expect(pendingHostedPage(kept)).toBe('hp_1');
    keepHostedPage(kept, 'hp_2');
    forgetHostedPage(kept, 'hp_1');
    expect(pendingHostedPage(kept)).toBe('hp_2');
    forgetHostedPage(kept, 'hp_2');
    expect(pendingHostedPage(kept)).toBeUndefined();
  });

  test('is told to the server after a sign-in, and kept where that fails, which is logged alone', async () => {
    const kept = storage();
    const logged: string[] = [];
    const log = (message: string) => logged.push(message);
    keepHostedPage(kept, 'hp_1');
    const asked: unknown[] = [];
    const away = { processCallback: async () => await Promise.reject(new Error('down')) } as never;
    expect(await tellPending('hp_1', { api: away, storage: kept, log })).toBe(false);
    expect(pendingHostedPage(kept)).toBe('hp_1');
    expect(logged).toEqual(['The pending subscription could not be completed.']);
    const api = {
      processCallback: async (call: unknown) => await Promise.resolve(asked.push(call)),
    } as never;
    expect(await tellPending('hp_1', { api, storage: kept, log })).toBe(true);
    expect(asked).toEqual([{ body: { hostedPageId: 'hp_1' } }]);
    expect(pendingHostedPage(kept)).toBeUndefined();
    expect(logged).toHaveLength(1);
    expect(afterCallback).toBe('/dashboard');
  });

  test.each([undefined, null, '', 'a b', '../x', '<b>', 'x'.repeat(101)])('is none: %s', (text) => {
    expect(hostedPageIdOf(text)).toBeUndefined();
  });

  test('tells the other pages of this browser once it is told', () => {
    const target = new EventTarget();
    let told = 0;
    const stop = onHostedPageTold(target as never, () => told++);
    const say = (key: string, oldValue: string | null, newValue: string | null) =>
      target.dispatchEvent(Object.assign(new Event('storage'), { key, oldValue, newValue }));
    say('wheelhouse.pendingHostedPage', null, 'hp_1');
    say('wheelhouse.another', 'hp_1', null);
    expect(told).toBe(0);
    say('wheelhouse.pendingHostedPage', 'hp_1', null);
    expect(told).toBe(1);
    stop();
    say('wheelhouse.pendingHostedPage', 'hp_1', null);
    expect(told).toBe(1);
  });
});

describe('the callback page', () => {
  const paid = readCallback('/subscription/callback?id=hp_1&state=succeeded');
  const signedIn = readCallback('/subscription/callback');

  test('reads the hosted page from its address, and nothing that is none', () => {
    expect(paid).toEqual({ hostedPageId: 'hp_1', isCancelled: false, returnTo: undefined });
    expect(signedIn).toEqual({ hostedPageId: undefined, isCancelled: false, returnTo: undefined });
    expect(readCallback('/subscription/callback?id=%3Cb%3E&state=cancelled')).toEqual({
      hostedPageId: undefined,
      isCancelled: true,
      returnTo: undefined,
    });
  });

  test.each([
    ['/deployments/1?ns=shop', '/deployments/1?ns=shop'],
    ['https://evil.example.org/', undefined],
    ['//evil.example.org/', undefined],
    ['/login', undefined],
  ])('knows where the sign-in was to lead: %s', (place, returnTo) => {
    const address = readCallback(callbackHref(place));
    expect(address.returnTo).toBe(returnTo);
    // It is not lost where somebody has to sign in once more.
    const step = nextStep(address, null, 'hp_1');
    const asked = step.type === 'go' ? new URL(step.to, 'https://console').searchParams.get('returnUrl') : '';
    expect(asked).toBe(callbackHref(returnTo));
  });

  test.each([
    ['waits to know who is signed in', paid, undefined, 'hp_1', { type: 'wait' }],
    [
      'leads to sign-in, and from there back',
      paid,
      null,
      'hp_1',
      { type: 'go', to: '/login?returnUrl=%2Fsubscription%2Fcallback' },
    ],
    ['tells the server', paid, owner, 'hp_1', { type: 'tell', hostedPageId: 'hp_1' }],
    ['tells the server after a sign-in', signedIn, owner, 'hp_2', { type: 'tell', hostedPageId: 'hp_2' }],
    ['goes on where nothing is pending', signedIn, owner, undefined, { type: 'go on' }],
    [
      'leads somebody without an organisation to set one up first',
      paid,
      { ...owner, companyId: 0, shouldSetupCompany: true },
      'hp_1',
      { type: 'go', to: '/setup-company' },
    ],
    [
      'leads home after a cancelled payment',
      readCallback('/subscription/callback?id=hp_1&state=cancelled'),
      owner,
      undefined,
      { type: 'go', to: '/subscription/cancel' },
    ],
  ])('%s', (_, address, user, pending, step) => {
    expect(nextStep(address, user, pending)).toEqual(step);
  });
});
