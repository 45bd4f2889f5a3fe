import { describe, expect, test } from 'vitest';
import type { ClientMessage, ServerMessage } from '../../src/contract/live.ts';
import { beatInterval, liveClose, liveProtocol } from '../../src/contract/live-socket.ts';
import { firstId } from '../../src/web/data/live/first-message.ts';
import { backoff } from '../../src/web/data/socket/backoff.ts';
import { wakeOn } from '../../src/web/data/live/wake.ts';
import { createLive } from '../../src/web/data/live/live.ts';
import type { SocketEvents } from '../../src/web/data/socket/socket.ts';
import { type LiveObject, unknownObject } from '../../src/web/data/live/object.ts';
import { type LiveList, recalledList } from '../../src/web/data/live/rows.ts';
import type { LiveData, ListTarget, Target } from '../../src/web/data/live/targets.ts';

interface Line {
  readonly events: SocketEvents;
  readonly sent: ClientMessage[];
  isClosed: boolean;
}

/** A live client on a clock and lines of the test's own. */
function world(build = 'b1', asked?: ClientMessage) {
  let now = 1_000_000;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const lines: Line[] = [];
  let early = asked;
  const heard: (readonly [Target, LiveData])[][] = [];
  /** The uids of the first list of each, as they were handed on: its rows change later. */
  const uids: (readonly string[])[] = [];
  const told = { grants: 0, account: 0, signedOut: 0 };
  /** Reasons to read something again, in order. */
  const reread: string[] = [];
  const live = createLive({
    connect: (events) => {
      const line: Line = { events, sent: [], isClosed: false };
      lines.push(line);
      return {
        send: (text) => line.sent.push(JSON.parse(String(text)) as ClientMessage),
        close: () => {
          line.isClosed = true;
        },
        asked: () => {
          const text = early === undefined ? undefined : JSON.stringify(early);
          early = undefined;
          return text;
        },
      };
    },
    now: () => now,
    random: () => 1,
    later: (run, ms) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        if (at >= 0) timers.splice(at, 1);
      };
    },
    build,
    onChanged: (lists) => {
      heard.push([...lists]);
      uids.push([...(rowsOf(lists[0]?.[1])?.values() ?? [])].map(([uid]) => uid));
    },
    onJobs: (clusterId) => reread.push(`jobs ${clusterId}`),
    onPreferences: () => reread.push('preferences'),
    onNotifications: () => reread.push('notifications'),
    onAccount: () => {
      reread.push('account');
      told.account += 1;
    },
    onGrants: () => {
      reread.push('grants');
      told.grants += 1;
    },
    onSignedOut: () => {
      told.signedOut += 1;
    },
  });
  const pass = (ms: number) => {
    const end = now + ms;
    for (;;) {
      const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      now = Math.max(now, next.at);
      next.run();
    }
    now = end;
  };
  const last = () => {
    const line = lines.at(-1);
    if (line === undefined) throw new Error('no line was opened');
    return line;
  };
  /** A message, and the task after it. */
  const say = (message: ServerMessage) => {
    last().events.onMessage(JSON.stringify(message));
    pass(0);
  };
  const hello = (serverBuild = 'b1') => {
    last().events.onOpen();
    say({
      type: 'hello',
      protocol: liveProtocol,
      build: serverBuild,
      columns: { pod: ['name'] },
      now: new Date(now).toISOString(),
    });
  };
  const subscribes = () => last().sent.filter((message) => message.type === 'subscribe');
  const rows = (id: number, seq: number, uid: string) =>
    say({ type: 'snapshot', id, seq, reset: true, done: true, rows: [[uid, [uid]]] });
  return { live, lines, heard, uids, told, reread, pass, last, say, hello, subscribes, rows };
}
const rowsOf = (data: LiveData | undefined) => (data as LiveList | undefined)?.rows;
const pods: ListTarget = { clusterId: 1, kind: 'pod' };

