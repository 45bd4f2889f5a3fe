import { expect, test } from 'vitest';
import {
  comingView,
  dialogArrived,
  holdingKeys,
  holdKeys,
  openingDialog,
} from '../../src/web/kit/open-guards.ts';

const nothing = () => Promise.resolve();

test('keys wait until everything that was asked for is there', async () => {
  expect(comingView()).toBeUndefined();
  const [page, other] = [holdKeys(), holdKeys()];
  const waiting = comingView();
  page();
  page();
  expect(comingView()).toBe(waiting);
  other();
  expect(comingView()).toBeUndefined();
  await waiting;
});

test('keys wait for a dialog until it is painted, where a key or the palette asked for it', async () => {
  for (const source of ['key', 'palette'] as const) {
    await openingDialog(source, nothing, () => true);
    expect(comingView()).toBeDefined();
    dialogArrived();
    expect(comingView()).toBeUndefined();
  }
  await openingDialog('button', nothing, () => true);
  expect(comingView()).toBeUndefined();
});

test('keys wait for no dialog that does not come', async () => {
  await openingDialog('key', nothing, () => false);
  expect(comingView()).toBeUndefined();
  const refused = openingDialog(
    'key',
    () => Promise.reject(new Error('It was already done.')),
    () => false,
  );
  await expect(refused).rejects.toThrow('It was already done.');
  expect(comingView()).toBeUndefined();
});

test('keys wait for a move whose code is still on the way', async () => {
  const code = Promise.withResolvers<void>();
  const moved = holdingKeys(() => code.promise);
  expect(comingView()).toBeDefined();
  code.resolve();
  await moved;
  expect(comingView()).toBeUndefined();
});
