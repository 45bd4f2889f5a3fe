import { describe, expect, test } from 'vitest';
import { storedLapse, storeLapse } from '../../src/web/data/lapse.ts';
import { placeAfterSignIn } from '../../src/web/screens/return-url.ts';
import { hostileReturns } from '../hostile-returns.ts';

function storage() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

describe('a refused call', () => {
  test('is remembered over a reload, which has asked who is signed in, until the person goes on', () => {
    const kept = storage();
    storeLapse(kept, { userId: 7, title: 'Sign in to continue.', at: 5, isFresh: true });
    expect(storedLapse(kept)).toEqual({ userId: 7, title: 'Sign in to continue.', at: 5, isFresh: false });
    storeLapse(kept, undefined);
    expect(storedLapse(kept)).toBeUndefined();
    expect(kept.values.size).toBe(0);
  });

  test.each([
    '{',
    'null',
    '7',
    '{"version":1,"userId":"7","title":"a","at":1}',
    '{"version":1,"userId":7,"at":1}',
    '{"version":2,"userId":7,"title":"a","at":1}',
    '{"userId":7,"title":"a","at":1}',
  ])('is forgotten where the storage holds %s', (text) => {
    const kept = storage();
    kept.setItem('wheelhouse.lapse', text);
    expect(storedLapse(kept)).toBeUndefined();
  });
});

describe('a sign-in', () => {
  const remembered = '/clusters/1/nodes';
  const place = (returnUrl: string, pathname = '/login') =>
    placeAfterSignIn({ pathname, search: `?returnUrl=${encodeURIComponent(returnUrl)}` }, remembered);

  test('leads to the path that returnUrl names, with its tiles', () => {
    expect(place('/clusters/2/pods?ns=shop&_w=1r50-50(*,/)#x')).toBe(
      '/clusters/2/pods?ns=shop&_w=1r50-50(*,/)',
    );
    expect(place('/subscription/callback')).toBe('/subscription/callback');
  });

  test.each(['/', '/dashboard', '/login', '/login?returnUrl=/clusters', ''])(
    'leads to where the person was when returnUrl is %j',
    (returnUrl) => expect(place(returnUrl)).toBe(remembered),
  );

  test.each(hostileReturns.filter((text) => text.isWellFormed()))(
    'does not follow returnUrl %j',
    (returnUrl) => expect(place(returnUrl)).toBe(remembered),
  );

  test('reads returnUrl on the sign-in page alone', () => {
    expect(place('/clusters/2/pods', '/setup-company')).toBe(remembered);
    expect(placeAfterSignIn({ pathname: '/login', search: '' }, undefined)).toBeUndefined();
  });
});
