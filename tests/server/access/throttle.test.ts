import { describe, expect, it } from 'vitest';
import { createThrottle, TooManyTries } from '../../../src/server/access/throttle.ts';

/** Seconds to wait before a try, 0 when it may be made at once (it then counts as failed). */
function wait(throttle: ReturnType<typeof createThrottle>, account: string, address: string): number {
  try {
    throttle.begin(account, address);
    return 0;
  } catch (error) {
    if (error instanceof TooManyTries) return error.retryAfter;
    throw error;
  }
}

describe('throttling', () => {
  it('doubles the wait from the fifth failure on, up to 15 minutes', () => {
    let time = 0;
    const throttle = createThrottle(() => time);
    for (let count = 0; count < 5; count += 1) expect(wait(throttle, 'a@example.org', '192.0.2.1')).toBe(0);
    const waits = Array.from({ length: 12 }, () => {
      const seconds = wait(throttle, 'a@example.org', '192.0.2.1');
      time += seconds * 1000 - 1;
      expect(wait(throttle, 'a@example.org', '192.0.2.1')).toBe(1);
      time += 1;
      expect(wait(throttle, 'a@example.org', '192.0.2.1')).toBe(0);
      return seconds;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('an address that tries many accounts waits for all of them', () => {
    const throttle = createThrottle(() => 0);
    for (let count = 0; count < 20; count += 1)
      expect(wait(throttle, `${count}@example.org`, '192.0.2.1')).toBe(0);
    expect(wait(throttle, 'another@example.org', '192.0.2.1')).toBe(1);
    expect(wait(throttle, 'another@example.org', '192.0.2.2')).toBe(0);
  });

  it('an account tried from everywhere waits shortly, but never where it has signed in before', () => {
    let time = 0;
    const throttle = createThrottle(() => time);
    throttle.begin('a@example.org', '198.51.100.1').succeeded();
    for (let count = 0; count < 200; count += 1) {
      time += wait(throttle, 'a@example.org', `10.0.0.${count}`) * 1000;
    }
    const seconds = wait(throttle, 'a@example.org', '203.0.113.1');
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(wait(throttle, 'a@example.org', '198.51.100.1')).toBe(0);
  });

  it('signing in to an account of one own does not clear the address', () => {
    const throttle = createThrottle(() => 0);
    for (let count = 0; count < 19; count += 1) {
      expect(wait(throttle, `${count}@example.org`, '192.0.2.1')).toBe(0);
      throttle.begin('own@example.org', '192.0.2.1').succeeded();
    }
    expect(wait(throttle, 'x@example.org', '192.0.2.1')).toBe(0);
    expect(wait(throttle, 'y@example.org', '192.0.2.1')).toBe(1);
  });

  it('forgets after an hour without a failure', () => {
    let time = 0;
    const throttle = createThrottle(() => time);
    for (let count = 0; count < 5; count += 1) wait(throttle, 'a@example.org', '192.0.2.1');
    expect(wait(throttle, 'a@example.org', '192.0.2.1')).toBe(1);
    time += 3_600_001;
    for (let count = 0; count < 5; count += 1) expect(wait(throttle, 'a@example.org', '192.0.2.1')).toBe(0);
  });
});
