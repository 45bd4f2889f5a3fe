import { describe, expect, test } from 'vitest';
import {
  afterCallback,
  forgetHostedPage,
  hostedPageIdOf,
  keepHostedPage,
  onHostedPageTold,
  pendingHostedPage,
  tellPending,
} from '../../../src/web/data/pending-checkout.ts';
import { nextStep, readCallback } from '../../../src/web/screens/Subscription/callback.ts';
import { callbackHref } from '../../../src/web/screens/return-url.ts';
import { owner } from '../owner.ts';

/** A storage of a browser, in memory. */
function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

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
    const asked =
      step.type === 'sign in' ? new URL(step.at, 'https://console').searchParams.get('returnUrl') : '';
    expect(asked).toBe(callbackHref(returnTo));
  });

  test.each([
    ['waits to know who is signed in', paid, undefined, 'hp_1', { type: 'wait' }],
    [
      'asks to sign in, and leads back from there',
      paid,
      null,
      'hp_1',
      { type: 'sign in', at: '/login?returnUrl=%2Fsubscription%2Fcallback' },
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
