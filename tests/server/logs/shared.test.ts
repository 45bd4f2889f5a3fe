import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { FollowQuery, LogOutcome } from '../../../src/server/logs/follow.ts';
import { LogRing, ringLimits } from '../../../src/server/logs/ring.ts';
import { SharedLogs } from '../../../src/server/logs/shared.ts';
import { sharedLimits } from '../../../src/server/logs/shared-stream.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';
import { createScriptedTransport, silence } from '../live/script-transport.ts';

const path = '/api/v1/namespaces/shop/pods/a/log';

/** The log of shop/a, which any number read along; the test says what the cluster tells. */
function world() {
  const clock = createFakeClock();
  const transport = createScriptedTransport();
  const pod = {
    metadata: {},
    status: { containerStatuses: [{ name: 'app', restartCount: 0, state: { running: {} } }] },
  };
  transport.onList = () => pod;
  const shared = new SharedLogs();

  function reader(asked: Partial<FollowQuery> = {}, clusterId = 1) {
    const ending = new AbortController();
    const lines: string[] = [];
    const marks: string[] = [];
    const states: string[] = [];
    let outcome: LogOutcome | undefined;
    let full: PromiseWithResolvers<void> | undefined;
    void shared
      .follow(
        clusterId,
        {
          namespace: 'shop',
          name: 'a',
          query: { container: 'app', previous: false, follow: true, tailLines: 100, ...asked },
          cluster: 'prod',
          transport: () => Promise.resolve(transport),
          clock,
          signal: ending.signal,
          onError: () => {},
        },
        {
          line: (_time, text) => {
            lines.push(text);
            return full?.promise;
          },
          mark: (text) => marks.push(text),
          state: (word) => states.push(word),
        },
      )
      .then(
        (over) => {
          outcome = over;
        },
        () => {},
      );
    return {
      lines,
      marks,
      states,
      leave: () => ending.abort(new Error('The page is gone.')),
      /** From now on it takes one line and no more. */
      block: () => {
        full = Promise.withResolvers<void>();
      },
      unblock: () => {
        full?.resolve();
        full = undefined;
      },
      outcome: () => outcome,
    };
  }
  const streams = () => transport.requests.filter((request) => request.path === path);
  let written = 0;
  /** The cluster tells so many lines, one each millisecond. */
  const say = async (count: number, more = '') => {
    for (let index = 0; index < count; index += 1) {
      const time = new Date(clock.now() + written).toISOString();
      transport.watchOf(path).say(`${time} line ${written}${more}`);
      written += 1;
    }
    await settle();
  };
  return { clock, transport, pod, shared, reader, streams, say };
}

const numbers = (from: number, end: number) =>
  Array.from({ length: end - from }, (_, index) => `line ${from + index}`);

