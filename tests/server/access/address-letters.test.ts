import { expect, it } from 'vitest';
import { emailSchema } from '../../../src/contract/account.ts';
import { looksLikeAnother } from '../../../src/server/access/address-letters.ts';

it.each([
  ['one letter of another script', 'owner@exаmple.com'],
  ['the same as mail servers write it', 'owner@xn--exmple-4nf.com'],
  ['a name of lookalikes throughout', 'owner@xn--80ak6aa92e.com'],
  ['a dotless i', 'owner@xn--exampe-t9a.com'],
  ['a script g', 'owner@xn--oogle-qmc.com'],
  ['a name that stands for nothing', 'owner@xn--a.com'],
  ['a letter of another script before the @', 'оwner@example.com'],
  ['full-width letters', 'ｏwner@example.com'],
  ['a dot of another script', 'owner@example。com'],
  ['a letter that nobody sees', 'own\u200ber@example.com'],
])('an address with %s is no account’s', (_what, email) => {
  expect(looksLikeAnother(email)).toBe(true);
});

it.each([
  'owner@example.com',
  "o'neil+clusters@mail.example.co",
  'kim@xn--mnchen-3ya.de',
  'kim@xn--80a1acny.example',
  'kim@xn--fiqs8s.example',
])('%s is an address', (email) => {
  expect(looksLikeAnother(email)).toBe(false);
  expect(emailSchema.safeParse(email).success).toBe(true);
});

it('letters beyond a to z are refused in words that say so', () => {
  const { error } = emailSchema.safeParse('оwner@example.com');
  expect(error?.issues[0]?.message).toMatch(/^Use only the letters a to z/);
  expect(emailSchema.safeParse('nothing').error?.issues[0]?.message).toBe('That is not an email address.');
});
