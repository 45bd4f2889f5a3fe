import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { type LiveClient, openLive } from './live-client.ts';

let playground: PlaygroundConsole;
let client: LiveClient;

beforeAll(async () => {
  playground = await startPlaygroundConsole('shop');
  const { console, owner } = playground;
  client = await openLive(console.url, { origin: console.url, cookie: owner.client.cookie });
}, 60_000);
afterAll(async () => {
  client.socket.terminate();
  await playground.console.close();
});

const post = (path: string, body: object) => playground.transport.json({ method: 'POST', path, body });
const open = (kind: string, name: string) =>
  client.open({ clusterId: playground.clusterId, kind, namespace: 'shop', name });

describe('what an object’s page says of it because of what stands around it', () => {
  test('an ingress names the service that does not exist, until it does', async () => {
    await post('/apis/networking.k8s.io/v1/namespaces/shop/ingresses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'front' },
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'storefront', port: { number: 80 } } },
      },
    });
    const page = open('ingress', 'front');
    const rules = () => page.view?.attention.map(({ rule }) => rule);
    await client.until('it says so', () => rules()?.[0] === 'ingress.no-backend');
    expect(page.view?.attention[0]?.detail).toContain('storefront');
    await post('/api/v1/namespaces/shop/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'storefront' },
      spec: { selector: { app: 'storefront' }, ports: [{ port: 80 }] },
    });
    await client.until('it is well', () => rules()?.length === 0);
  });

  test('a job that a quota keeps from starting says so in the cluster’s words', async () => {
    await post('/api/v1/namespaces/shop/resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none' },
      spec: { hard: { pods: '0' } },
    });
    await post('/apis/batch/v1/namespaces/shop/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'report' },
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox:1.37' }] },
        },
      },
    });
    const page = open('job', 'report');
    await client.until('it says so', () => page.view?.attention[0]?.rule === 'job.blocked');
    expect(page.view?.attention[0]).toMatchObject({
      title: 'Its pods cannot be created: the quota of the namespace is used up.',
      detail: expect.stringContaining('exceeded quota: none'),
    });
  });
});
