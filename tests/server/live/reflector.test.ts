import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import type { KubeRequest, Transport } from '../../../src/server/clusters/transport.ts';
import { intakePatience } from '../../../src/server/live/source/intake.ts';
import { reflectorLimits } from '../../../src/server/live/source/limits.ts';
import type { Reflector } from '../../../src/server/live/source/reflector.ts';
import { startReflector } from './reflector-harness.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import {
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  type ScriptedTransport,
  silence,
} from './script-transport.ts';

let clock: FakeClock;
let cluster: ScriptedTransport;
let reflector: Reflector;
let changes: string[];
let states: string[];
let names: () => string[];
let status: ReturnType<typeof startReflector>['status'];

function start(transport: () => Promise<Transport> = () => Promise.resolve(cluster)): void {
  ({ reflector, changes, states, names, status } = startReflector(clock, transport));
}

const query = (request: KubeRequest | undefined) => request?.query ?? {};
const event = (type: string, object: object) => ({ type, object });

beforeEach(() => {
  clock = createFakeClock();
  cluster = createScriptedTransport();
});
afterEach(() => reflector.dispose());

describe('time alone', () => {
  test('makes trouble of a pod that starts, once, without a word of the cluster, and of no other', async () => {
    const creating = (name: string) => ({
      ...podOf(name, '1'),
      status: {
        phase: 'Pending',
        startTime: '2026-01-01T00:00:00Z',
        containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    });
    cluster.onList = () => listOf('7', [creating('slow'), creating('gone'), podOf('well', '1')]);
    start();
    await clock.advance(10_000);
    cluster.watchOf('/api/v1/pods').say(event('DELETED', creating('gone')));
    await clock.advance(109_000);
    expect(status('slow')).toEqual(['ContainerCreating', 'info']);
    changes.length = 0;
    await clock.advance(2_000);
    expect(status('slow')).toEqual(['ContainerCreating', 'warn']);
    expect(changes).toEqual(['~slow']);
  });
});

describe('listing', () => {
  test('reads pages of 500 and watches from the first page’s version', async () => {
    cluster.onList = ({ query }) =>
      query?.['continue'] === undefined
        ? listOf('7', [podOf('a', '1')], 'next')
        : listOf('9', [podOf('b', '2')]);
    start();
    await settle();
    expect(cluster.requests.map(({ query }) => query)).toMatchObject([
      { limit: 500, continue: undefined },
      { limit: 500, continue: 'next' },
      { watch: true, allowWatchBookmarks: true, resourceVersion: '7', timeoutSeconds: 300 },
    ]);
    expect(names()).toEqual(['a', 'b']);
    expect(states).toEqual(['loading', 'live']);
  });

  test('a page token that expires begins the list anew, and the fourth time asks for all that may be held at once', async () => {
    cluster.onList = ({ query }) => {
      if (query?.['limit'] === reflectorLimits.objects)
        return listOf('5', [podOf('a', '1'), podOf('b', '2')]);
      if (query?.['continue'] === undefined) return listOf('4', [podOf('a', '1')], 'next');
      throw refusal(410, { reason: 'Expired' });
    };
    start();
    await settle();
    expect(names()).toEqual(['a', 'b']);
    expect(cluster.calls).toEqual([...Array.from({ length: 7 }, () => 'list'), 'watch']);
  });

  test('a page that never ends is given up after a minute', async () => {
    cluster.onList = ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    start();
    await clock.advance(60_000);
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      attempt: 1,
      message: 'prod did not finish a list within 60 seconds.',
    });
  });

  test('a list that fails half way changes nothing', async () => {
    cluster.onList = () => listOf('1', [podOf('a', '1')]);
    start();
    await settle();
    cluster.onList = ({ query }) => {
      if (query?.['continue'] === undefined) return listOf('9', [podOf('z', '8')], 'next');
      throw refusal(500);
    };
    cluster.lastWatch.say(event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }));
    await settle();
    expect(names()).toEqual(['a']);
    expect(changes).toEqual(['+a']);
  });

  test('something that is no list is a failure, not an empty list', async () => {
    cluster.onList = () => ({ items: 'none' }) as never;
    start();
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      message: 'prod answered with something that is not a list.',
    });
  });

  test('an answer that comes after a failure of our own directory is met later', async () => {
    let fails = true;
    start(() =>
      fails
        ? Promise.reject(new Problem({ status: 503, title: 'The credential cannot be opened.' }))
        : Promise.resolve(cluster),
    );
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      message: 'The credential cannot be opened.',
    });
    fails = false;
    await clock.advance(1_000);
    expect(reflector.state.status).toBe('live');
  });
});

