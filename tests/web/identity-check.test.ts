import { expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { IdentityCheck } from '../../src/web/data/identity-check.ts';

const refusal = (code: 'identity-not-confirmed' | 'passkey-needed') =>
  new Problem({ status: 403, title: 'Not yet.', code, proof: 'passkey' });

test('an identity is confirmed once for all calls that wait', async () => {
  const check = new IdentityCheck();
  const all = [
    check.confirm(refusal('identity-not-confirmed')),
    check.confirm(refusal('identity-not-confirmed')),
  ];
  check.asked.get()?.answer(true);
  expect(await Promise.all(all)).toEqual([true, true]);
  expect(check.asked.get()).toBeUndefined();
});

test('each dangerous act is asked for, one after the other', async () => {
  const check = new IdentityCheck();
  const first = check.confirm(refusal('passkey-needed'));
  const second = check.confirm(refusal('passkey-needed'));
  const asked = check.asked.get();
  asked?.answer(true);
  expect(await first).toBe(true);
  await expect.poll(() => check.asked.get()).not.toBeUndefined();
  expect(check.asked.get()).not.toBe(asked);
  check.asked.get()?.answer(false);
  expect(await second).toBe(false);
});
