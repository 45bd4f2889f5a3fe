import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/server/kit/limiter.ts';
import { askingPerson, onBehalfOf } from '../../../src/server/clusters/on-behalf.ts';

/** A limiter whose tasks end when they are told to, and the order in which they began. */
function watched(size: number) {
  const limiter = createLimiter(size);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, who?: number, signal?: AbortSignal) =>
    limiter.run(
      async () => {
        began.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      },
      signal,
      who,
    );
  /** Ends the tasks that run, and those that begin then, until none is left. */
  const drain = async (tasks: readonly Promise<void>[]) => {
    const all = Promise.allSettled(tasks);
    let isDone = false;
    void all.then(() => {
      isDone = true;
    });
    await expect
      .poll(() => {
        ends.shift()?.();
        return isDone;
      })
      .toBe(true);
  };
  return { add, drain, began };
}

test('people take turns: one who queues many requests does not make others wait for all of them', async () => {
  const { add, drain, began } = watched(1);
  const tasks = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => add(name, 1)),
    ...['b1', 'b2'].map((name) => add(name, 2)),
    add('console', undefined),
  ];
  await drain(tasks);
  expect(began).toEqual(['a1', 'a2', 'b1', 'console', 'a3', 'b2', 'a4']);
});

test('a waiting request that is aborted gives its place to the next one of the same person', async () => {
  const { add, drain, began } = watched(1);
  const away = new AbortController();
  const tasks = [add('a1', 1), add('b1', 2, away.signal), add('b2', 2), add('a2', 1)];
  away.abort(new Error('gone'));
  await expect(tasks[1]).rejects.toThrow('gone');
  await drain(tasks);
  expect(began).toEqual(['a1', 'b2', 'a2']);
});

test("requests made on behalf of a person count as theirs after every await, and never as another's", async () => {
  const seen = await Promise.all(
    [1, 2].map((person) =>
      onBehalfOf(person, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return askingPerson();
      }),
    ),
  );
  expect(seen).toEqual([1, 2]);
  expect(askingPerson()).toBeUndefined();
});
