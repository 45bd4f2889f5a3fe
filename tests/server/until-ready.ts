import { vi } from 'vitest';
import type { PlaygroundProcess } from '../../src/server/boot/playground-process.ts';

/** Waits until a playground has started: its callers give up after ten seconds, and a busy machine may need longer. */
export async function untilReady(playground: PlaygroundProcess): Promise<void> {
  const isReady = (): Promise<boolean> =>
    playground.target().then(
      () => true,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 100_000 });
}
