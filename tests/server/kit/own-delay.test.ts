import { expect, test } from 'vitest';
import { measureDelay } from '../../../src/server/kit/own-delay.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Has something to do for this long, ms, as a server that parses large answers. */
async function work(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const step = performance.now() + 20;
    while (performance.now() < step);
    await turn();
  }
}

test('a process that had something to do all the time was busy, for an instant it was not', async () => {
  const isBusy = measureDelay();
  expect(isBusy()).toBe(false);
  await work(1_200);
  expect(isBusy()).toBe(true);
});

test('a process that waited was not busy', async () => {
  const isBusy = measureDelay();
  await new Promise((resolve) => {
    setTimeout(resolve, 1_200);
  });
  expect(isBusy()).toBe(false);
});
