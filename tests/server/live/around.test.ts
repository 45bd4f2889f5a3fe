import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
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

const post = (path: string, body: object) => playground.transport.json({ method: 'POST', path, body });
const open = (kind: string, name: string) =>
  client.open({ clusterId: playground.clusterId, kind, namespace: 'shop', name });

/** A Deployment without pods that uses what does not exist. */
const hollow = (name: string) => {
  const { spec, ...deployment } = deploymentOf('shop', name, 'nginx:1.27', 0);
  const { containers, ...podSpec } = spec.template.spec;
  const envFrom = [
    { configMapRef: { name: 'settings' } },
    { secretRef: { name: 'extra', optional: true } },
    { configMapRef: { name: 'kube-root-ca.crt' } },
  ];
  return {
    ...deployment,
    spec: {
      ...spec,
      template: {
        ...spec.template,
        spec: {
          ...podSpec,
          serviceAccountName: 'robot',
          containers: containers.map((container) => ({ ...container, envFrom })),
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'store' } }],
        },
      },
    },
  };
};

describe('troubles of an object that come from its surroundings', () => {
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

  test('references to missing objects are reported until the objects exist', async () => {
    await post('/apis/apps/v1/namespaces/shop/deployments', hollow('api'));
    const page = open('deployment', 'api');
    const missing = () => [...(page.view?.missing ?? [])].sort();
    const all = [
      '~ ConfigMap shop/settings',
      '~ PersistentVolumeClaim shop/store',
      '~ Secret shop/extra',
      '~ ServiceAccount shop/robot',
    ];
    await client.until('all are said', () => missing().length === all.length);
    expect(missing()).toEqual(all);
    await post('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'settings' } });
    await post('/api/v1/namespaces/shop/serviceaccounts', { metadata: { name: 'robot' } });
    await client.until('two exist', () => missing().length === 2);
    expect(missing()).toEqual(['~ PersistentVolumeClaim shop/store', '~ Secret shop/extra']);
    await playground.transport.json({
      method: 'DELETE',
      path: '/api/v1/namespaces/shop/configmaps/settings',
    });
    await client.until('one is gone again', () => missing().includes('~ ConfigMap shop/settings'));
  });

  test('an ingress says that its class and Secret do not exist, an autoscaler that its target does not', async () => {
    await post('/apis/networking.k8s.io/v1/namespaces/shop/ingresses', {
      metadata: { name: 'secure' },
      spec: {
        ingressClassName: 'nowhere',
        tls: [{ hosts: ['shop.example.org'], secretName: 'certificate' }],
        defaultBackend: { service: { name: 'nobody', port: { number: 80 } } },
      },
    });
    const ingress = open('ingress', 'secure');
    await client.until('all three', () => ingress.view?.missing.length === 3);
    expect([...(ingress.view?.missing ?? [])].sort()).toEqual([
      'networking.k8s.io IngressClass /nowhere',
      '~ Secret shop/certificate',
      '~ Service shop/nobody',
    ]);
    await post('/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers', {
      metadata: { name: 'scaler' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' }, maxReplicas: 3 },
    });
    const scaler = open('hpa', 'scaler');
    await client.until('its target', () => scaler.view?.missing[0] === 'apps Deployment shop/none');
  });

  test('the existence of an object is not revealed to people who may not view its kind', async () => {
    await post('/apis/apps/v1/namespaces/shop/deployments', hollow('worker'));
    const { console, companyId, clusterId } = playground;
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const own = await openLive(console.url, { origin: console.url, cookie: viewer.client.cookie });
    const spec = { clusterId, kind: 'deployment', namespace: 'shop', name: 'worker' };
    const [seen, all] = [own.open(spec), client.open(spec)];
    await client.until('the owner is told', () => all.view?.missing.includes('~ Secret shop/extra') === true);
    await own.until(
      'the viewer is told of others',
      () => seen.view?.missing.includes('~ PersistentVolumeClaim shop/store') === true,
    );
    expect(seen.view?.missing.filter((key) => key.startsWith('~ Secret'))).toEqual([]);
    own.socket.terminate();
  });
});