describe('a log that several read', () => {
  test('is one stream of the cluster; whoever comes later has its last lines at once', async () => {
    const { shared, reader, streams, say } = world();
    const first = reader();
    await settle();
    await say(5);
    const others = Array.from({ length: 9 }, () => reader());
    await settle();
    expect(others.map(({ lines }) => lines)).toEqual(others.map(() => numbers(0, 5)));
    expect(others.map(({ states }) => states)).toEqual(others.map(() => ['live']));
    await say(2);
    for (const { lines } of [first, ...others]) expect(lines).toEqual(numbers(0, 7));
    expect(streams()).toHaveLength(1);
    expect(shared.size).toBe(1);
  });

  test('ends with the last who reads it, and not before', async () => {
    const { shared, reader, transport, say } = world();
    const [first, second] = [reader(), reader()];
    await settle();
    await say(1);
    first.leave();
    await settle();
    expect(transport.watchOf(path).request.signal?.aborted).toBe(false);
    await say(1);
    expect(first.lines).toEqual(numbers(0, 1));
    expect(second.lines).toEqual(numbers(0, 2));
    second.leave();
    await settle();
    expect(transport.watchOf(path).request.signal?.aborted).toBe(true);
    expect(shared.size).toBe(0);
    // Who comes now begins anew.
    reader();
    await settle();
    expect(shared.size).toBe(1);
  });

  test('gives each as many lines as they asked for', async () => {
    const { clock, reader, streams, say } = world();
    reader({ tailLines: 100 });
    await settle();
    await say(30);
    await clock.advance(1_000);
    const few = reader({ tailLines: 10 });
    await settle();
    expect(few.lines).toEqual(numbers(20, 30));
    const fewer = reader({ tailLines: 40 });
    await settle();
    // The log has no more than the first was given.
    expect(fewer.lines).toEqual(numbers(0, 30));
    expect(streams()).toHaveLength(1);
    // More than was ever read is asked of the cluster.
    reader({ tailLines: 2_000 });
    reader({ sinceSeconds: 3_600 });
    await settle();
    expect(streams()).toHaveLength(3);
  });

  test('gives who comes while the older lines are still coming all that the first has', async () => {
    const { reader, streams, transport } = world();
    const first = reader({ tailLines: 50 });
    await settle();
    const same = reader({ tailLines: 50 });
    reader({ tailLines: 5 });
    await settle();
    expect(streams().map(({ query }) => query?.['tailLines'])).toEqual([50, 5]);
    transport.watches.find(({ request }) => request.path === path)?.say('2025-12-31T23:00:00Z of the first');
    await settle();
    expect([first.lines, same.lines]).toEqual([['of the first'], ['of the first']]);
  });

  test('goes on for who comes back after their last line', async () => {
    const { clock, reader, streams, say } = world();
    const first = reader();
    await settle();
    const began = clock.now();
    await say(10);
    const after = new Date(began + 4).toISOString();
    const back = reader({ after, skip: 1 });
    await settle();
    expect(back.lines).toEqual(numbers(5, 10));
    await say(2);
    expect(back.lines).toEqual(numbers(5, 12));
    expect(first.lines).toEqual(numbers(0, 12));
    expect(streams()).toHaveLength(1);
    // What is older than all that is kept is asked of the cluster.
    reader({ after: new Date(began - 60_000).toISOString(), skip: 1 });
    await settle();
    expect(streams()[1]?.query).toMatchObject({ sinceTime: new Date(began - 60_000).toISOString() });
  });

  test('waits for nobody but the quickest: who falls behind reads on alone, without a gap', async () => {
    const { reader, streams, say, transport } = world();
    const quick = reader();
    const slow = reader();
    await settle();
    slow.block();
    await say(ringLimits.lines + 10);
    expect(quick.lines).toHaveLength(ringLimits.lines + 10);
    expect(slow.lines).toEqual(['line 0']);
    slow.unblock();
    await settle();
    expect(streams()).toHaveLength(2);
    expect(streams()[1]?.query).toMatchObject({ sinceTime: expect.stringContaining('2026-01-01') as string });
    expect(transport.watches.filter(({ isClosed }) => !isClosed)).toHaveLength(2);
    expect(slow.outcome()).toBeUndefined();
  });

  test('is read no faster than its only reader takes it', async () => {
    const { reader, say, transport } = world();
    const only = reader();
    await settle();
    only.block();
    await say(2_000);
    expect(only.lines).toHaveLength(1);
    only.unblock();
    await settle();
    expect(only.lines).toEqual(numbers(0, 2_000));
    expect(transport.watches.filter(({ request }) => request.path === path)).toHaveLength(1);
  });

  test('is read no faster than its only reader takes it, also where few lines weigh much', async () => {
    const { reader, streams, say } = world();
    const only = reader();
    await settle();
    only.block();
    const more = ` ${'x'.repeat(60_000)}`;
    for (let times = 0; times < 10; times += 1) await say(10, more);
    expect(only.lines).toHaveLength(1);
    only.unblock();
    await settle();
    expect(only.lines.map((line) => line.slice(0, -more.length))).toEqual(numbers(0, 100));
    expect(streams()).toHaveLength(1);
  });

  test('goes on for who comes while its only reader takes nothing', async () => {
    const { reader, streams, say } = world();
    const blocked = reader();
    await settle();
    blocked.block();
    await say(1_000);
    const quick = reader();
    await settle();
    // The last hundred of what was read so far, and all that comes.
    expect(quick.lines).toEqual(numbers(sharedLimits.ahead + 1 - 100, 1_000));
    expect(blocked.lines).toHaveLength(1);
    expect(streams()).toHaveLength(1);
  });

  test('repeats none of what was said between its lines to who comes back and knows it', async () => {
    const { clock, reader, streams, say, transport } = world();
    const first = reader();
    await settle();
    const began = clock.now();
    await say(2);
    transport.watchOf(path).fail(silence());
    await settle();
    await clock.advance(1_000);
    await say(3);
    expect(first.marks).toHaveLength(2);
    const [known, last] = [
      reader({ after: new Date(began + 1_003).toISOString(), skip: 1 }),
      reader({ after: new Date(began + 60_000).toISOString(), skip: 1 }),
    ];
    await settle();
    expect(known.lines).toEqual(numbers(4, 5));
    expect([last.lines, known.marks, last.marks]).toEqual([[], [], []]);
    // Streams that broke are opened again; nobody opened one of their own.
    expect(streams()).toHaveLength(2);
    transport.watchOf(path).fail(silence());
    await settle();
    for (const { marks } of [known, last])
      expect(marks).toEqual([expect.stringMatching(/^The stream was interrupted/)]);
  });

  test('tells all of them how it does and why it ended', async () => {
    const { clock, reader, transport, pod, say } = world();
    const [first, second] = [reader(), reader()];
    await settle();
    await say(1);
    transport.watchOf(path).fail(silence());
    await settle();
    expect(second.states).toEqual(['live', 'reconnecting']);
    expect(second.marks).toEqual([expect.stringMatching(/^The stream was interrupted/)]);
    await clock.advance(1_000);
    expect(second.states.at(-1)).toBe('live');
    Object.assign(pod, {
      status: {
        phase: 'Succeeded',
        containerStatuses: [
          { name: 'app', restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        ],
      },
    });
    transport.watchOf(path).end();
    await settle();
    for (const { outcome } of [first, second]) expect(outcome()).toMatchObject({ reason: 'ended' });
  });

  test('of another cluster is another log', async () => {
    const { shared, reader } = world();
    reader({}, 1);
    reader({}, 2);
    await settle();
    expect(shared.size).toBe(2);
  });
});

describe('what is kept of logs', () => {
  const told = (text: string) => ({ time: '', text, isMark: false });

  test('is bounded by lines and by weight, for each and for all together', () => {
    const budget = { held: 0 };
    const many = new LogRing(budget);
    for (let index = 0; index < 20_000; index += 1) many.push(told(`${index}`));
    expect(many.end - many.first).toBe(ringLimits.lines);
    expect(many.at(many.end - 1)?.text).toBe('19999');
    expect(many.at(many.first - 1)).toBeUndefined();
    const heavy = new LogRing(budget);
    for (let index = 0; index < 1_000; index += 1) heavy.push(told('x'.repeat(3_000)));
    // Though they are heavy, so many stay that readers can be a little apart.
    expect(heavy.end - heavy.first).toBe(ringLimits.least);
    const before = budget.held;
    const heaviest = new LogRing(budget);
    for (let index = 0; index < 1_000; index += 1) heaviest.push(told('x'.repeat(60_000)));
    expect(budget.held - before).toBeLessThanOrEqual(2 * ringLimits.size);
    expect(heaviest.weightFrom(heaviest.first)).toBe(budget.held - before);
    expect(heaviest.weightFrom(heaviest.end - 2)).toBeGreaterThan(2 * 60_000);
    expect(heaviest.weightFrom(heaviest.end)).toBe(0);
    // The last is there in any case: somebody is about to read it.
    heaviest.push(told('x'.repeat(3 * ringLimits.size)));
    expect(heaviest.end - heaviest.first).toBe(1);
    many.dispose();
    heavy.dispose();
    heaviest.dispose();
    expect(budget.held).toBe(0);
  });

  test('is let go of as soon as it is forgotten', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const ring = new LogRing({ held: 0 });
    const forgotten: WeakRef<object>[] = [];
    for (let index = 0; index < 100; index += 1) {
      const one = told(`${index} ${'x'.repeat(60_000)}`);
      forgotten.push(new WeakRef(one));
      ring.push(one);
    }
    expect(ring.first).toBeGreaterThan(50);
    await settle();
    collect();
    expect(forgotten.slice(0, ring.first).filter((one) => one.deref() !== undefined)).toEqual([]);
    expect(ring.at(ring.first)?.text).toMatch(new RegExp(`^${ring.first} `));
  });
});
