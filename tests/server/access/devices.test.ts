import { describe, expect, it } from 'vitest';
import { knownDevice, rememberDevice } from '../../../src/server/access/devices.ts';

const robin = { id: 1, passwordHash: '$argon2id$v=19$m=65536,t=3,p=1$c2FsdA$aGFzaA' };
const ada = { id: 2, passwordHash: '$argon2id$v=19$m=65536,t=3,p=1$dGxhcw$aHNhaA' };

const cookieOf = (...people: readonly (typeof robin)[]) =>
  people.reduce<string | undefined>((cookie, one) => rememberDevice(cookie, one), undefined) ?? '';

describe('a device cookie', () => {
  it('is known as each account that signed in from its browser, and as no other', () => {
    const cookie = cookieOf(robin, ada);
    const ids = [knownDevice(cookie, robin), knownDevice(cookie, ada)];
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
    expect(knownDevice(cookie, { ...robin, id: 3 })).toBeUndefined();
    expect(knownDevice(cookieOf(robin), ada)).toBeUndefined();
  });

  it('stays the same browser when somebody signs in again, so that its brake stays', () => {
    const cookie = cookieOf(robin, ada);
    expect(knownDevice(rememberDevice(cookie, robin), robin)).toBe(knownDevice(cookie, robin));
    expect(knownDevice(cookieOf(robin), robin)).not.toBe(knownDevice(cookieOf(robin), robin));
  });

  it('is nothing once the password is another one', () => {
    const changed = { ...robin, passwordHash: ada.passwordHash };
    const cookie = cookieOf(robin, ada);
    expect(knownDevice(cookie, changed)).toBeUndefined();
    const renewed = rememberDevice(cookie, changed);
    expect(knownDevice(renewed, changed)).toBeDefined();
    expect(knownDevice(renewed, ada)).toBe(knownDevice(cookie, ada));
  });

  it('cannot be made up, changed or filled with rubbish', () => {
    const cookie = cookieOf(robin);
    const flipped = `${cookie.slice(0, 5)}${cookie[5] === 'A' ? 'B' : 'A'}${cookie.slice(6)}`;
    for (const wrong of [
      undefined,
      '',
      'A'.repeat(43),
      flipped,
      cookie.slice(1),
      `${cookie}A`,
      '.'.repeat(10_000),
    ])
      expect(knownDevice(wrong, robin), String(wrong).slice(0, 50)).toBeUndefined();
    const rubbish = Array.from({ length: 500 }, () => 'A'.repeat(43)).join('.');
    expect(rememberDevice(rubbish, robin)?.length).toBeLessThan(400);
  });

  it('is not given to an account without a password', () => {
    expect(rememberDevice(undefined, { id: 1, passwordHash: null })).toBeUndefined();
    expect(knownDevice(cookieOf(robin), { id: 1, passwordHash: null })).toBeUndefined();
  });
});
