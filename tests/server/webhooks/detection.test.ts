import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { patchTypes } from '../../../src/kube/change.ts';
import { createApp } from '../../../src/server/boot/app.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let playground: PlaygroundConsole;
let second: ReturnType<typeof createApp> | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  playground = await startPlaygroundConsole('shop', {
    webhooks: { allowPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'] },
  });
  second = createApp(playground.console.services);
  await second.ready();
}, 60_000);
afterAll(async () => {
  await second?.close();
  await playground.console.close();
  await receiver.close();
});

const setImage = (image: string) =>
  playground.transport.json({
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/shop/deployments/api',
    contentType: patchTypes.strategic,
    body: { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
  });

/** Adds a webhook whose messages come by a path of its own. */
async function webhookOf(person: TestPerson, path: string, events: readonly string[]): Promise<string> {
  const { secret } = await person.client.call('addWebhook', {
    params: { clusterId: playground.clusterId },
    body: { url: `http://127.0.0.1:${receiver.port}/${path}`, events: events as never },
  });
  return secret;
}

const at = (path: string): Received[] => receiver.received.filter((one) => one.path === `/${path}`);
const typesAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as { type: string }).type);

describe('what happens on a living cluster', () => {
  it('is told once, though two servers look: what breaks, that it recovered, and what somebody changed', async () => {
    const { console, companyId, owner, clusterId, transport } = playground;
    await transport.json({
      method: 'POST',
      path: '/apis/apps/v1/namespaces/shop/deployments',
      body: deploymentOf('shop', 'api', 'nginx:1.27', 3),
    });
    const [narrow, excluding] = [await console.person({ companyId }), await console.person({ companyId })];
    await console.grant(companyId, narrow.id, clusterId, teamRoles.Viewer, ['default']);
    await console.grant(companyId, excluding.id, clusterId, teamRoles.Viewer);
    await excluding.client.call('saveUserSettings', {
      params: { clusterId },
      body: { excludedNamespaces: ['shop'] },
    });
    const events = ['workload.trouble', 'workload.recovered', 'console.changed'];
    const secret = await webhookOf(owner, 'owner', events);
    await webhookOf(narrow, 'narrow', events);
    await webhookOf(excluding, 'excluding', events);

    await setImage('nginx:missing');
    await expect.poll(() => typesAt('owner'), { timeout: 40_000 }).toContain('workload.trouble');
    await setImage('nginx:1.27');
    await expect.poll(() => typesAt('owner'), { timeout: 40_000 }).toContain('workload.recovered');
    expect(typesAt('owner')).toEqual(['workload.trouble', 'workload.recovered']);
    const [trouble] = at('owner');
    if (trouble === undefined) throw new Error('Nothing came.');
    expect(new Verifier(secret).verify(trouble.body, trouble.headers)).toEqual({
      type: 'workload.trouble',
      timestamp: expect.any(String),
      data: {
        title: expect.stringMatching(/^shop\/api: /),
        cluster: { id: clusterId, name: expect.any(String) },
        object: { kind: 'deployment', namespace: 'shop', name: 'api' },
        state: expect.any(String),
        since: expect.any(String),
        url: expect.stringMatching(/\/clusters\/\d+\/.*api$/),
      },
    });

    await owner.client.call('runAction', {
      params: { clusterId, actionId: 'deployment.restart' },
      body: { refs: [{ kind: 'deployment', namespace: 'shop', name: 'api' }] },
    });
    await expect.poll(() => typesAt('owner'), { timeout: 20_000 }).toContain('console.changed');
    expect(typesAt('narrow')).toEqual([]);
    expect(typesAt('excluding')).toEqual([]);
  }, 120_000);
});
