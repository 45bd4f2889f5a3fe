import { describe, expect, test } from 'vitest';
import { StoreAbsence } from '../../../src/server/live/page/store-absence.ts';
import { createFakeClock } from './fake-clock.ts';

function world() {
  const clock = createFakeClock();
  const on: { loss?: () => void; gap?: () => void } = {};
  const changes: (string | null)[] = [];
  const absence: StoreAbsence = new StoreAbsence({
    channel: {
      onLoss: (listener) => {
        on.loss = listener;
        return () => delete on.loss;
      },
      onGap: (listener) => {
        on.gap = listener;
        return () => delete on.gap;
      },
    },
    clock,
    onChange: () => changes.push(absence.since),
  });
  return { clock, on, changes, absence };
}

describe('the absence of the store', () => {
  test('begins with the loss, is told of after a second, and ends a second after the connection is back', async () => {
    const { clock, on, changes, absence } = world();
    const lostAt = new Date(clock.now()).toISOString();
    on.loss?.();
    expect(absence.since).toBeNull();
    await clock.advance(1_000);
    expect(changes).toEqual([lostAt]);
    on.gap?.();
    await clock.advance(999);
    expect(changes).toEqual([lostAt]);
    await clock.advance(1);
    expect(changes).toEqual([lostAt, null]);
  });

  test('is none where the connection is back within a second', async () => {
    const { clock, on, changes } = world();
    on.loss?.();
    await clock.advance(999);
    on.gap?.();
    await clock.advance(5_000);
    expect(changes).toEqual([]);
  });

  test('is one where the connection comes and goes', async () => {
    const { clock, on, changes } = world();
    const lostAt = new Date(clock.now()).toISOString();
    for (let round = 0; round < 5; round += 1) {
      on.loss?.();
      await clock.advance(400);
      on.gap?.();
      await clock.advance(300);
    }
    expect(changes).toEqual([lostAt]);
    await clock.advance(700);
    expect(changes).toEqual([lostAt, null]);
  });

  test('ends with its owner', async () => {
    const { clock, on, changes, absence } = world();
    on.loss?.();
    absence.dispose();
    await clock.advance(5_000);
    expect([changes, on]).toEqual([[], {}]);
  });
});
