import { expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/clock.ts';

test('timers run in the order of their times, also those set meanwhile', () => {
  const clock = new ManualClock(0);
  const told: string[] = [];
  clock.after(30, () => told.push(`late at ${clock.now()}`));
  clock.after(10, () => {
    told.push(`early at ${clock.now()}`);
    clock.after(5, () => told.push(`between at ${clock.now()}`));
  });
  clock.advance(100);
  expect(told).toEqual(['early at 10', 'between at 15', 'late at 30']);
  expect(clock.now()).toBe(100);
});

test('a clock that hands over gives its timers away, and they can still be cancelled', () => {
  const past = new ManualClock(0);
  const told: string[] = [];
  past.after(50, () => told.push('kept'));
  const cancel = past.after(60, () => told.push('cancelled'));
  past.advance(10);
  const present = new ManualClock(10);
  past.handOver(present);
  cancel();
  present.advance(100);
  expect(told).toEqual(['kept']);
  expect(past.now()).toBe(110);
});
