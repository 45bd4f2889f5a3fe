import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuantity } from '../../src/kube/quantity.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { dueBetween, parseSchedule } from '../../src/playground/life/schedule.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { isReady } from '../../src/playground/life/write.ts';
import { at, type Obj } from '../../src/playground/kit/values.ts';
import { json, send } from './client.ts';

interface Metrics {
  items: {
    metadata: { name: string; namespace?: string };
    timestamp: string;
    usage?: { cpu: string; memory: string };
    containers?: { name: string; usage: { cpu: string; memory: string } }[];
  }[];
}

const minute = 60_000;
const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company', controllers: true, clock, chance: 3 });
});
afterAll(async () => {
  await playground.close();
});

const call = <T>(path: string) => json<T>(playground, 'GET', path);
const object = (storage: string, key: string) => playground.world.store.get(storage, key);
const podMetrics = () => call<Metrics>('/apis/metrics.k8s.io/v1beta1/pods');
const cores = (text: string | undefined) => parseQuantity(text) ?? Number.NaN;

test('every running pod and every node has metrics, those of a node including its pods', async () => {
  const pods = await podMetrics();
  const running = playground.world.store
    .list('/pods')
    .filter(
      (pod) =>
        at(pod, 'status', 'phase') === 'Running' && JSON.stringify(pod['status']).includes('"running":{'),
    );
  expect(pods.items).toHaveLength(running.length);
  const byNode = new Map<unknown, number>();
  for (const item of pods.items) {
    const pod = object('/pods', `${item.metadata.namespace}/${item.metadata.name}`);
    const used = (item.containers ?? []).reduce((sum, { usage }) => sum + cores(usage.cpu), 0);
    expect(used).toBeGreaterThan(0);
    const node = at(pod, 'spec', 'nodeName');
    byNode.set(node, (byNode.get(node) ?? 0) + used);
  }
  const nodes = await call<Metrics>('/apis/metrics.k8s.io/v1beta1/nodes');
  expect(nodes.items).toHaveLength(6);
  for (const { metadata, usage } of nodes.items) {
    const extra = cores(usage?.cpu) - (byNode.get(metadata.name) ?? 0);
    expect(extra).toBeGreaterThan(0.05);
    expect(cores(usage?.cpu)).toBeLessThan(8);
    expect(parseQuantity(usage?.memory)).toBeLessThan(32 * 2 ** 30);
  }
});

test('usage varies over minutes, is constant within a measurement, and stays under its limit', async () => {
  const before = await podMetrics();
  expect(await podMetrics()).toEqual(before);
  const seen = new Map<string, string[]>();
  for (let round = 0; round < 6; round++) {
    clock.advance(minute);
    for (const { metadata, containers } of (await podMetrics()).items) {
      const key = `${metadata.namespace}/${metadata.name}`;
      seen.set(key, [...(seen.get(key) ?? []), containers?.[0]?.usage.cpu ?? '']);
    }
  }
  const throughout = Array.from(seen.values()).filter((values) => values.length === 6);
  const changing = throughout.filter((values) => new Set(values).size >= 4);
  expect(changing.length).toBeGreaterThan(throughout.length * 0.9);
});

test('metrics of one pod are read by name; a pod that does not run has none', async () => {
  const { items } = await podMetrics();
  const { namespace, name } = items[0]?.metadata ?? {};
  const path = (which: string | undefined) =>
    `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods/${which}`;
  expect(await call(path(name))).toMatchObject({ kind: 'PodMetrics', metadata: { name } });
  expect(await call(path('nobody'))).toMatchObject({
    code: 404,
    message: 'pods.metrics.k8s.io "nobody" not found',
  });
});

