import { describe, expect, test } from 'vitest';
import { logBatch, type LogMessage } from '../../../src/contract/log.ts';
import { LogSender, senderLimits } from '../../../src/server/logs/sender.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

/** A page that takes what it is sent only when the test says so. */
function page(isFollowed: boolean) {
  const clock = createFakeClock();
  const messages: LogMessage[] = [];
  let callbacks: (() => void)[] = [];
  let unsent = 0;
  const sender = new LogSender({
    outlet: {
      get unsent() {
        return unsent;
      },
      send(text, sent) {
        messages.push(JSON.parse(text) as LogMessage);
        unsent += text.length;
        callbacks.push(sent);
      },
    },
    clock,
    isFollowed,
  });
  const lines = () => messages.flatMap((message) => (message.type === 'lines' ? message.lines : []));
  return {
    clock,
    sender,
    messages,
    lines,
    get unsent() {
      return unsent;
    },
    take() {
      unsent = 0;
      const all = callbacks;
      callbacks = [];
      for (const callback of all) callback();
    },
  };
}

const big = 'x'.repeat(8_000);

/** Says lines until the sender asks to wait. */
function fill({ sender }: ReturnType<typeof page>): { said: number; wait: Promise<void> } {
  for (let said = 1; said < 10_000; said += 1) {
    const wait = sender.line(['2026-01-01T00:00:00Z', big, 0]);
    if (wait !== undefined) return { said, wait };
  }
  throw new Error('it never asked to wait');
}

describe('the lines of a log', () => {
  test('are sent together after a moment, or when there are many', async () => {
    const { clock, sender, messages } = page(true);
    expect(sender.line(['', 'one', 0])).toBeUndefined();
    expect(sender.line(['', 'two', 0])).toBeUndefined();
    expect(messages).toEqual([]);
    await clock.advance(senderLimits.flush);
    expect(messages).toEqual([
      {
        type: 'lines',
        lines: [
          ['', 'one', 0],
          ['', 'two', 0],
        ],
      },
    ]);
    for (let index = 0; index < logBatch; index += 1) void sender.line(['', 'x', 0]);
    expect(messages).toHaveLength(2);
  });

  test('wait for a page that is slow: memory stays bounded and nothing is lost', async () => {
    const slow = page(false);
    let said = 0;
    for (let round = 0; round < 5; round += 1) {
      const { said: more, wait } = fill(slow);
      said += more;
      expect(slow.unsent).toBeLessThan(senderLimits.highWater + 2 * senderLimits.batch);
      await slow.clock.advance(60_000);
      let isOver = false;
      void wait.then(() => {
        isOver = true;
      });
      await settle();
      expect(isOver).toBe(false);
      slow.take();
      await wait;
    }
    slow.sender.end({ reason: 'ended', title: 'End of the log.' }, () => {});
    expect(slow.lines()).toHaveLength(said);
    expect(slow.messages.at(-1)).toMatchObject({ type: 'ended', reason: 'ended' });
  });

  test('that are followed wait only a while; then they are dropped, and how many is said', async () => {
    const slow = page(true);
    const { said, wait } = fill(slow);
    await slow.clock.advance(senderLimits.patience);
    await wait;
    for (let index = 0; index < 1_000; index += 1) {
      expect(slow.sender.line(['', `missed ${index}`, 0])).toBeUndefined();
    }
    slow.take();
    void slow.sender.line(['', 'after', 0]);
    await slow.clock.advance(senderLimits.flush);
    const dropped = slow.messages.flatMap((message) =>
      message.type === 'lines' ? (message.dropped ?? 0) : [],
    );
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(slow.lines()).toHaveLength(said + 1);
    expect(slow.lines().at(-1)).toEqual(['', 'after', 0]);
  });

  test('are held back while grants are read, in order', async () => {
    const { clock, sender, messages, lines } = page(true);
    sender.hold();
    void sender.line(['', 'one', 0]);
    sender.tell({ type: 'state', status: 'live' });
    await clock.advance(1_000);
    expect(messages).toEqual([]);
    sender.release();
    await clock.advance(senderLimits.flush);
    expect(lines()).toEqual([['', 'one', 0]]);
    expect(messages.some((message) => message.type === 'state')).toBe(true);
    sender.hold();
    let isOver = false;
    sender.end({ reason: 'ended', title: 'End of the log.' }, () => {
      isOver = true;
    });
    expect(isOver).toBe(false);
    sender.release();
    expect([isOver, messages.at(-1)?.type]).toEqual([true, 'ended']);
  });

  test('leave no timer behind', () => {
    const { clock, sender } = page(true);
    void sender.line(['', 'one', 0]);
    sender.dispose();
    expect(clock.pending).toBe(0);
  });
});
