import { afterAll, beforeAll, expect, test } from 'vitest';
import { podHealth } from '../../src/kube/pod-status.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { seededChance } from '../../src/playground/kit/random.ts';
import { loadRegistry } from '../../src/playground/registry/registry.ts';
import { type Planted, plant } from '../../src/playground/seeds/plant.ts';
import { Store } from '../../src/playground/store/store.ts';
import { at, recs, str } from '../../src/playground/kit/values.ts';

const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let planted: Planted;

beforeAll(() => {
  const world = { store: new Store(10_000), registry: loadRegistry(), clock, chance: seededChance(3) };
  planted = plant(world, { seed: 'company', controllers: true, activity: true, churn: 0 });
});
afterAll(() => {
  planted.stop();
});

const list = (storage: string) => planted.world.store.list(storage);
const health = () => list('/pods').map((pod) => ({ pod, ...podHealth(pod) }));

test('has six nodes, eight namespaces and some forty workloads', () => {
  expect(list('/nodes')).toHaveLength(6);
  const own = list('/namespaces').filter(
    (item) => !['kube-public', 'kube-node-lease'].includes(item.metadata.name ?? ''),
  );
  expect(own).toHaveLength(8);
  const workloads = ['apps/deployments', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs'].flatMap(list);
  expect(workloads.length).toBeGreaterThanOrEqual(40);
  expect(health().filter(({ reason }) => reason === 'Running').length).toBeGreaterThan(80);
});

test('has the typical faults of a cluster', () => {
  const found = new Map(
    health().map(({ pod, reason }) => [pod.metadata.labels?.['app.kubernetes.io/name'] ?? '', reason]),
  );
  const reasons = (name: string) =>
    health().filter(({ pod }) => pod.metadata.labels?.['app.kubernetes.io/name'] === name);
  expect(['ImagePullBackOff', 'ErrImagePull']).toContain(
    reasons('image-proxy').find(({ ready }) => ready === 0)?.reason,
  );
  expect(['CrashLoopBackOff', 'Error', 'Running']).toContain(found.get('email-worker'));
  expect(reasons('email-worker')[0]?.restarts).toBeGreaterThan(2000);
  expect(JSON.stringify(reasons('recommendations')[0]?.pod)).toContain('OOMKilled');
  expect(found.get('fraud-scorer')).toBe('Pending');
  expect(reasons('psp-gateway').every(({ ready }) => ready === 0)).toBe(true);
});

test('has a past: ages are consistent, and versions follow one another', () => {
  const now = clock.now();
  const age = (created: string | undefined) => (now - Date.parse(created ?? '')) / 86_400_000;
  const node = list('/nodes')[0];
  expect(age(node?.metadata.creationTimestamp)).toBeCloseTo(62, 0);
  const grafana = planted.world.store.get('apps/deployments', 'observability/grafana');
  expect(age(grafana?.metadata.creationTimestamp)).toBeCloseTo(41, 0);
  const storefront = planted.world.store.get('apps/deployments', 'shop/storefront');
  expect(storefront?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('4');
  const events = list('/events').map((event) => str(event['lastTimestamp']) || str(event['eventTime']));
  expect(events.length).toBeGreaterThan(0);
  expect(events.every((time) => Date.parse(time) <= now && age(time) < 1)).toBe(true);
});

test('has past jobs that began when they were due', () => {
  const jobs = list('batch/jobs').filter((job) => job.metadata.ownerReferences?.[0]?.kind === 'CronJob');
  const by = new Map<string, number>();
  for (const { metadata } of jobs) {
    const due = Date.parse(metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '');
    const late = Date.parse(metadata.creationTimestamp ?? '') - due;
    expect([metadata.name, late >= 0 && late < 2_000]).toEqual([metadata.name, true]);
    const name = metadata.ownerReferences?.[0]?.name ?? '';
    by.set(name, (by.get(name) ?? 0) + 1);
  }
  expect(Object.fromEntries(by)).toEqual({ 'settlement-report': 3, 'order-digest': 3, backup: 3 });
  expect(list('/events').map((event) => event['reason'])).not.toContain('TooManyMissedTimes');
});

test('has pods that failed now and then, not all at one time', () => {
  const ends = list('/pods').flatMap((pod) => {
    const last = recs(at(pod, 'status', 'containerStatuses'))[0];
    return Number(last?.['restartCount'] ?? 0) > 0 ? [at(last, 'lastState', 'terminated', 'finishedAt')] : [];
  });
  expect(new Set(ends).size).toBeGreaterThan(ends.length / 2);
});

test('stays active: within some minutes pods have changed', () => {
  const before = new Map(list('/pods').map((pod) => [pod.metadata.uid, pod.metadata.resourceVersion]));
  clock.advance(5 * 60_000);
  const changed = list('/pods').filter(
    (pod) => before.get(pod.metadata.uid) !== pod.metadata.resourceVersion,
  );
  expect(changed.length).toBeGreaterThan(3);
});

test('has a smaller staging cluster with fewer workloads and newer versions', () => {
  const moment = new ManualClock(clock.now());
  const world = { store: new Store(2_000), registry: loadRegistry(), clock: moment, chance: seededChance(4) };
  const staging = plant(world, { seed: 'staging', controllers: true, activity: false, churn: 0 });
  const images = (from: Planted) =>
    from.world.store.list('apps/deployments').map((item) => JSON.stringify(item));
  expect(staging.world.store.list('/nodes')).toHaveLength(3);
  expect(images(staging).length).toBeLessThan(images(planted).length / 2);
  expect(images(staging).join()).toContain('storefront:5.32.0-rc.3');
  const reasons = new Set(staging.world.store.list('/pods').map((pod) => podHealth(pod).reason));
  expect(reasons).toContain('Running');
  expect(reasons.has('Pending')).toBe(false);
  const crashing = staging.world.store.list('/pods').find((pod) => pod.metadata.name?.startsWith('ledger-'));
  expect(crashing === undefined ? 0 : podHealth(crashing).restarts).toBeGreaterThan(2);
  staging.stop();
});