describe('the live line', () => {
  test('opens with the first list and asks for it after the greeting', () => {
    const { live, lines, hello, subscribes } = world();
    expect(lines).toHaveLength(0);
    live.follow(pods);
    live.follow({ clusterId: 1, kind: 'pod', namespace: 'shop' });
    expect(lines).toHaveLength(1);
    hello();
    expect(subscribes()).toMatchObject([{ clusterId: 1, kind: 'pod' }, { namespace: 'shop' }]);
  });

  test('knows since when the server has no database, by its own clock, until it hears otherwise', () => {
    const { live, hello, say } = world();
    live.open();
    hello();
    const since = Date.now();
    say({ type: 'store', awaySince: new Date(since).toISOString() });
    expect(live.connection.get().storeAwaySince).toBe(since - live.connection.get().skew);
    say({ type: 'store', awaySince: null });
    expect(live.connection.get().storeAwaySince).toBeUndefined();
    say({ type: 'store', awaySince: new Date(since).toISOString() });
    hello();
    expect(live.connection.get().storeAwaySince).toBeUndefined();
  });

  test('a list that was asked for before the line had anybody is not asked for again', () => {
    const early = { type: 'subscribe', id: firstId, clusterId: 1, kind: 'pod' } as const;
    const { live, hello, say, uids, lines } = world('b1', early);
    live.ahead(pods);
    hello();
    expect(lines[0]?.sent).toEqual([]);
    say({ type: 'snapshot', id: firstId, seq: 1, reset: true, done: true, rows: [['a', ['a']]] });
    expect(uids).toEqual([['a']]);
  });

  test('another list than was asked for before the line had anybody is asked for in its place', () => {
    const early = { type: 'subscribe', id: firstId, clusterId: 1, kind: 'node' } as const;
    const { live, hello, say, heard, lines } = world('b1', early);
    live.follow(pods);
    hello();
    expect(lines[0]?.sent).toMatchObject([
      { type: 'unsubscribe', id: firstId },
      { id: 1, kind: 'pod' },
    ]);
    say({ type: 'snapshot', id: firstId, seq: 1, reset: true, done: true, rows: [['n', ['n']]] });
    expect(heard).toEqual([]);
  });

  test('an early subscription without a view is ended, and opened again when a view needs it', () => {
    const early = { type: 'subscribe', id: firstId, clusterId: 1, kind: 'pod' } as const;
    const { live, hello, lines } = world('b1', early);
    live.open();
    hello();
    live.follow(pods);
    expect(lines[0]?.sent).toMatchObject([
      { type: 'unsubscribe', id: firstId },
      { type: 'subscribe', id: 1, kind: 'pod' },
    ]);
  });

  test('a kind without an end is asked for by its window', () => {
    const { live, hello, subscribes } = world();
    live.follow({ clusterId: 1, kind: 'event', window: { sort: '-last', limit: 500 } });
    hello();
    expect(subscribes()).toMatchObject([{ kind: 'event', sort: '-last', limit: 500 }]);
  });

  test('the first rows of a long list are drawn before the others are read', () => {
    const { live, hello, say, uids, pass } = world();
    live.follow(pods);
    hello();
    say({ type: 'snapshot', id: 1, seq: 1, reset: true, done: false, rows: [['a', ['a']]] });
    say({ type: 'snapshot', id: 1, seq: 2, reset: false, done: true, rows: [['b', ['b']]] });
    say({ type: 'changes', id: 1, seq: 3, upserts: [], removes: ['a'] });
    expect(uids).toEqual([['a']]);
    pass(49);
    expect(uids).toEqual([['a']]);
    pass(1);
    expect(uids).toEqual([['a'], ['b']]);
  });

  test('rows change when they are handed on, not with each message', () => {
    const { live, hello, say, rows, heard, uids, pass } = world();
    live.follow(pods);
    hello();
    rows(1, 1, 'a');
    const list = heard[0]?.[0]?.[1] as LiveList;
    const change = (seq: number, uid: string) =>
      say({ type: 'changes', id: 1, seq, upserts: [[uid, [uid]]], removes: [] });
    change(2, 'b');
    change(3, 'c');
    expect([list.rows.size, list.rows.store.rows]).toEqual([1, list.rows]);
    pass(100);
    change(4, 'd');
    pass(100);
    expect(uids.map((known) => known.join(''))).toEqual(['a', 'abc', 'abcd']);
    expect(new Set(heard.map((lists) => rowsOf(lists[0]?.[1]))).size).toBe(3);
    expect(rowsOf(heard[2]?.[0]?.[1])?.store).toBe(list.rows.store);
  });

  test('messages from before a disconnect are handed on', () => {
    const { live, hello, say, rows, last, uids, pass } = world();
    live.follow(pods);
    hello();
    rows(1, 1, 'a');
    say({ type: 'changes', id: 1, seq: 2, upserts: [['b', ['b']]], removes: [] });
    last().events.onClose(1006);
    pass(500);
    hello();
    expect(uids.at(-1)).toEqual(['a', 'b']);
  });

  test('a page that gets more changes than it can draw draws fewer of them, not none', () => {
    const { live, hello, rows, say, uids, pass } = world();
    live.follow(pods);
    hello();
    rows(1, 1, 'a');
    for (let seq = 2; seq < 1_000; seq += 1) {
      say({ type: 'changes', id: 1, seq, upserts: [[`n${seq}`, []]], removes: [`n${seq - 1}`] });
      pass(1);
    }
    expect(uids.length).toBeGreaterThan(8);
    expect(uids.length).toBeLessThan(12);
  });

  test('a list subscribed ahead is taken over by its view, or ended after a while', () => {
    const { live, lines, hello, pass } = world();
    live.ahead(pods);
    hello();
    expect(lines[0]?.sent).toMatchObject([{ type: 'subscribe', kind: 'pod' }]);
    const end = live.follow(pods);
    pass(10_000);
    expect(live.isFollowed(pods)).toBe(true);
    end();
    expect(live.isFollowed(pods)).toBe(false);
    live.ahead(pods);
    pass(9_999);
    expect(live.isFollowed(pods)).toBe(true);
    pass(1);
    expect(live.isFollowed(pods)).toBe(false);
  });

  test('the same list is asked for once, however many look at it, and given up with the last', () => {
    const { live, hello, subscribes, last } = world();
    const one = live.follow(pods);
    hello();
    const two = live.follow(pods);
    expect(subscribes()).toHaveLength(1);
    one();
    one();
    expect(last().sent.some((message) => message.type === 'unsubscribe')).toBe(false);
    two();
    expect(last().sent.at(-1)).toMatchObject({ type: 'unsubscribe' });
    expect(live.isFollowed(pods)).toBe(false);
  });

  test('first rows are handed on at once, changes in batches', () => {
    const { live, hello, heard, rows, say, pass } = world();
    live.follow(pods);
    hello();
    rows(1, 1, 'a');
    expect(heard).toHaveLength(1);
    for (let seq = 2; seq < 12; seq += 1) {
      say({ type: 'changes', id: 1, seq, upserts: [['a', [String(seq)]]], removes: [] });
    }
    expect(heard).toHaveLength(1);
    pass(100);
    expect(heard).toHaveLength(2);
    expect(rowsOf(heard[1]?.[0]?.[1])?.get('a')?.[1]).toEqual(['11']);
  });

  test('the first change of a list after a quiet while is handed on at once, whatever else just changed', () => {
    const { live, hello, heard, rows, say, pass } = world();
    live.follow(pods);
    live.follow({ clusterId: 1, kind: 'service' });
    hello();
    rows(1, 1, 'a');
    rows(2, 1, 's');
    pass(100);
    const before = heard.length;
    const change = (id: number, seq: number, uid: string) =>
      say({ type: 'changes', id, seq, upserts: [[uid, ['changed']]], removes: [] });
    change(1, 2, 'a');
    pass(0);
    expect(heard.length - before).toBe(1);
    change(1, 3, 'a');
    change(2, 2, 's');
    pass(0);
    expect(heard.length - before).toBe(2);
    expect(heard.at(-1)).toHaveLength(2);
    change(2, 3, 's');
    pass(99);
    expect(heard.length - before).toBe(2);
    pass(1);
    expect(heard.length - before).toBe(3);
  });

  test('a missing message makes it ask again; what comes for the old number is not heard', () => {
    const { live, hello, rows, say, subscribes, uids, pass } = world();
    live.follow(pods);
    hello();
    rows(1, 1, 'a');
    say({ type: 'changes', id: 1, seq: 3, upserts: [], removes: ['a'] });
    expect(subscribes()).toHaveLength(2);
    say({ type: 'changes', id: 1, seq: 4, upserts: [], removes: ['a'] });
    rows(2, 1, 'b');
    pass(100);
    expect(uids.at(-1)).toEqual(['b']);
  });

  test('a broken line is tried again, later each time, and lists are asked for again', () => {
    const { live, lines, hello, subscribes, last, pass } = world();
    live.follow(pods);
    hello();
    last().events.onClose(1006);
    expect(live.connection.get()).toMatchObject({ phase: 'lost', attempt: 1 });
    pass(499);
    expect(lines).toHaveLength(1);
    pass(1);
    expect(lines).toHaveLength(2);
    last().events.onClose(1006);
    pass(999);
    expect(lines).toHaveLength(2);
    pass(1);
    expect(lines).toHaveLength(3);
    hello();
    expect(subscribes()).toHaveLength(1);
    expect(live.connection.get()).toMatchObject({ phase: 'open', attempt: 0 });
  });

  test('what was notified of while there was no line is read again with the next one', () => {
    const { live, reread, hello, last, pass } = world();
    live.follow(pods);
    hello();
    expect(reread).toEqual([]);
    last().events.onClose(1006);
    pass(500);
    hello();
    expect(reread).toEqual(['grants', 'account', 'preferences', 'notifications', `jobs ${pods.clusterId}`]);
  });

  test('a lost line is tried at once when somebody or the network comes back, any other is left alone', () => {
    const { live, lines, told, hello, last, pass } = world();
    live.wake();
    expect(lines).toHaveLength(0);
    live.follow(pods);
    live.wake();
    hello();
    live.wake();
    expect(lines).toHaveLength(1);
    last().events.onClose(1006);
    last().events.onClose(1006);
    live.wake();
    expect(lines).toHaveLength(2);
    // The try under way is the only one; the one planned before is called off.
    live.wake();
    pass(500);
    expect(lines).toHaveLength(2);
    hello();
    expect(live.connection.get()).toMatchObject({ phase: 'open', attempt: 0 });
    last().events.onClose(liveClose.signedOut);
    live.wake();
    expect(lines).toHaveLength(2);
    expect(told.signedOut).toBe(1);
  });

  test('waking is heard from the network, the window and the tab, when it comes to the front', () => {
    const page = Object.assign(new EventTarget(), { hidden: true });
    const frame = new EventTarget();
    let woken = 0;
    wakeOn(frame, page, () => {
      woken += 1;
    });
    page.dispatchEvent(new Event('visibilitychange'));
    expect(woken).toBe(0);
    page.hidden = false;
    page.dispatchEvent(new Event('visibilitychange'));
    for (const type of ['online', 'focus', 'pageshow']) frame.dispatchEvent(new Event(type));
    expect(woken).toBe(4);
  });

  test('data is stale while the connection is lost, or its subscription is behind', () => {
    const { live, hello, say, last, rows } = world();
    const state = (id: number, seq: number, status: 'live' | 'stale' | 'reconnecting') =>
      say({ type: 'state', id, seq, state: { status, since: new Date(0).toISOString() } });
    expect(live.isStale(1, 'pod')).toBe(false);
    live.follow(pods);
    expect(live.isStale(1, 'pod')).toBe(false);
    hello();
    rows(1, 1, 'a');
    state(1, 2, 'live');
    expect(live.isStale(1, 'pod')).toBe(false);
    for (const [index, status] of (['reconnecting', 'stale'] as const).entries()) {
      state(1, 3 + index, status);
      expect(live.isStale(1, 'pod')).toBe(true);
      expect(live.isStale(1, 'deployment')).toBe(false);
      expect(live.isStale(2, 'pod')).toBe(false);
    }
    state(1, 5, 'live');
    expect(live.isStale(1, 'pod')).toBe(false);
    const known: LiveObject = { ...unknownObject(new Date(0).toISOString()), complete: true };
    live.follow({ type: 'object', clusterId: 1, kind: 'node', name: 'n' }, { ...known, pausedAt: 'then' });
    expect(live.isStale(1, 'node')).toBe(true);
    live.follow({ type: 'dashboard', clusterId: 2 });
    state(3, 1, 'stale');
    expect(live.isStale(2, 'pod')).toBe(true);
    last().events.onClose(1006);
    expect(live.isStale(1, 'pod')).toBe(true);
  });

  test('rows of an earlier visit say as of when they are, and go with the first whole list', () => {
    const { live, hello, say, rows, uids, heard, pass } = world();
    const recall = (target: ListTarget) => {
      live.recall(target, recalledList([['kept', ['kept']]], 1_000));
      pass(0);
    };
    const newest = () => heard.at(-1)?.[0]?.[1];
    recall(pods);
    expect(heard).toEqual([]);
    live.follow(pods);
    recall(pods);
    expect(uids.at(-1)).toEqual(['kept']);
    expect(newest()).toMatchObject({ complete: true, pausedAt: new Date(1_000).toISOString() });
    hello();
    say({ type: 'snapshot', id: 1, seq: 1, reset: true, done: false, rows: [['a', ['a']]] });
    expect(uids.at(-1)).toEqual(['kept']);
    say({ type: 'snapshot', id: 1, seq: 2, reset: false, done: true, rows: [['b', ['b']]] });
    pass(1_000);
    expect(uids.at(-1)).toEqual(['a', 'b']);
    expect(newest()?.pausedAt).toBeUndefined();
    recall(pods);
    expect(uids.at(-1)).toEqual(['a', 'b']);
    // What has begun to arrive is newer.
    const services: ListTarget = { clusterId: 1, kind: 'service' };
    live.follow(services);
    rows(2, 1, 'c');
    const { length } = heard;
    recall(services);
    expect(heard).toHaveLength(length);
  });

  test('a line silent for two and a half beats is dead, one with beats is not', () => {
    const { live, lines, hello, say, pass } = world();
    live.follow(pods);
    hello();
    for (let beat = 0; beat < 5; beat += 1) {
      pass(beatInterval);
      say({ type: 'beat', now: new Date().toISOString() });
    }
    expect(lines[0]?.isClosed).toBe(false);
    pass(beatInterval * 2.5);
    expect(lines[0]?.isClosed).toBe(true);
    expect(live.connection.get().phase).toBe('lost');
  });

  test('the end of the session is reported, and the connection stays closed until it is opened again', () => {
    const { live, lines, told, hello, last, pass } = world();
    live.follow(pods);
    hello();
    last().events.onClose(liveClose.signedOut);
    pass(120_000);
    expect(told.signedOut).toBe(1);
    expect(lines).toHaveLength(1);
    // Somebody signed in again.
    live.open();
    expect(lines).toHaveLength(2);
  });

  test('another build on the server makes this page outdated; an unknown own build does not', () => {
    const known = world('b1');
    known.live.follow(pods);
    known.hello('b2');
    expect(known.live.connection.get().isOutdated).toBe(true);
    const unknown = world('');
    unknown.live.follow(pods);
    unknown.hello('b2');
    expect(unknown.live.connection.get().isOutdated).toBe(false);
  });

  test('changed grants are passed on, and retry asks at once', () => {
    const { live, told, hello, say, last } = world();
    live.follow(pods);
    hello();
    say({ type: 'grants' });
    expect(told.grants).toBe(1);
    say({ type: 'account' });
    expect(told.account).toBe(1);
    live.retry(pods);
    expect(last().sent.at(-1)).toEqual({ type: 'retry', id: 1 });
    say({ type: 'ended', id: 1, status: 403, title: 'No.' });
    live.retry(pods);
    expect(last().sent.at(-1)).toMatchObject({ type: 'subscribe', id: 2 });
  });
});

test('tries come later and later, at most 4 s apart, and never all at once', () => {
  expect([1, 2, 3, 4].map((attempt) => backoff(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
  expect(backoff(50, 1)).toBe(4_000);
  expect(backoff(50, 0)).toBe(2_000);
});
