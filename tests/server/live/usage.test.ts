import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindById } from '../../../commands/kinds/index.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import type { KubeList } from '../../../src/kube/object.ts';
import { type Permission, teamRoles } from '../../../src/contract/permissions.ts';
import { type LiveClient, openLive } from './live-client.ts';

let playground: PlaygroundConsole;
let client: LiveClient;

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  const { console, owner } = playground;
  client = await openLive(console.url, { origin: console.url, cookie: owner.client.cookie });
});
afterAll(async () => {
  client.socket.terminate();
  await playground.console.close();
});

const metricsPath = '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods';
/** Names of the workload's pods. */
async function podNames(): Promise<readonly string[]> {
  const list = await playground.transport.json<KubeList>({ path: '/api/v1/namespaces/shop/pods' });
  return (list.items ?? []).flatMap(({ metadata }) => metadata?.name ?? []);
}
const ask = (name: string) =>
  playground.owner.client.call('usageOf', {
    params: { clusterId: playground.clusterId, kind: 'pod' },
    body: { objects: [{ namespace: 'shop', name }] },
  });

test('a wide list tells what is used against requests and limits, and its samples can be asked for', async () => {
  const body = deploymentOf('shop', 'api', 'nginx:1.27', 1);
  const [container] = body.spec.template.spec.containers;
  if (container !== undefined) Object.assign(container.resources, { limits: { memory: '128Mi' } });
  await playground.transport.json({
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    body,
  });
  // Nothing is sampled before anybody looks.
  expect(await ask('nobody')).toMatchObject({ status: 'loading', times: [] });
  // The metrics server of the cluster looks now and then: the console begins once it has seen the pod.
  await expect
    .poll(async () => JSON.stringify(await playground.transport.json({ path: metricsPath })), {
      timeout: 45_000,
      interval: 250,
    })
    .toContain('"api-');
  const list = client.subscribe({
    clusterId: playground.clusterId,
    kind: 'pod',
    namespace: 'shop',
    wide: true,
  });
  const columns = kindById('pod')?.columns ?? [];
  const at = (id: string) => columns.findIndex((column) => column.id === id);
  const cells = () => [...list.rows.values()][0] ?? [];
  await client.until('it is measured', () => Array.isArray(cells()[at('cpu-usage')]));
  expect(cells()[at('cpu-usage')]).toEqual([expect.any(Number), 0.1, null]);
  expect(cells()[at('memory-usage')]).toEqual([expect.any(Number), 64 * 2 ** 20, 128 * 2 ** 20]);
  const answer = await ask(String(cells()[at('name')]));
  expect(answer).toMatchObject({ status: 'live', message: null });
  expect(answer.times.length).toBeGreaterThan(0);
  expect(answer.objects[0]?.cpu.at(-1)).toEqual(expect.any(Number));
});

test('who may not view pods gets nothing of their usage: no hour of a workload, and no samples', async () => {
  const { console, companyId, clusterId } = playground;
  /** Opens the workload as somebody with these permissions. */
  const openAs = async (...permissions: readonly Permission[]) => {
    const person = await console.person({ companyId });
    await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
    console.narrow(person.id, permissions);
    const page = await openLive(console.url, { origin: console.url, cookie: person.client.cookie });
    return {
      person,
      page,
      object: page.open({ clusterId, kind: 'deployment', namespace: 'shop', name: 'api' }),
    };
  };
  const [pod = ''] = await podNames();
  const sighted = await openAs('deployments.view', 'pods.view');
  const blind = await openAs('deployments.view', 'clusters.view', 'namespaces.view');
  try {
    await sighted.page.until('the hour came', () => {
      const usage = sighted.object.view?.joined.usage;
      return usage?.history.cpu.some((value) => value !== null) === true;
    });
    await blind.page.until('the workload came', () => blind.object.view !== undefined);
    expect(blind.object.view?.joined).not.toHaveProperty('usage');
    expect(JSON.stringify(blind.object.view)).not.toContain(pod);
    const samples = (who: typeof blind) =>
      who.person.client.call('usageOf', {
        params: { clusterId, kind: 'pod' },
        body: { objects: [{ namespace: 'shop', name: pod }] },
      });
    await expect(samples(blind)).rejects.toMatchObject({ status: 403 });
    expect((await samples(sighted)).times.length).toBeGreaterThan(0);
  } finally {
    blind.page.socket.terminate();
    sighted.page.socket.terminate();
  }
});

test('a Prometheus in the cluster gives workloads, pods and nodes their history at once', async () => {
  const { transport, owner, clusterId } = playground;
  const body = deploymentOf('shop', 'prometheus', 'quay.io/prometheus/prometheus:v3.7.3', 1);
  await transport.json({ method: 'POST', path: '/apis/apps/v1/namespaces/shop/deployments', body });
  await transport.json({
    method: 'POST',
    path: '/api/v1/namespaces/shop/services',
    body: {
      metadata: { name: 'prometheus' },
      spec: { selector: { app: 'prometheus' }, ports: [{ name: 'web', port: 9090 }] },
    },
  });
  const metrics = {
    from: 'service',
    namespace: 'shop',
    service: 'prometheus',
    port: '9090',
    isTls: false,
    label: null,
  } as const;
  await expect
    .poll(
      async () => await owner.client.call('testMetricsSource', { params: { clusterId }, body: { metrics } }),
      { timeout: 30_000, interval: 250 },
    )
    .toMatchObject({
      isWorking: true,
      message: expect.stringMatching(/^The source answers: \d+ series of containers and 1 of nodes\.$/),
    });
  const rules = await owner.client.call('globalSettings', { params: { clusterId } });
  await owner.client.call('saveGlobalSettings', { params: { clusterId }, body: { ...rules, metrics } });
  const [pod = ''] = (await podNames()).filter((name) => name.startsWith('api-'));
  const node = (await playground.seen<KubeList>('/api/v1/nodes'))?.items?.[0]?.metadata?.name ?? '';
  const historyOf = (kind: string, namespace: string, name: string) =>
    owner.client.call('objectUsageHistory', {
      params: { clusterId, kind },
      query: { namespace, name, seconds: '900' },
    });
  // A rate needs two looks of a counter.
  await expect
    .poll(async () => (await historyOf('pod', 'shop', pod)).memory.length, { timeout: 60_000, interval: 500 })
    .toBeGreaterThan(0);
  for (const told of [await historyOf('deployment', 'shop', 'api'), await historyOf('node', '', node)])
    expect(told).toMatchObject({ status: 'answered', message: null });
  const measured = await transport.json<{ containers: { usage: { memory: string } }[] }>({
    path: `${metricsPath}/${pod}`,
  });
  const memory = Number.parseInt(measured.containers[0]?.usage.memory ?? '', 10) * 1024;
  const last = (await historyOf('pod', 'shop', pod)).memory.at(-1) ?? 0;
  expect(last / memory).toBeGreaterThan(0.9);
  expect(last / memory).toBeLessThan(1.1);
  expect(await historyOf('pod', 'shop', 'nobody')).toMatchObject({ status: 'empty', times: [] });
});
