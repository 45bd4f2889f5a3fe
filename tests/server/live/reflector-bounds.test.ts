import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/kube/object.ts';
import { networkProblem } from '../../../src/server/clusters/failures.ts';
import { intakePatience } from '../../../src/server/live/source/intake.ts';
import { reflectorLimits } from '../../../src/server/live/source/limits.ts';
import type { Budget } from '../../../src/server/kit/memory-budget.ts';
import { weightOf } from '../../../src/server/live/source/weight.ts';
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts';
import { startReflector, type WatchedReflector } from './reflector-harness.ts';
import {
  createScriptedTransport,
  listOf,
  podOf,
  refusal,
  type ScriptedTransport,
} from './script-transport.ts';

let clock: FakeClock;
let cluster: ScriptedTransport;
const started: WatchedReflector[] = [];

function start(budget?: Budget): WatchedReflector {
  const watched = startReflector(clock, () => Promise.resolve(cluster), budget);
  started.push(watched);
  return watched;
}

beforeEach(() => {
  clock = createFakeClock();
  cluster = createScriptedTransport();
});
afterEach(() => {
  for (const { reflector } of started.splice(0)) reflector.dispose();
});

const event = (type: string, object: unknown) => ({ type, object });
const pods = (count: number, change: (pod: KubeObject) => object = (pod) => pod) =>
  Array.from({ length: count }, (_, index) => change(podOf(`p${index}`, '1')) as KubeObject);

describe('what a list may weigh', () => {
  test('a list heavier than one may be is refused in words and holds nothing', async () => {
    const nodeName = 'n'.repeat(32_000);
    const each = 64_000;
    const heavy = pods(Math.ceil(reflectorLimits.bytes / each) + 1, (pod) => ({
      ...pod,
      spec: { nodeName },
    }));
    cluster.onList = () => listOf('1', heavy);
    const budget = { limit: Number.POSITIVE_INFINITY, held: 0 };
    const { reflector } = start(budget);
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      message: 'The pods of prod take more than 256 MB in this console; it holds no more of one kind.',
    });
    expect([reflector.entries.size, budget.held]).toEqual([0, 0]);
  });

  test('all lists share one budget; what a list holds is given back as rows go and when it ends', async () => {
    cluster.onList = () => listOf('1', pods(10));
    const budget = { limit: 1_000_000, held: 0 };
    const { reflector } = start(budget);
    await settle();
    const weights = () => [...reflector.entries.values()].reduce((sum, entry) => sum + weightOf(entry), 0);
    expect(budget.held).toBe(weights());
    cluster.lastWatch.say(event('DELETED', podOf('p0', '2')));
    cluster.lastWatch.say(event('MODIFIED', podOf('p1', '3', 'Failed')));
    cluster.lastWatch.say(event('ADDED', podOf('new', '4')));
    await clock.advance(intakePatience);
    expect([reflector.entries.size, budget.held]).toEqual([10, weights()]);
    const other = start(budget);
    await settle();
    expect(budget.held).toBeGreaterThan(weights());
    other.reflector.dispose();
    expect(budget.held).toBe(weights());
    reflector.dispose();
    expect(budget.held).toBe(0);
  });

  test('a list for which there is no room says so, and comes once there is', async () => {
    cluster.onList = () => listOf('1', pods(100));
    const budget = { limit: 1024 * 1024, held: 1024 * 1024 };
    const { reflector } = start(budget);
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'loading',
      message:
        'This console has no memory left for the pods of prod. They load by themselves once other lists are closed.',
    });
    budget.held = 0;
    await clock.advance(10_000);
    expect([reflector.state.status, reflector.entries.size]).toEqual(['live', 100]);
  });

  test('a row for which there is no room makes a list stale that says why, and loses none of its rows', async () => {
    cluster.onList = () => listOf('1', pods(3));
    const budget = { limit: 1024 * 1024, held: 0 };
    const { reflector, names } = start(budget);
    await settle();
    budget.held += budget.limit;
    cluster.lastWatch.say(event('ADDED', podOf('new', '4')));
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'reconnecting',
      message: expect.stringContaining('has no memory left for the pods of prod'),
    });
    expect(names()).toEqual(['p0', 'p1', 'p2']);
  });

  test('pages without an end are refused, also when they bring nothing new', async () => {
    cluster.onList = () => listOf('1', pods(1), 'more');
    const { reflector } = start();
    await expect
      .poll(() => reflector.state.message ?? '', { timeout: 30_000 })
      .toContain('prod has more than 200,000 pods');
    expect(cluster.calls).toHaveLength(reflectorLimits.pages + 1);
  });

  test('an answer larger than the transport takes is said in words', async () => {
    cluster.onList = ({ query }) => {
      if (query?.['limit'] === reflectorLimits.objects) {
        throw networkProblem(Object.assign(new Error('large'), { code: 'ANSWER_TOO_LARGE' }), 'prod', 1);
      }
      if (query?.['continue'] === undefined) return listOf('4', pods(1), 'next');
      throw refusal(410, { reason: 'Expired' });
    };
    const { reflector } = start();
    await settle();
    expect(reflector.state).toMatchObject({
      status: 'unreachable',
      message: 'prod sent more than the console accepts in one answer.',
    });
  });
});

/** Lists in lists. */
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** What no API server sends. */
const odd: readonly unknown[] = [
  null,
  7,
  'pod',
  [],
  {},
  { metadata: null },
  { metadata: 'x' },
  { metadata: [{ name: 'a' }] },
  { metadata: { name: 5, uid: {} } },
  { metadata: { name: 'odd', uid: 'uid-odd', namespace: 1, resourceVersion: {}, labels: { a: 1, b: null } } },
  { metadata: { name: 'odd', uid: 'uid-odd', labels: [1], ownerReferences: { a: 1 } }, spec: 'x', status: 5 },
  {
    metadata: { name: 'odd', uid: 'uid-odd', ownerReferences: [null, { name: 1 }] },
    spec: null,
    status: null,
  },
  {
    metadata: { name: 'odd', uid: 'uid-odd' },
    spec: { containers: 'x' },
    status: { containerStatuses: [null] },
  },
];

describe('objects of odd shapes', () => {
  test.each(
    [...odd, { metadata: { name: 'odd', uid: 'uid-odd' }, spec: JSON.parse(deep) as unknown }].map(
      (object) => [object],
    ),
  )('beside others leave their rows in a list: case %#', async (object) => {
    cluster.onList = () => listOf('1', [podOf('a', '1'), object as KubeObject, podOf('z', '1')]);
    const { reflector, names } = start();
    await settle();
    expect(reflector.state.status).toBe('live');
    expect(names().filter((name) => name !== 'odd')).toEqual(['a', 'z']);
  });

  test('leave the rows and the watch that brings them', async () => {
    cluster.onList = () => listOf('1', [podOf('a', '1')]);
    const { reflector, names } = start();
    await settle();
    for (const type of ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']) {
      for (const object of odd) {
        if (typeof object === 'object' && object !== null) cluster.lastWatch.say(event(type, object));
      }
      const metadata = '{"name":"odd","uid":"uid-odd"}';
      cluster.lastWatch.say(`{"type":"${type}","object":{"metadata":${metadata},"spec":${deep}}}`);
    }
    cluster.lastWatch.say(event('ADDED', podOf('z', '9')));
    await clock.advance(intakePatience);
    expect(names().filter((name) => name !== 'odd')).toEqual(['a', 'z']);
    expect([reflector.state.status, cluster.calls]).toEqual(['live', ['list', 'watch']]);
  });
});
