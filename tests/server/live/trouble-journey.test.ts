import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patchTypes } from '../../../src/kube/change.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type LiveClient, openLive } from './live-client.ts';

const path = '/apis/apps/v1/namespaces/shop/deployments/api';
let playground: PlaygroundConsole;
let client: LiveClient;

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  const { console, owner } = playground;
  client = await openLive(console.url, {
    origin: console.url,
    cookie: owner.client.cookie,
  });
});
afterAll(async () => {
  client.socket.terminate();
  await playground.console.close();
});

const setImage = (image: string) =>
  playground.transport.json({
    method: 'PATCH',
    path,
    contentType: patchTypes.strategic,
    body: { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
  });

type Pod = KubeObject & {
  status?: { containerStatuses?: { ready?: boolean; state?: { waiting?: { reason?: string } } }[] };
};
/** Whether any pod of the workload waits for this reason, as the cluster itself says now. */
async function isWaiting(reasons: RegExp): Promise<boolean> {
  const list = await playground.seen<KubeObject & { items?: Pod[] }>('/api/v1/namespaces/shop/pods');
  return (list?.items ?? []).some(({ status }) =>
    status?.containerStatuses?.some(({ state }) => reasons.test(state?.waiting?.reason ?? '')),
  );
}

describe('a workload of a living cluster that breaks and is mended', () => {
  test('has its line on its own page within a second, on the dashboard within a second of the back-off, and loses them within a second', async () => {
    await playground.transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'api', 'nginx:1.27', 3),
    });
    const board = client.dashboard(playground.clusterId);
    const detail = client.open({
      clusterId: playground.clusterId,
      kind: 'deployment',
      namespace: 'shop',
      name: 'api',
    });
    await client.until('it runs', () => detail.view?.status?.[1] === 'ok');
    const line = () => board.dashboard?.attention.find(({ on }) => on.name === 'api');
    const cause = () => detail.view?.attention[0];
    expect([line(), cause()]).toEqual([undefined, undefined]);

    await setImage('nginx:missing');
    const often = { timeout: 20_000, interval: 20 };
    await expect.poll(() => isWaiting(/ImagePull/), often).toBe(true);
    const brokenAt = Date.now();
    await client.until('its page says so', () => cause() !== undefined);
    expect(Date.now() - brokenAt).toBeLessThan(1_000);
    await expect.poll(() => isWaiting(/^ImagePullBackOff$/), often).toBe(true);
    const backedOffAt = Date.now();
    await client.until('the dashboard says so', () => line() !== undefined);
    expect(Date.now() - backedOffAt).toBeLessThan(1_000);
    expect(line()).toMatchObject({
      rule: 'pod.image',
      on: { kind: 'deployment', namespace: 'shop', name: 'api' },
      action: { id: 'deployment.rollback' },
    });
    expect(cause()).toMatchObject({ rule: 'pod.image', action: { id: 'deployment.rollback' } });

    await setImage('nginx:1.27');
    await expect.poll(() => isWaiting(/ImagePull/), often).toBe(false);
    const mendedAt = Date.now();
    // The line stays for a while as one of what passed.
    await client.until('neither says so', () => line()?.endedAt !== undefined && cause() === undefined);
    expect(Date.now() - mendedAt).toBeLessThan(1_000);
  });

  test('says when it is deleted', async () => {
    const detail = client.open({
      clusterId: playground.clusterId,
      kind: 'deployment',
      namespace: 'shop',
      name: 'api',
    });
    await client.until('open', () => detail.view !== undefined);
    await playground.transport.json({ method: 'DELETE', path });
    await client.until('gone', () => detail.gone !== undefined);
    expect(detail.gone?.at).not.toBeNull();
    expect(new Set(detail.versions.map(({ object }) => object.metadata?.['resourceVersion'])).size).toBe(
      detail.versions.length,
    );
  });
});
