import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PingOptions } from '../../../src/server/clusters/transport.ts';
import { logSilences } from '../../../src/server/live/source/silence-log.ts';
import { createPulse, type Pulse, pulseLimits } from '../../../src/server/live/source/pulse.ts';
import { startReflector, type WatchedReflector } from './reflector-harness.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import {
  createScriptedTransport,
  listOf,
  podOf,
  type ScriptedTransport,
  silence,
} from './script-transport.ts';

let clock: FakeClock;
let cluster: ScriptedTransport;
let pulse: Pulse;
let told: string[];

const { quiet, patience, readiness } = pulseLimits;

/** A cluster that takes questions and answers none, like a process that was stopped. */
const frozen = ({ signal }: PingOptions) =>
  new Promise<number>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')));
  });
const refused = () => {
  throw silence();
};

beforeEach(() => {
  clock = createFakeClock();
  cluster = createScriptedTransport();
  pulse = createPulse({ name: () => 'prod', transport: () => Promise.resolve(cluster), clock });
  told = [];
  pulse.follow({
    silent: ({ message }) => told.push(message),
    back: (how) => told.push(`back ${how}`),
  });
});
afterEach(() => pulse.dispose());

describe('the pulse of a cluster', () => {
  test('a cluster that no longer answers is one line of the log, and one when it does again', async () => {
    const lines: string[] = [];
    logSilences(pulse, {
      warn: (_fields: object, text: string) => lines.push(text),
      info: (text: string) => lines.push(text),
    } as never);
    pulse.look();
    await clock.advance(quiet);
    cluster.onPing = refused;
    pulse.doubt();
    await clock.advance(60_000);
    cluster.onPing = () => 200;
    await clock.advance(60_000);
    expect(lines).toEqual(['A cluster does not answer', 'A cluster answers again']);
  });

  test('a cluster is not asked while no page is open', async () => {
    await clock.advance(60_000);
    const leave = pulse.look();
    await settle();
    leave();
    await clock.advance(60_000);
    expect(cluster.pings).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('a watched cluster is asked after 5 s without a word of it, and not while it speaks', async () => {
    pulse.look();
    await clock.advance(quiet * 3);
    expect(cluster.pings).toHaveLength(4);
    for (let second = 0; second < 20; second += 1) {
      pulse.hear();
      await clock.advance(1_000);
    }
    expect(cluster.pings).toHaveLength(4);
    expect(cluster.pings.every(({ isFresh }) => !isFresh)).toBe(true);
  });

  test('says every 5 s when the cluster was last heard of', async () => {
    const heard: number[] = [];
    pulse.follow({ heard: (at) => heard.push(clock.now() - at) });
    pulse.look();
    await settle();
    for (let tenth = 0; tenth < 200; tenth += 1) {
      pulse.hear();
      await clock.advance(100);
    }
    expect(heard.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...heard)).toBeLessThanOrEqual(100);
  });

  test('a frozen cluster is silent within 10 s of its last word, since that word', async () => {
    pulse.look();
    await settle();
    await clock.advance(2_000);
    pulse.hear();
    const last = clock.now();
    cluster.onPing = frozen;
    await clock.advance(10_000);
    expect(pulse.silence).toEqual({ since: last, message: 'prod is unreachable.' });
    expect(told).toEqual(['back same', 'prod is unreachable.']);
  });

  test('a cluster that thaws goes on over the same connection', async () => {
    pulse.look();
    await settle();
    let thaw: (status: number) => void = () => {};
    cluster.onPing = (options) =>
      options.isFresh
        ? frozen(options)
        : new Promise((resolve) => {
            thaw = resolve;
          });
    await clock.advance(30_000);
    thaw(200);
    await settle();
    expect(told).toEqual(['back same', 'prod is unreachable.', 'back same']);
    expect(pulse.silence).toBeUndefined();
    expect(cluster.renewals).toBe(0);
  });

  test('a word on a watch ends a silence as well', async () => {
    pulse.look();
    await settle();
    cluster.onPing = frozen;
    await clock.advance(10_000);
    pulse.hear();
    expect(pulse.silence).toBeUndefined();
    expect(told.at(-1)).toBe('back same');
  });

  test('an answer over another connection closes the old ones before pages are notified', async () => {
    pulse.look();
    await settle();
    cluster.onPing = frozen;
    await clock.advance(20_000);
    let renewed = -1;
    pulse.follow({ back: () => (renewed = cluster.renewals) });
    cluster.onPing = (options) => (options.isFresh ? 200 : frozen(options));
    await clock.advance(patience);
    expect(told.at(-1)).toBe('back anew');
    expect(renewed).toBe(1);
  });

  test.each([
    ['freezes', frozen],
    ['refuses', refused],
  ])(
    'a cluster that %s is asked again with pauses of 3 s at most, however long it lasts',
    async (_how, answer) => {
      pulse.look();
      await settle();
      cluster.onPing = answer;
      await clock.advance(600_000);
      const before = cluster.pings.length;
      await clock.advance(60_000);
      const asked = cluster.pings.length - before;
      expect(asked).toBeGreaterThanOrEqual(20);
      expect(asked).toBeLessThanOrEqual(40);
      cluster.onPing = () => 200;
      await clock.advance(patience);
      expect(told.at(-1)).toBe('back anew');
    },
  );

  test('a failure elsewhere has the cluster asked at once, but not more than once a second', async () => {
    pulse.look();
    await clock.advance(2_000);
    for (let index = 0; index < 50; index += 1) pulse.doubt();
    await clock.advance(0);
    expect(cluster.pings).toHaveLength(2);
    for (let index = 0; index < 50; index += 1) pulse.doubt();
    await clock.advance(999);
    expect(cluster.pings).toHaveLength(2);
    await clock.advance(1);
    expect(cluster.pings).toHaveLength(3);
  });

  test('a connection that broke alone is no silence', async () => {
    pulse.look();
    await clock.advance(2_000);
    cluster.onPing = ({ isFresh }) => (isFresh ? 200 : refused());
    pulse.doubt();
    await clock.advance(1_000);
    expect(told).toEqual(['back same']);
  });

  test('a cluster that starts is back once it is ready, or after 10 s of saying that it is not', async () => {
    pulse.look();
    await settle();
    cluster.onPing = refused;
    await clock.advance(10_000);
    cluster.onPing = () => 500;
    await clock.advance(readiness - 3_000);
    expect(told.at(-1)).toBe('prod is starting and not ready yet (500).');
    cluster.onPing = () => 200;
    await clock.advance(3_000);
    expect(told.at(-1)).toBe('back anew');

    cluster.onPing = refused;
    await clock.advance(20_000);
    cluster.onPing = () => 500;
    await clock.advance(readiness + 6_000);
    expect(told.at(-1)).toBe('back anew');
    // Whoever could not read it meanwhile tries again when it becomes ready.
    cluster.onPing = () => 200;
    await clock.advance(quiet);
    expect(told.at(-1)).toBe('back same');
  });
});

describe('a list of a cluster that is looked at', () => {
  let pods: WatchedReflector;

  beforeEach(async () => {
    cluster.onList = () => listOf('10', [podOf('a', '1')]);
    pods = startReflector(clock, () => Promise.resolve(cluster), undefined, pulse);
    pulse.look();
    await settle();
  });
  afterEach(() => pods.reflector.dispose());

  test('is silent while the cluster is frozen, and live again when it thaws, without another list', async () => {
    const last = clock.now();
    cluster.onPing = frozen;
    await clock.advance(10_000);
    expect(pods.reflector.state).toEqual({
      status: 'silent',
      since: new Date(last).toISOString(),
      message: 'prod is unreachable.',
    });
    cluster.lastWatch.say({ type: 'ADDED', object: podOf('b', '11') });
    await clock.advance(500);
    expect(pods.names()).toEqual(['a', 'b']);
    expect(pods.states).toEqual(['loading', 'live', 'silent', 'live']);
    expect(cluster.calls).toEqual(['list', 'watch']);
  });

  test('is read anew when the cluster answers over another connection; the open watch is given up', async () => {
    cluster.onPing = frozen;
    await clock.advance(60_000);
    const dead = cluster.lastWatch;
    cluster.onList = () => listOf('3', [podOf('z', '2')]);
    cluster.onPing = (options) => (options.isFresh ? 200 : frozen(options));
    await clock.advance(patience);
    expect(dead.isClosed).toBe(true);
    expect(pods.names()).toEqual(['z']);
    expect(pods.states).toEqual(['loading', 'live', 'silent', 'reconnecting', 'live']);
  });

  test('is live within 5 s after an outage of any length, and asks for nothing meanwhile', async () => {
    for (const outage of [1_000, 20_000, 70_000, 600_000]) {
      cluster.onPing = cluster.onList = cluster.onWatch = refused;
      cluster.lastWatch.fail(new Error('reset'));
      await clock.advance(3_000);
      const before = cluster.calls.length;
      await clock.advance(outage);
      // A safety net of its own every 30 s; the pulse does the rest.
      expect(cluster.calls.length - before).toBeLessThanOrEqual(1 + outage / 15_000);
      const name = `after-${outage}`;
      cluster.onPing = () => 200;
      cluster.onList = () => listOf('3', [podOf(name, '2')]);
      cluster.onWatch = () => {};
      await clock.advance(3_000);
      expect(pods.reflector.state.status).toBe('live');
      expect(pods.names()).toEqual([name]);
      await clock.advance(6_000);
    }
  });

  test('says what keeps the cluster from answering as soon as that is known', async () => {
    cluster.onPing = frozen;
    await clock.advance(20_000);
    cluster.onPing = cluster.onList = cluster.onWatch = refused;
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(4_000);
    expect(pods.reflector.state).toMatchObject({ status: 'stale', message: 'prod refused the connection.' });
  });

  test('that has no answer to its first list is unreachable when the cluster does not answer either', async () => {
    const other = startReflector(clock, () => Promise.resolve(cluster), undefined, pulse);
    cluster.onPing = frozen;
    cluster.onList = () => new Promise(() => {});
    other.reflector.restart();
    await clock.advance(10_000);
    expect(other.reflector.state).toMatchObject({
      status: 'unreachable',
      message: 'prod is unreachable.',
    });
    other.reflector.dispose();
  });
});
