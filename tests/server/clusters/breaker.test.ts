import { describe, expect, it } from 'vitest';
import { type Attempt, createBreaker } from '../../../src/server/clusters/breaker.ts';
import { createLimiter } from '../../../src/server/kit/limiter.ts';
import { clockAt } from '../clock-at.ts';

function opened(entered: Attempt | number): Attempt {
  if (typeof entered === 'number') throw new Error(`The breaker is open for ${entered} ms.`);
  return entered;
}

describe('the circuit breaker', () => {
  it('opens after three failures in a row, and twice as long after each failed trial up to a minute', () => {
    let time = 0;
    const breaker = createBreaker(clockAt(() => time));
    for (let failure = 0; failure < 3; failure += 1) opened(breaker.enter()).failed();
    const pauses: number[] = [];
    for (let trial = 0; trial < 7; trial += 1) {
      const pause = breaker.enter();
      if (typeof pause !== 'number') throw new Error('The breaker let an attempt through.');
      pauses.push(pause);
      time += pause;
      opened(breaker.enter()).failed();
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('lets one trial through after the pause and closes when it succeeds', () => {
    let time = 0;
    const breaker = createBreaker(clockAt(() => time));
    for (let failure = 0; failure < 3; failure += 1) opened(breaker.enter()).failed();
    time = 2_000;
    const trial = opened(breaker.enter());
    expect(breaker.enter()).toBeTypeOf('number');
    trial.succeeded();
    opened(breaker.enter()).failed();
    opened(breaker.enter()).succeeded();
  });

  it('does not count failures that a success separates, nor attempts that were given up', () => {
    const breaker = createBreaker(clockAt(() => 0));
    for (let round = 0; round < 5; round += 1) {
      opened(breaker.enter()).failed();
      opened(breaker.enter()).failed();
      opened(breaker.enter()).succeeded();
      opened(breaker.enter()).abandoned();
    }
    opened(breaker.enter()).succeeded();
  });

  it('does not lengthen the pause for attempts that were under way when it opened', () => {
    const breaker = createBreaker(clockAt(() => 0));
    const attempts = Array.from({ length: 10 }, () => opened(breaker.enter()));
    for (const attempt of attempts) attempt.failed();
    expect(breaker.enter()).toBe(2_000);
  });

  it('lets another trial through when the first was given up', () => {
    let time = 0;
    const breaker = createBreaker(clockAt(() => time));
    for (let failure = 0; failure < 3; failure += 1) opened(breaker.enter()).failed();
    time = 2_000;
    opened(breaker.enter()).abandoned();
    opened(breaker.enter()).succeeded();
  });

  it('is not opened by attempts that an outage left hanging, once the cluster has answered again', () => {
    const breaker = createBreaker(clockAt(() => 0));
    const hanging = Array.from({ length: 5 }, () => opened(breaker.enter()));
    opened(breaker.enter()).succeeded();
    for (const attempt of hanging) attempt.failed();
    opened(breaker.enter()).succeeded();
  });

  it('closes when the cluster answers a question that was no attempt', () => {
    const breaker = createBreaker(clockAt(() => 0));
    const hanging = Array.from({ length: 5 }, () => opened(breaker.enter()));
    for (const attempt of hanging.slice(0, 3)) attempt.failed();
    expect(breaker.enter()).toBeTypeOf('number');
    breaker.reached();
    for (const attempt of hanging.slice(3)) attempt.failed();
    opened(breaker.enter()).failed();
    opened(breaker.enter()).failed();
    opened(breaker.enter()).failed();
    expect(breaker.enter()).toBe(2_000);
  });

  it('can be forced by a person, and closes when that succeeds', () => {
    const breaker = createBreaker(clockAt(() => 0));
    for (let failure = 0; failure < 3; failure += 1) opened(breaker.enter()).failed();
    breaker.force().succeeded();
    opened(breaker.enter()).succeeded();
  });
});

describe('the limiter', () => {
  it('runs a limited number at a time, in order', async () => {
    const limiter = createLimiter(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        limiter.run(async () => {
          running += 1;
          most = Math.max(most, running);
          order.push(number);
          await Promise.resolve();
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('gives up a place in the queue with its caller', async () => {
    const limiter = createLimiter(1);
    const gate = Promise.withResolvers<void>();
    const first = limiter.run(() => gate.promise);
    const controller = new AbortController();
    const second = limiter.run(async () => 'ran', controller.signal);
    controller.abort();
    await expect(second).rejects.toThrow(/abort/i);
    gate.resolve();
    await first;
    await expect(limiter.run(async () => 'next')).resolves.toBe('next');
  });
});
