import { expect, test } from 'vitest';
import { MemoryReturn } from '../../../src/server/kit/memory-return.ts';
import { createFakeClock } from '../live/fake-clock.ts';

const megabyte = 1024 * 1024;

test.each([
  ['most of much is collected once', [100, 90, 80, 0], 1],
  ['a third of it is collected', [100, 66, 65], 1],
  ['less than a quarter is left to V8', [100, 80], 0],
  ['little is left to V8', [9, 0], 0],
  ['each time that it was much', [100, 0, 80, 0], 2],
])('what was let go: %s', async (_, sizes, collections) => {
  const clock = createFakeClock();
  let [size, collected] = [0, 0];
  const memory = new MemoryReturn(
    () => size * megabyte,
    clock,
    () => {
      collected += 1;
    },
  );
  for (const next of sizes) {
    const isLess = next < size;
    size = next;
    memory.note();
    if (isLess) memory.letGo();
    await clock.advance(isLess && next === 0 ? 2_000 : 100);
  }
  await clock.advance(2_000);
  expect(collected).toBe(collections);
  expect(clock.pending).toBe(0);
});
