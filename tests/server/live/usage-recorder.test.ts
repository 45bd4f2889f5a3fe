import { afterEach, beforeEach, expect, test } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import type { KubeList } from '../../../src/kube/object.ts';
import { createMetrics, type MetricsJoin } from '../../../src/server/live/joins/metrics.ts';
import type { ResourceMetrics } from '../../../src/server/live/joins/usage.ts';
import { recordInterval, recordRest, UsageRecorder } from '../../../src/server/live/joins/usage-recorder.ts';
import type { PulseListener } from '../../../src/server/live/source/pulse.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createScriptedTransport, refusal, type ScriptedTransport } from './script-transport.ts';

const paths = {
  node: '/apis/metrics.k8s.io/v1beta1/nodes',
  pod: '/apis/metrics.k8s.io/v1beta1/pods',
} as const;

const podMetrics: KubeList<ResourceMetrics> = {
  items: [
    {
      metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' } },
      containers: [{ usage: { cpu: '100m', memory: '64Mi' } }],
    },
  ],
};

/** What the cluster says of its nodes' usage. */
let nodesAnswer: () => KubeList<ResourceMetrics>;
let clock: FakeClock;
let transport: ScriptedTransport;
let nodes: MetricsJoin;
let pods: MetricsJoin;
let recorder: UsageRecorder;
let listener: PulseListener;
let pulse: { isWatched: boolean };

const kindOf = (id: string) => {
  const kind = kindById(id);
  if (kind === undefined) throw new Error(`There is no kind ${id}.`);
  return kind;
};
const asked = (id: keyof typeof paths) => transport.requests.filter(({ path }) => path === paths[id]).length;
const epoch = () => clock.now() / 1000;

beforeEach(() => {
  clock = createFakeClock();
  transport = createScriptedTransport();
  nodesAnswer = () => ({
    items: [
      { metadata: { name: 'n1' }, usage: { cpu: '1', memory: '1Gi' } },
      { metadata: { name: 'n2' }, usage: { cpu: '500m', memory: '1Gi' } },
    ],
  });
  transport.onList = ({ path }) => (path === paths.node ? nodesAnswer() : podMetrics);
  const measured = (id: string) =>
    createMetrics({
      kind: kindOf(id),
      cluster: () => 'prod',
      transport: () => Promise.resolve(transport),
      namespaces: () => Promise.resolve([]),
      clock,
      budget: { limit: Number.POSITIVE_INFINITY, held: 0 },
    });
  [nodes, pods] = [measured('node'), measured('pod')];
  pulse = { isWatched: true };
  recorder = new UsageRecorder({
    pulse: {
      get isWatched() {
        return pulse.isWatched;
      },
      follow(followed) {
        listener = followed;
        return () => {};
      },
    },
    nodes,
    pods,
    clock,
  });
});
afterEach(() => recorder.dispose());

test('a cluster that nobody opened is left asleep', async () => {
  await clock.advance(10 * recordInterval);
  expect(transport.requests).toEqual([]);
  expect(clock.pending).toBe(0);
});

test('a cluster that somebody opened is sampled once a minute, its pods only while it is open', async () => {
  listener.heard?.(clock.now());
  listener.heard?.(clock.now());
  await clock.advance(3 * recordInterval);
  expect([asked('node'), asked('pod')]).toEqual([3, 3]);
  expect(nodes.total()).toMatchObject({ cpu: [1.5, 1.5, 1.5] });
  pulse.isWatched = false;
  await clock.advance(2 * recordInterval);
  expect([asked('node'), asked('pod')]).toEqual([5, 3]);
  pulse.isWatched = true;
  await clock.advance(recordInterval);
  const end = epoch();
  expect(pods.value('shop/a').usage?.history.times).toEqual([300, 240, 180, 0].map((ago) => end - ago));
});

test('an hour is kept, however long it goes on', async () => {
  listener.heard?.(clock.now());
  await clock.advance(90 * recordInterval);
  const { times } = nodes.total();
  expect(times).toHaveLength(60);
  expect(times[0]).toBeGreaterThanOrEqual(epoch() - 3_600);
});

test('what a page reads anyway is not read twice', async () => {
  const leave = nodes.retain(() => {});
  listener.heard?.(clock.now());
  await clock.advance(recordInterval - 1_000);
  const before = asked('node');
  await clock.advance(2_000);
  // The page's own reading at that minute, and no other.
  expect(asked('node') - before).toBe(1);
  leave();
});

test('a failure leaves a time without a sample', async () => {
  listener.heard?.(clock.now());
  await clock.advance(recordInterval);
  const works = nodesAnswer;
  nodesAnswer = () => {
    throw refusal(500);
  };
  await clock.advance(3 * recordInterval);
  nodesAnswer = works;
  await clock.advance(recordInterval);
  expect(nodes.total().times).toEqual([240, 0].map((ago) => epoch() - ago));
});

test.each([404, 403])('a cluster that answers %i is asked again after ten minutes', async (status) => {
  nodesAnswer = () => {
    throw refusal(status);
  };
  listener.heard?.(clock.now());
  await clock.advance(recordRest);
  expect(asked('node')).toBe(1);
  await clock.advance(recordInterval + 1_000);
  expect(asked('node')).toBe(2);
  expect(nodes.total().times).toEqual([]);
});

test('pods that are gone still belong to their workload by their labels', async () => {
  listener.heard?.(clock.now());
  await clock.advance(recordInterval);
  const sum = pods.sum([], (place, labels) => place.startsWith('shop/') && labels?.app === 'web');
  expect(sum.usage).toMatchObject({ pods: 0, cpu: null, history: { cpu: [0.1] } });
  expect(pods.sum([], (place) => place.startsWith('other/')).usage?.history.cpu).toEqual([null]);
});

test('nothing goes on after its end', async () => {
  listener.heard?.(clock.now());
  await clock.advance(recordInterval);
  recorder.dispose();
  await clock.advance(5 * recordInterval);
  expect(asked('node')).toBe(1);
});
