import { describe, expect, test } from 'vitest';
import type { KubeRequest } from '../../../src/server/clusters/transport.ts';
import { type FollowQuery, followLog, logLimits, type LogOutcome } from '../../../src/server/logs/follow.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';
import { createScriptedTransport, refusal, silence } from '../live/script-transport.ts';

const path = '/api/v1/namespaces/shop/pods/a/log';

/** A log of the pod shop/a that is read from a cluster whose every answer the test decides. */
function reading(asked: Partial<FollowQuery>, status: object = {}, spec: object = {}) {
  const clock = createFakeClock();
  const transport = createScriptedTransport();
  const pod = {
    metadata: {},
    spec,
    status: { containerStatuses: [{ name: 'app', restartCount: 0, ...status }] },
  };
  transport.onList = () => pod;
  const ending = new AbortController();
  const lines: string[] = [];
  const states: string[] = [];
  const marks: string[] = [];
  let outcome: LogOutcome | undefined;
  void followLog(
    {
      namespace: 'shop',
      name: 'a',
      query: { previous: false, follow: false, ...asked },
      cluster: 'prod',
      transport: () => Promise.resolve(transport),
      clock,
      signal: ending.signal,
      onError: () => {},
    },
    {
      line: (time, text) => {
        lines.push(`${time.slice(17)} ${text}`);
        return undefined;
      },
      mark: (text) => marks.push(text),
      state: (word) => states.push(word),
    },
  ).then(
    (over) => {
      outcome = over;
    },
    () => {},
  );
  const streams = () => transport.requests.filter((request: KubeRequest) => request.path === path);
  const say = (...said: string[]) => {
    for (const line of said) transport.watchOf(path).say(`2026-01-01T00:00:${line}`);
  };
  return { clock, transport, pod, lines, states, marks, streams, say, ending, outcome: () => outcome };
}