test('an autoscaler keeps its workload between its bounds and follows the load', () => {
  const sizes = new Set<number>();
  for (let round = 0; round < 30; round++) {
    clock.advance(minute);
    sizes.add(Number(at(object('apps/deployments', 'shop/catalog-api'), 'spec', 'replicas')));
  }
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(6);
  expect(sizes.size).toBeGreaterThan(1);
  expect(object('autoscaling/horizontalpodautoscalers', 'shop/catalog-api')).toMatchObject({
    status: {
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu' } }],
      conditions: [
        { type: 'AbleToScale', status: 'True' },
        { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound' },
        { type: 'ScalingLimited' },
      ],
    },
  });
});

describe('disruption budgets', () => {
  const evict = (namespace: string, name: string) =>
    json(playground, 'POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
    });

  test("refuse the eviction of a needed pod with the real server's message", async () => {
    expect(object('policy/poddisruptionbudgets', 'platform/vault')).toMatchObject({
      status: { expectedPods: 3, currentHealthy: 3, desiredHealthy: 3, disruptionsAllowed: 0 },
    });
    expect(await evict('platform', 'vault-0')).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget vault needs 3 healthy pods and has 3 currently',
          },
        ],
      },
    });
  });

  test('are used up by evictions before the pods are gone, and restored by new pods', async () => {
    const budget = () => object('policy/poddisruptionbudgets', 'shop/checkout');
    const pods = playground.world.store
      .list('/pods', 'shop/')
      .filter((pod: Obj) => pod.metadata.labels?.['app.kubernetes.io/name'] === 'checkout' && isReady(pod));
    // A rollout may be under way, with a pod more than wanted.
    const allowed = Number(at(budget(), 'status', 'disruptionsAllowed'));
    expect(allowed).toBeGreaterThanOrEqual(1);
    for (const pod of pods.slice(0, allowed)) {
      expect(await evict('shop', pod.metadata.name ?? '')).toMatchObject({ status: 'Success' });
    }
    expect(await evict('shop', pods[allowed]?.metadata.name ?? '')).toMatchObject({ code: 429 });
    clock.advance(3 * minute);
    const healthy = Number(at(budget(), 'status', 'currentHealthy'));
    expect(healthy).toBeGreaterThanOrEqual(3);
    expect(budget()).toMatchObject({ status: { desiredHealthy: 2, disruptionsAllowed: healthy - 2 } });
  });
});

test('a cron job runs when it is due, keeps its last jobs, and records its last success', () => {
  clock.advance(30 * minute);
  const cron = object('batch/cronjobs', 'shop/order-digest');
  const jobs = playground.world.store
    .list('batch/jobs', 'shop/')
    .filter((job: Obj) => job.metadata.ownerReferences?.[0]?.uid === cron?.metadata.uid);
  expect(jobs).toHaveLength(3);
  const last = Date.parse(String(at(cron, 'status', 'lastScheduleTime')));
  expect(last % (5 * minute)).toBe(0);
  expect(clock.now() - last).toBeLessThan(6 * minute);
  expect(at(cron, 'status', 'lastSuccessfulTime')).toBeDefined();
});

test('tables of controlled kinds show what kubectl shows', async () => {
  const rows = async (group: string, plural: string, namespace: string) => {
    const answer = await send(playground, {
      method: 'GET',
      path: `/apis/${group}/namespaces/${namespace}/${plural}`,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    return (JSON.parse(answer.text) as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells);
  };
  const age = expect.stringMatching(/^(\d+[smhd])+$/) as string;
  expect(await rows('policy/v1', 'poddisruptionbudgets', 'platform')).toEqual([
    ['vault', '3', 'N/A', 0, age],
  ]);
  const image = 'registry.acme.example/shop/order-digest:1.6.0';
  expect(await rows('batch/v1', 'cronjobs', 'shop')).toEqual([
    ['order-digest', '*/5 * * * *', '<none>', 'False', 0, age, age, 'order-digest', image, '<none>'],
  ]);
  const jobs = await rows('batch/v1', 'jobs', 'shop');
  const job = jobs.find(([name]) => String(name).startsWith('order-digest-'));
  expect(job?.slice(1, 7)).toEqual(['Complete', '1/1', age, age, 'order-digest', image]);
  const [autoscaler] = await rows('autoscaling/v2', 'horizontalpodautoscalers', 'shop');
  const bounds = ['3', 6, expect.any(Number) as number, age];
  const use = expect.stringMatching(/^cpu: \d+%\/75%$/) as string;
  expect(autoscaler).toEqual(['catalog-api', 'Deployment/catalog-api', use, ...bounds]);
});

test('a schedule is due as in cron, in its time zone', () => {
  const time = (text: string) => Date.parse(text);
  const due = (schedule: string, after: string, until: string, zone = '') => {
    const read = parseSchedule(schedule, zone);
    const found = read === undefined ? undefined : dueBetween(read, time(after), time(until)).last;
    return found === undefined ? undefined : new Date(found).toISOString();
  };
  const [monday, until] = ['2026-03-02T00:00:00Z', '2026-03-02T12:07:30Z'];
  expect(due('*/15 * * * *', monday, until)).toBe('2026-03-02T12:00:00.000Z');
  expect(due('30 9 * * mon-fri', monday, until)).toBe('2026-03-02T09:30:00.000Z');
  expect(due('30 9 * * sun', monday, until)).toBeUndefined();
  expect(due('0 9 13 * 1', monday, until)).toBe('2026-03-02T09:00:00.000Z');
  expect(due('0 9 * * *', monday, until, 'Europe/Berlin')).toBe('2026-03-02T08:00:00.000Z');
  expect(due('@hourly', '2026-03-02T12:00:00Z', until)).toBeUndefined();
  expect(['* * * *', '61 * * * *', 'a * * * *'].map((text) => parseSchedule(text))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
