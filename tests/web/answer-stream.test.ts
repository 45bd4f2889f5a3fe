import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatPart } from '../../src/contract/chat.ts';
import { type AnswerNews, AnswerStream, type EventStream } from '../../src/web/data/answer-stream.ts';

/** A stream of events as a browser has it, whose events the test gives. */
class FakeEvents implements EventStream {
  readyState = 0;
  readonly href: string;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(href: string) {
    this.href = href;
  }

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.readyState = 2;
  }

  emit(type: string, data: unknown = null, lastEventId = ''): void {
    this.#listeners.get(type)?.({
      data: JSON.stringify(data),
      lastEventId,
    } as MessageEvent<string>);
  }

  text(number: number): void {
    this.emit('message', { type: 'notice', text: `Part ${number}` } satisfies ChatPart, String(number));
  }

  /** Says an error: of a connection that the browser opens anew (0), or that is closed for good (2). */
  fail(readyState: 0 | 2): void {
    this.readyState = readyState;
    this.emit('error');
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow(status: () => Promise<number> = () => Promise.resolve(503), after = 2) {
  const opened: FakeEvents[] = [];
  const news: AnswerNews[] = [];
  const statusOf = vi.fn(status);
  const stream = new AnswerStream({
    path: '/stream',
    after,
    open(href) {
      const events = new FakeEvents(href);
      opened.push(events);
      return events;
    },
    statusOf,
    onNews: (one) => void news.push(one),
  });
  const numbers = () => news.flatMap(({ parts }) => parts.map(({ number }) => number));
  return { stream, opened, news, numbers, statusOf };
}

describe('the stream of an answer', () => {
  test('that was refused for a moment is opened anew behind the last part that came', async () => {
    const { opened, numbers } = follow();
    expect(opened[0]?.href).toBe('/stream?after=2');
    opened[0]?.text(3);
    opened[0]?.text(4);
    opened[0]?.fail(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened.map(({ href }) => href)).toEqual(['/stream?after=2', '/stream?after=4']);
    opened[1]?.text(5);
    expect(numbers()).toEqual([3, 4, 5]);
  });

  test('that broke is left to the browser, which opens it anew by itself', async () => {
    const { opened, statusOf } = follow();
    opened[0]?.fail(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toHaveLength(1);
    expect(statusOf).not.toHaveBeenCalled();
  });

  test('tells each part once, whatever comes again', () => {
    const { opened, numbers } = follow();
    for (const number of [1, 2, 3, 3, 4, 2, 4, 5]) opened[0]?.text(number);
    expect(numbers()).toEqual([3, 4, 5]);
  });

  test('is closed by the part that ends the answer, and by its being withheld', () => {
    const ended = follow();
    ended.opened[0]?.emit('message', { type: 'end', state: 'done', text: null } satisfies ChatPart, '3');
    expect(ended.opened[0]?.readyState).toBe(2);
    expect(ended.news).toEqual([
      {
        parts: [{ number: 3, part: { type: 'end', state: 'done', text: null } }],
        isOver: true,
      },
    ]);
    const withheld = follow();
    withheld.opened[0]?.emit('withheld', { withheld: 'You may not view it.' });
    expect(withheld.opened[0]?.readyState).toBe(2);
    expect(withheld.news).toEqual([{ parts: [], withheld: 'You may not view it.', isOver: true }]);
  });

  test.each([401, 403, 404])('that is refused with %i is over, and asked for no more', async (status) => {
    const { opened, news } = follow(() => Promise.resolve(status));
    opened[0]?.fail(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toHaveLength(1);
    expect(news).toEqual([{ parts: [], isOver: true }]);
  });

  test('of a server that is not reached is asked for again until it is', async () => {
    const { opened, news } = follow(() => Promise.reject(new TypeError('Failed to fetch')));
    for (const at of [0, 1, 2]) {
      opened[at]?.fail(2);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(opened).toHaveLength(4);
    expect(news).toEqual([]);
  });

  test('that is closed while it waits is not opened again', async () => {
    const { stream, opened, news } = follow(() => Promise.resolve(404));
    opened[0]?.fail(2);
    stream.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toHaveLength(1);
    expect(news).toEqual([]);
  });
});
