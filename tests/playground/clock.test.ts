import { expect, test } from 'vitest';
import { ManualClock, StillClock } from '../../src/playground/kit/clock.ts';

test('timers run in the order of their times, including those set meanwhile', () => {
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

test('a clock that hands over passes on its timers, which can still be cancelled', () => {
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

test('a still clock drops earlier timers and shows a fixed instant except to its own timers', async () => {
  const clock = new StillClock(1_000);
  const told: string[] = [];
  clock.after(0, () => told.push('planned in the past'));
  clock.begin();
  await new Promise<void>((done) => {
    clock.after(10, () => {
      told.push(`first at ${clock.now()}`);
      clock.after(5, () => {
        told.push(`second at ${clock.now()}`);
        done();
      });
    });
    expect(clock.now()).toBe(1_000);
    // Holds the process open, which the clock's own timers do not.
    setTimeout(() => undefined, 1_000);
  });
  expect(clock.now()).toBe(1_000);
  expect(told).toEqual(['first at 1010', 'second at 1015']);
});

test('a past that hands over to a still clock stands still with it', () => {
  const past = new ManualClock(0);
  expect(past.isStill).toBe(false);
  past.handOver(new StillClock(0));
  expect(past.isStill).toBe(true);
});

test('a cancelled timer of a still clock does not run', async () => {
  const clock = new StillClock(0);
  clock.begin();
  const told: string[] = [];
  clock.after(5, () => told.push('cancelled'))();
  await new Promise<void>((done) => {
    clock.after(10, done);
    setTimeout(() => undefined, 1_000);
  });
  expect(told).toEqual([]);
});
