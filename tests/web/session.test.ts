import { describe, expect, test } from 'vitest';
import { forgetPlace, rememberedPlace, rememberPlace } from '../../src/web/data/remember.ts';
import { detourOf, guard, initialsOf, mayWork } from '../../src/web/data/session.ts';
import { isValidUser } from '../../src/web/data/valid-user.ts';
import { owner } from './owner.ts';

const page = { access: 'signed-in', path: '/clusters' } as const;
const ownerPage = { access: 'owner', path: '/settings' } as const;

describe('the guard', () => {
  test('public screens always show', () => {
    expect(guard({ access: 'public', path: '/login' }, null)).toEqual({ type: 'show' });
  });

  test('others wait for the answer, then need somebody signed in', () => {
    expect(guard(page, undefined)).toEqual({ type: 'wait' });
    expect(guard(page, null)).toEqual({ type: 'redirect', to: '/login' });
    expect(guard(page, owner)).toEqual({ type: 'show' });
  });

  test('what is for Owners asks for somebody signed in, and tells a Member by itself', () => {
    expect(guard(ownerPage, null)).toEqual({ type: 'redirect', to: '/login' });
    expect(guard(ownerPage, { ...owner, orgRole: 2 })).toEqual({ type: 'show' });
    expect(guard(ownerPage, owner)).toEqual({ type: 'show' });
  });

  test('a person who has to set up a company may only see that screen, which nobody else may see', () => {
    const homeless = { ...owner, companyId: 0, shouldSetupCompany: true };
    expect(guard(page, homeless)).toEqual({ type: 'redirect', to: '/setup-company' });
    expect(guard({ access: 'signed-in', path: '/setup-company' }, homeless)).toEqual({ type: 'show' });
    expect(guard({ access: 'signed-in', path: '/setup-company' }, owner)).toEqual({
      type: 'redirect',
      to: '/',
    });
  });

  test.each([
    [{ isInviteNotFound: true }, '/invite-not-found'],
    [{ isInviteRejected: true }, '/invite-rejected'],
    [{ isInvitePending: true }, '/login'],
    [{ companyId: 0 }, '/login'],
  ])('%j leads to %s', (change, to) => {
    expect(detourOf({ ...owner, ...change })).toBe(to);
    expect(isValidUser({ ...owner, ...change })).toBe(false);
    expect(mayWork({ ...owner, ...change })).toBe(false);
  });

  test('only who is signed in and has a company has the console around a public page', () => {
    expect(mayWork(owner)).toBe(true);
    for (const nobody of [undefined, null, { ...owner, companyId: 0, shouldSetupCompany: true }])
      expect(mayWork(nobody)).toBe(false);
  });
});

test.each([
  ['Anna Keller', 'AK'],
  ['anna', 'A'],
  ['Ana María de la Cruz', 'AM'],
  ['  élodie   öz ', 'ÉÖ'],
  ['', ''],
])('the initials of "%s" are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));

test('the remembered place is only ever a path of this console', () => {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  rememberPlace(storage, '/clusters/1/pods?ns=shop');
  rememberPlace(storage, '/login');
  expect(rememberedPlace(storage)).toBe('/clusters/1/pods?ns=shop');
  rememberPlace(storage, '//evil.example');
  expect(rememberedPlace(storage)).toBeUndefined();
  forgetPlace(storage);
  expect(values.size).toBe(0);
});
