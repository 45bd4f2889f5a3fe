import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../../src/contract/live.ts';
import { livePath } from '../../../src/contract/live-socket.ts';
import { permissions } from '../../../src/contract/permissions.ts';
import { createSetupLink } from '../../../src/server/access/accounts.ts';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';

describe('the main job over the wire', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole({
      config: { playground: true },
      playgroundArguments: ['--seed', 'none'],
    });
  });
  afterAll(() => console.close());

  it('from the set-up link to a list that changes', async () => {
    const client = console.visitor();
    const { url } = await createSetupLink(console.store, console.url);
    const token = url.split('#setup=')[1] ?? '';
    await client.call('setup', {
      body: { token, name: 'Robin Example', email: 'robin@example.org', password: testPassword },
    });
    await client.call('createCompany', { body: { name: 'Example' } });

    const [cluster] = await client.call('clusters', {});
    expect(cluster).toMatchObject({ source: 'playground' });
    const clusterId = cluster?.id ?? 0;
    const state = await client.call('clusterState', { params: { clusterId } });
    expect(state).toMatchObject({ status: 'reachable', version: expect.stringMatching(/^v1\./) });
    const held = await client.call('userPermissions', { params: { clusterId } });
    expect(held.map(({ name }) => name)).toEqual([...permissions]);

    const socket = new WebSocket(`${console.url.replace('http', 'ws')}${livePath}`, {
      headers: { origin: console.url, cookie: client.cookie },
    });
    const messages: ServerMessage[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as ServerMessage));
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(JSON.stringify({ type: 'subscribe', id: 1, clusterId, kind: 'namespace' }));
    await expect
      .poll(() => messages.some((message) => message.type === 'state' && message.state.status === 'live'), {
        timeout: 60_000,
      })
      .toBe(true);
    const created = await client.call('createNamespace', {
      params: { clusterId },
      body: { name: 'from-a-test', labels: { team: 'shop' } },
    });
    expect(created).toMatchObject({ name: 'from-a-test', labels: { team: 'shop' } });

    const namespaces = await client.call('namespaces', { params: { clusterId } });
    expect(namespaces.map(({ name }) => name)).toContain('from-a-test');
    await expect
      .poll(() =>
        messages.some(
          (message) => message.type === 'changes' && JSON.stringify(message.upserts).includes('from-a-test'),
        ),
      )
      .toBe(true);
    socket.terminate();
  });
});
