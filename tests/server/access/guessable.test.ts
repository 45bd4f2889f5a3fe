import { describe, expect, it } from 'vitest';
import { passwordMinimum, passwordSchema } from '../../../src/contract/account.ts';
import { commonPasswords } from '../../../src/server/access/common-passwords.ts';
import { guessable } from '../../../src/server/access/guessable.ts';
import { sources, textOf } from '../../sources.ts';

const own = {
  name: 'Zoë van der Meulen',
  email: 'zoe.meulen@sunflower-bank.example',
  organisations: ['Sunflower Bank'],
};
const common = /most common/;
const pattern = /repeats itself/;

it('a password is hashed by `hashNewPassword` wherever somebody chooses it', () => {
  const callers = sources('src/server').filter((file) => /\bhashPassword\(/.test(textOf(file)));
  expect(callers.toSorted()).toEqual([
    'src/server/access/new-password.ts',
    'src/server/access/passwords.ts',
    // A random one of its own.
    'src/server/boot/admin/local-owner.ts',
  ]);
});

describe('a password that is easy to guess', () => {
  it('is one of at least 3,000 common ones that are long enough', () => {
    const allowed = [...commonPasswords()].filter((one) => passwordSchema.safeParse(one).success);
    expect(allowed.length).toBeGreaterThanOrEqual(3_000);
    for (const one of allowed) expect(guessable(one, {}), one).toMatch(common);
  });

  it.each([
    ['a common word with digits and signs around it', 'password1234', common],
    ['the same in capitals', 'PassWord!2024', common],
    ['digits in place of letters', 'P@ssw0rd2024!', common],
    ['a common word twice', 'passwordpassword', common],
    ['a full-width one', 'ｐａｓｓｗｏｒｄ１２３４', common],
    ['counting', '123456789012', common],
    ['counting further than the list', '98765432109876543', pattern],
    ['one character', 'aaaaaaaaaaaa', common],
    ['one that the list lacks', '~~~~~~~~~~~~~~', pattern],
    ['the alphabet', 'hijklmnopqrstuvw', pattern],
    ['keys in a row', 'poiuytrewqlkjhgfdsa', pattern],
    ['columns of keys', '5tgb6yhn7ujm8ik,', pattern],
    ['a part again and again', 'kx7:kx7:kx7:kx', pattern],
    ['the own name', 'ZoeVanDerMeulen', /your name\./],
    ['the own name with a year', 'Meulen-Zoë-1987', /your name\./],
    ['the own address', 'zoe.meulen@sunflower-bank.example', /your email address\./],
    ['the organisation', 'Sunflower Bank 1!', /email address|organisation/],
    ['the product', 'Wheelhouse123', /this product/],
    ['several of them', 'VanMeulenZoeWheelhouse!', /your name, your email/],
  ])('is %s', (_what, password, sentence) => {
    expect(password.length).toBeGreaterThanOrEqual(passwordMinimum);
    expect(guessable(password, own)).toMatch(sentence);
  });

  it.each([
    'correct horse battery staple',
    'zoe likes long walks',
    'our bank has no sunflower',
    'k7w2-9qfp-xm3r-dv8t',
    'Kaffee um halb zehn',
    'ein Passwort aus Wörtern',
    'дождь идёт третий день',
    'wheelhouse at the old pier',
  ])('is not %s', (password) => {
    expect(guessable(password, own)).toBeUndefined();
  });

  it('is found in some milliseconds, however long it is', () => {
    const began = performance.now();
    for (const unit of ['a', 'ab', 'qwe', 'zoe1']) guessable(unit.repeat(256).slice(0, 256), own);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