describe('a log', () => {
  test('that is not followed ends with its last line', async () => {
    const log = reading({ container: 'app', tailLines: 10, previous: true });
    await settle();
    expect(log.streams()[0]?.query).toEqual({
      container: 'app',
      previous: true,
      timestamps: true,
      tailLines: 10,
    });
    log.say('01Z one', '02Z \u001b[2Jtwo');
    log.transport.watchOf(path).end();
    await settle();
    expect(log.lines).toEqual(['01Z one', '02Z two']);
    expect(log.outcome()).toMatchObject({ reason: 'ended' });
  });

  test('that breaks goes on after its last line: none is missing, none comes twice', async () => {
    const log = reading({ follow: true }, { state: { running: {} } });
    await settle();
    log.say('01.5Z one', '02.25Z two', '02.25Z three');
    await settle();
    log.transport.watchOf(path).fail(silence());
    await settle();
    expect(log.states).toEqual(['live', 'reconnecting']);
    expect(log.marks).toEqual(['The stream was interrupted: prod refused the connection.']);
    await log.clock.advance(logLimits.backoffFirst);
    expect(log.streams()[1]?.query).toMatchObject({ sinceTime: '2026-01-01T00:00:02.25Z', follow: true });
    // The cluster begins at the whole second again.
    log.say('02Z before', '02.25Z two', '02.25Z three', '02.25Z four', '02.3Z five', '02.25Z late');
    await settle();
    expect(log.lines).toEqual([
      '01.5Z one',
      '02.25Z two',
      '02.25Z three',
      '02.25Z four',
      '02.3Z five',
      '02.25Z late',
    ]);
    expect(log.marks.at(-1)).toBe('Streaming resumed.');
  });

  test('of a node whose clock is not UTC goes on at the same instant', async () => {
    const log = reading({ follow: true, tailLines: 5 }, { state: { running: {} } });
    await settle();
    log.say('01.5+08:00 one', '02.25+08:00 two');
    await settle();
    log.transport.watchOf(path).fail(silence());
    await settle();
    await log.clock.advance(logLimits.backoffFirst);
    expect(log.streams()[1]?.query).toMatchObject({ sinceTime: '2025-12-31T16:00:02.25Z' });
    expect(log.streams()[1]?.query).not.toHaveProperty('tailLines');
    log.say('02.25+08:00 two', '03+08:00 three');
    await settle();
    expect(log.lines).toEqual(['01.5Z one', '02.25Z two', '03Z three']);
    expect(log.marks.at(-1)).toBe('Streaming resumed.');
  });

  test('whose lines are a little out of order repeats none of them', async () => {
    const log = reading({ follow: true }, { state: { running: {} } });
    await settle();
    log.say('05.5Z out', '05.2Z err', '04.9Z older');
    await settle();
    log.transport.watchOf(path).fail(silence());
    await settle();
    await log.clock.advance(logLimits.backoffFirst);
    expect(log.streams()[1]?.query).toMatchObject({ sinceTime: '2026-01-01T00:00:05.5Z' });
    log.say('05.5Z out', '05.2Z err', '06Z new');
    await settle();
    expect(log.lines).toEqual(['05.5Z out', '05.2Z err', '04.9Z older', '06Z new']);
  });

  test('of a node whose clock is set back goes on where that clock is', async () => {
    const log = reading({ follow: true }, { state: { running: {} } });
    await settle();
    log.say('50Z before', '10.5Z after');
    await settle();
    log.transport.watchOf(path).fail(silence());
    await settle();
    await log.clock.advance(logLimits.backoffFirst);
    expect(log.streams()[1]?.query).toMatchObject({ sinceTime: '2026-01-01T00:00:10.5Z' });
  });

  test('goes on for a page that comes back where that page was', async () => {
    const log = reading({ follow: true, after: '2026-01-01T00:00:02.5Z', skip: 1, tailLines: 5 });
    await settle();
    expect(log.streams()[0]?.query).toMatchObject({ sinceTime: '2026-01-01T00:00:02.5Z' });
    expect(log.streams()[0]?.query).not.toHaveProperty('tailLines');
    log.say('02.1Z old', '02.5Z known', '02.5Z new', '03Z newer');
    await settle();
    expect(log.lines).toEqual(['02.5Z new', '03Z newer']);
  });

  test.each([
    ['is not started again', { restartPolicy: 'Never' }, 3],
    ['has done its work', { restartPolicy: 'OnFailure' }, 0],
    ['has prepared the pod', { initContainers: [{ name: 'app' }] }, 0],
    ['was added to look around', { ephemeralContainers: [{ name: 'app' }] }, 3],
  ])('ends with a container that %s, and says how that ended', async (_what, spec, exitCode) => {
    const log = reading({ follow: true, container: 'app' }, { state: { running: {} } }, spec);
    await settle();
    log.say('01Z one');
    const [status] = log.pod.status.containerStatuses;
    Object.assign(status ?? {}, { state: { terminated: { exitCode, reason: 'Over' } } });
    log.transport.watchOf(path).end();
    await settle();
    expect(log.outcome()).toEqual({
      reason: 'ended',
      title: `Container app ended with code ${exitCode} (Over).`,
    });
  });

  test('goes on with the next run of a container, and says so between the lines', async () => {
    const log = reading({ follow: true, container: 'app' }, { state: { running: {} } });
    await settle();
    log.say('01Z one');
    const [status] = log.pod.status.containerStatuses;
    const lastState = { terminated: { exitCode: 1, reason: 'Error' } };
    Object.assign(status ?? {}, { restartCount: 1, lastState });
    log.transport.watchOf(path).end();
    await log.clock.advance(logLimits.backoffFirst);
    expect(log.marks).toEqual(['Container app ended with code 1 (Error) and restarted.']);
    expect(log.streams()).toHaveLength(2);
    log.say('05Z two');
    await settle();
    expect(log.lines).toEqual(['01Z one', '05Z two']);
    expect(log.outcome()).toBeUndefined();
  });

  test('waits for a container that keeps ending without asking for its log all the time', async () => {
    const log = reading({ follow: true, container: 'app' }, { state: { running: {} } });
    await settle();
    const [status] = log.pod.status.containerStatuses;
    const terminated = { exitCode: 1, reason: 'Error' };
    Object.assign(status ?? {}, {
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated },
    });
    log.transport.watchOf(path).end();
    await log.clock.advance(5 * logLimits.waiting);
    expect(log.marks).toEqual(['Container app ended with code 1 (Error).']);
    expect(log.states).toContain('waiting');
    expect(log.streams()).toHaveLength(1);
    Object.assign(status ?? {}, { restartCount: 1, state: { running: {} } });
    await log.clock.advance(2 * logLimits.waiting);
    expect(log.marks.at(-1)).toBe('Container app restarted.');
    expect(log.streams()).toHaveLength(2);
  });

  test('waits for a container that has not started', async () => {
    const log = reading({ follow: true });
    const waiting = refusal(400);
    Object.assign(waiting.upstream, {
      body: { message: 'container "app" in pod "a" is waiting to start: ContainerCreating' },
    });
    log.transport.onWatch = () => {
      throw waiting;
    };
    await settle();
    expect(log.states).toEqual(['waiting']);
    log.transport.onWatch = () => {};
    await log.clock.advance(logLimits.waiting);
    expect(log.states).toEqual(['waiting', 'live']);
  });

  test.each([
    [404, '', 'gone'],
    [403, '', 'forbidden'],
    [401, '', 'forbidden'],
    [400, 'previous terminated container "app" in pod "a" not found', 'no-previous'],
    [400, 'container x is not valid for pod a', 'wrong'],
  ])('ends at once on %i %s: %s', async (status, message, reason) => {
    const log = reading({});
    const problem = refusal(status);
    Object.assign(problem.upstream, { body: { message } });
    log.transport.onWatch = () => {
      throw problem;
    };
    await settle();
    expect(log.outcome()?.reason).toBe(reason);
    expect(log.outcome()?.title).toMatch(/\.$|a$/);
  });

  test('of a cluster that is away is given up after many tries', async () => {
    const log = reading({ follow: true }, { state: { running: {} } });
    await settle();
    log.transport.onList = () => {
      throw silence();
    };
    log.transport.onWatch = () => {
      throw silence();
    };
    log.transport.watchOf(path).fail(silence());
    await log.clock.advance(logLimits.tries * logLimits.backoffLongest);
    expect(log.outcome()).toMatchObject({ reason: 'unreachable', title: 'prod refused the connection.' });
  });

  test('that nobody reads any more leaves no stream and no timer', async () => {
    const log = reading({ follow: true }, { state: { running: {} } });
    await settle();
    log.ending.abort();
    log.say('01Z late');
    await settle();
    expect(log.transport.watchOf(path).isClosed).toBe(true);
    expect(log.clock.pending).toBe(0);
    expect(log.lines).toEqual([]);
  });

  test('cuts a line that is too long', async () => {
    const log = reading({});
    await settle();
    log.say(`01Z ${'x'.repeat(logLimits.line + 7)}`);
    await settle();
    expect(log.lines[0]).toMatch(/x… \(7 more characters\)$/);
  });
});
