import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { secondTryAfter, type Try, withSecondTries } from '../../../src/server/clusters/second-try.ts';

/** A try as the test sees it. */
interface Sent extends Try {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

class Refusal extends Error {}

let tries: Sent[];

beforeEach(() => {
  vi.useFakeTimers();
  tries = [];
});
afterEach(() => vi.useRealTimers());

function start(most = 6, signal?: AbortSignal): Promise<string> {
  return withSecondTries({
    most,
    signal,
    isAnswer: (error) => error instanceof Refusal,
    send: (one) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      tries.push({ ...one, resolve, reject });
      return promise;
    },
  });
}

const later = () => vi.advanceTimersByTimeAsync(secondTryAfter);
const ended = () => tries.map(({ signal }) => signal.aborted);

describe('a request', () => {
  test('whose answer begins in time is sent once, however long the answer takes', async () => {
    const answer = start();
    tries[0]?.answered();
    await later();
    await later();
    tries[0]?.resolve('first');
    expect(await answer).toBe('first');
    expect(tries).toHaveLength(1);
  });

  test('without an answer is sent again beside the first; of the later tries the newest is kept', async () => {
    const answer = start();
    await later();
    expect(ended()).toEqual([false, false]);
    await later();
    expect(ended()).toEqual([false, true, false]);
    expect(tries.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
    tries[2]?.answered();
    expect(ended()).toEqual([true, true, false]);
    tries[2]?.resolve('third');
    expect(await answer).toBe('third');
  });

  test('counts a slow first answer', async () => {
    const answer = start();
    await later();
    tries[0]?.answered();
    expect(ended()).toEqual([false, true]);
    tries[0]?.resolve('first');
    expect(await answer).toBe('first');
  });

  test('is sent no more often than it may', async () => {
    void start(2);
    for (let pause = 0; pause < 5; pause += 1) await later();
    expect(ended()).toEqual([false, false]);
  });

  test('fails as its first try does, not as a later one that gets no answer', async () => {
    const answer = start();
    await later();
    tries[1]?.reject(new Error('reset'));
    await later();
    expect(tries).toHaveLength(3);
    tries[0]?.reject(new Error('did not answer'));
    await expect(answer).rejects.toThrow('did not answer');
    expect(ended()).toEqual([false, false, true]);
  });

  test('takes a refusal of any try for its answer', async () => {
    const answer = start();
    await later();
    tries[1]?.reject(new Refusal('forbidden'));
    await expect(answer).rejects.toThrow('forbidden');
    expect(ended()).toEqual([true, false]);
  });

  test('ends with its caller, all tries of it', async () => {
    const caller = new AbortController();
    void start(6, caller.signal);
    await later();
    caller.abort();
    expect(ended()).toEqual([true, true]);
  });
});