describe('watching', () => {
  beforeEach(async () => {
    cluster.onList = () => listOf('10', [podOf('a', '1'), podOf('b', '2')]);
    start();
    await settle();
    changes.length = 0;
  });

  test('applies events by uid and resumes from the last version, bookmarks included', async () => {
    cluster.lastWatch.say(event('ADDED', podOf('c', '11')));
    cluster.lastWatch.say(event('MODIFIED', podOf('a', '12', 'Failed')));
    cluster.lastWatch.say(event('DELETED', podOf('b', '13')));
    cluster.lastWatch.say(event('BOOKMARK', { metadata: { resourceVersion: 'opaque-14' } }));
    await clock.advance(intakePatience);
    expect(changes).toEqual(['+c', '~a', '-b']);
    await clock.advance(10_000);
    cluster.lastWatch.end();
    await settle();
    expect(cluster.calls).toEqual(['list', 'watch', 'watch']);
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('opaque-14');
    expect(states).toEqual(['loading', 'live']);
  });

  test.each([
    ['ends', () => cluster.lastWatch.end()],
    ['breaks', () => cluster.lastWatch.fail(new Error('reset'))],
  ])(
    'what waits when the stream %s is read, and its version is where the next begins',
    async (_how, over) => {
      cluster.lastWatch.say(event('ADDED', podOf('c', '11')));
      cluster.lastWatch.say(event('DELETED', podOf('b', '12')));
      over();
      await clock.advance(10_000);
      expect(changes).toEqual(['+c', '-b']);
      expect(cluster.calls).toEqual(['list', 'watch', 'watch']);
      expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('12');
    },
  );

  test('an error that waits behind other lines ends the watch when it is read', async () => {
    cluster.onList = () => listOf('20', [podOf('a', '1'), podOf('c', '19')]);
    cluster.lastWatch.say(event('ADDED', podOf('c', '11')));
    cluster.lastWatch.say(event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }));
    cluster.lastWatch.say(event('ADDED', podOf('never', '12')));
    await clock.advance(intakePatience);
    expect(changes).toEqual(['+c', '-b']);
    expect(cluster.calls).toEqual(['list', 'watch', 'list', 'watch']);
  });

  test('a heartbeat that changes no cell is no change, but moves the version', async () => {
    const beat = podOf('a', '11');
    beat.metadata.annotations = { beat: '2' };
    cluster.lastWatch.say(event('MODIFIED', beat));
    await settle();
    expect(changes).toEqual([]);
    expect(reflector.entries.get('uid-a')?.version).toBe('11');
  });

  test('an in-stream 410 lists again, and only real differences are changes', async () => {
    cluster.onList = () => listOf('20', [podOf('a', '1'), podOf('c', '19')]);
    cluster.lastWatch.say(
      event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }),
    );
    await settle();
    expect(changes).toEqual(['-b', '+c']);
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('20');
    expect(states).toEqual(['loading', 'live']);
  });

  test('an HTTP 410 on the watch lists again', async () => {
    cluster.onWatch = ({ query }) => {
      if (query?.['resourceVersion'] === '10') throw refusal(410, { reason: 'Gone' });
    };
    cluster.onList = () => listOf('30', []);
    cluster.lastWatch.end();
    await clock.advance(1_000);
    expect(names()).toEqual([]);
    expect(reflector.state.status).toBe('live');
  });

  test('a version that is always too old is not asked for in a tight loop', async () => {
    cluster.onWatch = () => {
      throw refusal(410, { reason: 'Expired' });
    };
    cluster.lastWatch.say(event('ERROR', { kind: 'Status', code: 410 }));
    await clock.advance(60_000);
    const lists = cluster.calls.filter((call) => call === 'list').length;
    expect(lists).toBeGreaterThan(3);
    expect(lists).toBeLessThan(15);
    expect(reflector.state.status).toBe('stale');
  });

  test('a dropped connection that is back within a second is not mentioned, and needs no new list', async () => {
    cluster.lastWatch.fail(new Error('socket hang up'));
    await clock.advance(250 + reflectorLimits.proof);
    expect(states).toEqual(['loading', 'live']);
    expect(cluster.calls).toEqual(['list', 'watch', 'watch']);
    await clock.advance(2 * reflectorLimits.renewal);
    expect(states).toEqual(['loading', 'live']);
  });

  test('a dropped connection whose next watch fails as well is reconnecting at once', async () => {
    const dropped = clock.now();
    cluster.onWatch = () => {
      throw silence();
    };
    cluster.lastWatch.fail(new Error('socket hang up'));
    await clock.advance(250);
    expect(reflector.state).toEqual({
      status: 'reconnecting',
      since: new Date(dropped).toISOString(),
      attempt: 2,
      message: 'prod refused the connection.',
    });
  });

  test('a dropped connection is reconnecting after a second in which no watch was opened', async () => {
    cluster.stream = () => new Promise(() => {});
    cluster.lastWatch.fail(new Error('socket hang up'));
    await clock.advance(reflectorLimits.renewal + 1);
    expect(reflector.state).toMatchObject({
      status: 'reconnecting',
      message: 'The connection to prod was lost; reconnecting.',
    });
  });

  test.each(['ends', 'breaks'])(
    'a watch that a proxy %s every five seconds changes no state',
    async (how) => {
      for (let round = 1; round <= 20; round += 1) {
        await clock.advance(4_600);
        if (how === 'ends') cluster.lastWatch.end();
        else cluster.lastWatch.fail(new Error('socket hang up'));
        await clock.advance(400);
        expect(cluster.calls.length).toBe(2 + round);
      }
      expect(states).toEqual(['loading', 'live']);
      expect(cluster.calls.filter((call) => call === 'list')).toHaveLength(1);
    },
  );

  test('a resumed watch is live once it brought what was missed, not when it opens', async () => {
    let refusals = 1;
    cluster.onWatch = () => {
      refusals -= 1;
      if (refusals >= 0) throw refusal(503);
    };
    cluster.lastWatch.fail(new Error('socket hang up'));
    await clock.advance(750);
    expect(cluster.calls).toEqual(['list', 'watch', 'watch', 'watch']);
    expect(reflector.state.status).toBe('reconnecting');
    cluster.lastWatch.say(event('ADDED', podOf('c', '11')));
    cluster.lastWatch.say(event('DELETED', podOf('b', '12')));
    await clock.advance(reflectorLimits.proof);
    expect(changes).toEqual(['+c', '-b']);
    expect(reflector.state.status).toBe('live');
  });

  test('a resumed watch whose version is too old is never called live before the new list', async () => {
    cluster.lastWatch.fail(new Error('socket hang up'));
    await clock.advance(250);
    const list = Promise.withResolvers<ReturnType<typeof listOf>>();
    cluster.onList = () => list.promise;
    cluster.lastWatch.say(event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' }));
    await clock.advance(2_000);
    expect(states).toEqual(['loading', 'live', 'reconnecting']);
    list.resolve(listOf('30', [podOf('z', '29')]));
    await settle();
    expect(names()).toEqual(['z']);
    expect(states).toEqual(['loading', 'live', 'reconnecting', 'live']);
  });

  test('half a line is a broken connection, not an event', async () => {
    cluster.lastWatch.say('{"type":"ADDED","object":{"metada');
    cluster.lastWatch.end();
    await settle();
    expect(changes).toEqual([]);
    expect(cluster.lastWatch.isClosed).toBe(true);
    await clock.advance(250 + reflectorLimits.proof);
    expect(reflector.state.status).toBe('live');
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('10');
  });

  test('silence for 90 s is a dead stream: rows are as old as the last word', async () => {
    await clock.advance(30_000);
    const heard = clock.now();
    cluster.lastWatch.say(event('BOOKMARK', { metadata: { resourceVersion: '11' } }));
    await clock.advance(89_000);
    expect(reflector.state.status).toBe('live');
    const silent = cluster.lastWatch;
    await clock.advance(1_050);
    expect(silent.isClosed).toBe(true);
    expect(reflector.state).toMatchObject({ status: 'reconnecting', since: new Date(heard).toISOString() });
    await clock.advance(1_000);
    expect(reflector.state.status).toBe('live');
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('11');
  });

  test('reconnecting turns into stale after 15 s without a watch, and live when it is back', async () => {
    cluster.onWatch = () => {
      throw silence();
    };
    const lost = clock.now();
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(14_900);
    expect(reflector.state.status).toBe('reconnecting');
    await clock.advance(400);
    expect(reflector.state).toMatchObject({
      status: 'stale',
      message: 'prod refused the connection.',
    });
    expect(Date.parse(reflector.state.since)).toBeGreaterThanOrEqual(lost);
    cluster.onWatch = () => {};
    await clock.advance(30_000);
    expect(reflector.state.status).toBe('live');
    expect(states).toEqual(['loading', 'live', 'reconnecting', 'stale', 'live']);
  });

  test('a cluster that gave no answer in between is listed again: it may be another, or restored', async () => {
    const away = () => {
      throw silence();
    };
    cluster.onWatch = away;
    cluster.onList = away;
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(5_000);
    cluster.onWatch = () => {};
    cluster.onList = () => listOf('3', [podOf('a', '1'), podOf('n', '2')]);
    await clock.advance(30_000);
    expect(names()).toEqual(['a', 'n']);
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('3');
    expect(reflector.state.status).toBe('live');
  });

  test('a list that is read but whose watch never opens is read every 30 s in the end', async () => {
    cluster.onWatch = () => {
      throw silence();
    };
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(60_000);
    const before = cluster.calls.filter((call) => call === 'list').length;
    await clock.advance(60_000);
    expect(cluster.calls.filter((call) => call === 'list').length - before).toBe(2);
  });

  test('backoff grows to 30 s and never beyond', async () => {
    cluster.onWatch = cluster.onList = () => {
      throw silence();
    };
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(600_000);
    const tries = cluster.calls.length;
    await clock.advance(300_000);
    expect(cluster.calls.length - tries).toBeGreaterThanOrEqual(10);
    expect(cluster.calls.length - tries).toBeLessThanOrEqual(20);
  });

  test('watches that open and bring nothing usable end in a new list', async () => {
    for (let round = 0; round < reflectorLimits.resumeTries; round += 1) {
      cluster.lastWatch.say('not json');
      await clock.advance(4_500);
    }
    const watches = Array.from({ length: reflectorLimits.resumeTries }, () => 'watch');
    expect(cluster.calls).toEqual(['list', ...watches, 'list', 'watch']);
  });

  test('a watch that ends at once is not reopened in a tight loop', async () => {
    cluster.lastWatch.end();
    await settle();
    expect(cluster.calls).toEqual(['list', 'watch']);
    await clock.advance(250);
    expect(cluster.calls).toEqual(['list', 'watch', 'watch']);
  });

  test('a list whose watch is not answered is shown as read every 30 s, and live once the watch is', async () => {
    cluster.lastWatch.end();
    const open = cluster.stream.bind(cluster);
    let answer: (() => void) | undefined;
    cluster.stream = (request) =>
      new Promise((resolve) => {
        answer = () => resolve(open(request));
      });
    let version = 40;
    cluster.onList = () => listOf(String((version += 1)), [podOf(`z${version}`, '39')]);
    await clock.advance(2 * reflectorLimits.withheld + 1_000);
    for (let round = 0; round < 3; round += 1) {
      expect(names()).toEqual([`z${version}`]);
      expect(reflector.state).toMatchObject({
        status: 'polled',
        message: expect.stringMatching(/^prod does not answer watches of pods, .* every 30 seconds\.$/),
      });
      await clock.advance(reflectorLimits.polled);
    }
    answer?.();
    await clock.advance(reflectorLimits.proof);
    expect(reflector.state.status).toBe('live');
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe(String(version));
    expect(states).toEqual(['loading', 'live', 'reconnecting', 'polled', 'live']);
  });

  test('an error that is no 410 resumes from the last version', async () => {
    cluster.lastWatch.say(event('ERROR', { kind: 'Status', code: 500, message: 'etcd is away' }));
    await settle();
    expect(reflector.state).toMatchObject({ status: 'reconnecting', message: 'prod: etcd is away' });
    await clock.advance(250 + reflectorLimits.proof);
    expect(cluster.calls).toEqual(['list', 'watch', 'watch']);
    expect(reflector.state.status).toBe('live');
  });

  test.each([
    [403, "This console's credential can list but not watch pods in prod"],
    [405, 'prod does not support watching pods'],
  ])(
    'a list whose watch is refused with %i is read every 30 s, says so, and is never called stale',
    async (status, why) => {
      cluster.onWatch = () => {
        throw refusal(status);
      };
      await clock.advance(10_000);
      cluster.lastWatch.end();
      await settle();
      for (let round = 0; round < 5; round += 1) {
        expect(reflector.state).toEqual({
          status: 'polled',
          since: new Date(clock.now()).toISOString(),
          message: `${why}; the list is refreshed every 30 seconds.`,
        });
        cluster.onList = () => listOf('40', [podOf(`z${round}`, '39')]);
        await clock.advance(30_000);
        expect(names()).toEqual([`z${round}`]);
      }
      expect(states).toEqual(['loading', 'live', 'polled']);
      cluster.onWatch = () => {};
      await clock.advance(30_000);
      expect(reflector.state.status).toBe('live');
    },
  );

  test('a new credential lists again and only differences are changes', async () => {
    cluster.credential = 'second';
    cluster.onList = () => listOf('3', [podOf('a', '1'), podOf('n', '2')]);
    reflector.restart();
    expect(reflector.state.status).toBe('reconnecting');
    await settle();
    expect(changes).toEqual(['-b', '+n']);
    expect(reflector.state.status).toBe('live');
    expect(query(cluster.lastWatch.request)['resourceVersion']).toBe('3');
  });

  test('a credential that changed unnoticed never resumes from the other cluster’s version', async () => {
    cluster.credential = 'second';
    cluster.lastWatch.fail(new Error('reset'));
    await clock.advance(250);
    expect(cluster.calls).toEqual(['list', 'watch', 'list', 'watch']);
  });

  test('disposing closes the stream and leaves no timer', async () => {
    const last = cluster.lastWatch;
    reflector.dispose();
    await settle();
    expect(last.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
    await clock.advance(600_000);
    expect(cluster.calls).toEqual(['list', 'watch']);
  });
});
