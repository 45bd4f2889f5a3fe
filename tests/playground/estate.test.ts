import { X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowed, roleOf } from '../../src/playground/access/authorize.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { at, type Obj, recs, str } from '../../src/playground/kit/values.ts';
import { json } from './client.ts';

const minute = 60_000;
const clock = new ManualClock(Date.parse('2026-03-01T08:00:00Z'));
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company', controllers: true, clock, chance: 3 });
});
afterAll(async () => {
  await playground.close();
});

const list = (storage: string) => playground.world.store.list(storage);
function get(storage: string, key: string): Obj {
  const found = playground.world.store.get(storage, key);
  if (found === undefined) throw new Error(`there is no ${key} at ${storage}`);
  return found;
}
const condition = (object: Obj, type: string) =>
  recs(at(object, 'status', 'conditions')).find((item) => item['type'] === type);
const decoded = (secret: Obj, key: string) => Buffer.from(str(at(secret, 'data', key)), 'base64').toString();

test('has objects of all common kinds, and secrets of every type', () => {
  const storages = [
    'networking.k8s.io/ingresses',
    'networking.k8s.io/ingressclasses',
    'networking.k8s.io/networkpolicies',
    '/persistentvolumes',
    '/persistentvolumeclaims',
    'batch/cronjobs',
    'batch/jobs',
    'autoscaling/horizontalpodautoscalers',
    'policy/poddisruptionbudgets',
    '/resourcequotas',
    '/limitranges',
    'keda.sh/scaledobjects',
    'cert-manager.io/certificates',
    'cert-manager.io/clusterissuers',
    'gateway.networking.k8s.io/gatewayclasses',
    'gateway.networking.k8s.io/gateways',
    'gateway.networking.k8s.io/httproutes',
    'gateway.networking.k8s.io/grpcroutes',
    'gateway.networking.k8s.io/referencegrants',
    'admissionregistration.k8s.io/validatingwebhookconfigurations',
    'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    'scheduling.k8s.io/priorityclasses',
    'storage.k8s.io/storageclasses',
    'storage.k8s.io/csidrivers',
    'storage.k8s.io/csinodes',
    'rbac.authorization.k8s.io/roles',
    'rbac.authorization.k8s.io/rolebindings',
    'networking.k8s.io/ipaddresses',
    'networking.k8s.io/servicecidrs',
    '/endpoints',
    'discovery.k8s.io/endpointslices',
  ];
  for (const storage of storages) expect(list(storage).length, storage).toBeGreaterThan(0);
  expect(new Set(list('/secrets').map((secret) => secret['type']))).toEqual(
    new Set([
      'Opaque',
      'kubernetes.io/tls',
      'kubernetes.io/dockercfg',
      'kubernetes.io/dockerconfigjson',
      'kubernetes.io/basic-auth',
      'kubernetes.io/ssh-auth',
      'kubernetes.io/service-account-token',
      'bootstrap.kubernetes.io/token',
      'helm.sh/release.v1',
    ]),
  );
});

test('has people and workloads with working roles, and pods of different priorities', () => {
  const { store } = playground.world;
  const may = (name: string, groups: string[], verb: string, resource: string, namespace: string) =>
    allowed(store, { name, groups }, { verb, group: '', resource, subresource: '', namespace, name: '' });
  expect(may('ann', ['acme:support'], 'list', 'pods', 'payments')).toBe(true);
  expect(may('ann', ['acme:support'], 'list', 'secrets', 'payments')).toBe(false);
  expect(may('ann', ['acme:support'], 'list', 'pods', 'platform')).toBe(false);
  expect(may('bob', ['acme:shop-developers'], 'create', 'pods', 'shop')).toBe(true);
  const robot = 'system:serviceaccount:observability:prometheus';
  expect(may(robot, [], 'list', 'nodes', '')).toBe(true);
  const accounts = list('/pods').map((pod) => str(at(pod, 'spec', 'serviceAccountName')));
  expect(accounts).toEqual(expect.arrayContaining(['default', 'prometheus', 'cert-manager', 'checkout']));
  for (const binding of [
    ...list('rbac.authorization.k8s.io/rolebindings'),
    ...list('rbac.authorization.k8s.io/clusterrolebindings'),
  ]) {
    expect(
      roleOf(store, binding['roleRef'], binding.metadata.namespace ?? ''),
      binding.metadata.name ?? '',
    ).toBeDefined();
  }
  const priorities = new Set(list('/pods').map((pod) => at(pod, 'spec', 'priorityClassName')));
  expect(priorities).toEqual(
    new Set(['system-node-critical', 'system-cluster-critical', 'business-critical', 'standard', 'batch']),
  );
});

test('stores Helm releases as Helm 3 does: gzipped, in base64, with every revision', () => {
  const releases = list('/secrets')
    .filter((secret) => secret['type'] === 'helm.sh/release.v1')
    .map((secret) => {
      const body = JSON.parse(
        gunzipSync(Buffer.from(decoded(secret, 'release'), 'base64')).toString('utf8'),
      ) as {
        name: string;
        version: number;
        namespace: string;
        info: { status: string };
        manifest: string;
        chart: { metadata: { name: string } };
      };
      expect(secret.metadata.name).toBe(`sh.helm.release.v1.${body.name}.v${body.version}`);
      expect(secret.metadata.labels).toMatchObject({
        owner: 'helm',
        name: body.name,
        status: body.info.status,
        version: String(body.version),
      });
      expect(body.manifest).toContain(`# Source: ${body.chart.metadata.name}/templates/`);
      return body;
    });
  expect(new Set(releases.map(({ info }) => info.status))).toEqual(
    new Set(['deployed', 'superseded', 'failed']),
  );
  const installed = releases.filter(({ info }) => info.status === 'deployed');
  expect(installed.length).toBeGreaterThan(3);
  for (const { manifest, namespace } of installed) {
    for (const [, kind = '', name = ''] of manifest.matchAll(/^kind: (\w+)\nmetadata:\n {2}name: (\S+)$/gm)) {
      // What a release installed is there: its page would call it missing.
      get(kind === 'Service' ? '/services' : 'apps/deployments', `${namespace}/${name}`);
    }
  }
  const grafana = releases.filter(({ name }) => name === 'grafana');
  expect(grafana.map(({ version, info }) => [version, info.status])).toEqual([
    [1, 'superseded'],
    [2, 'failed'],
    [3, 'superseded'],
    [4, 'deployed'],
  ]);
});

test('stores a long-lived token of an existing account with its uid and the certificate authority', () => {
  const token = get('/secrets', 'platform/ci-runner-token');
  expect(token.metadata.annotations).toEqual({
    'kubernetes.io/service-account.name': 'ci-runner',
    'kubernetes.io/service-account.uid': get('/serviceaccounts', 'platform/ci-runner').metadata.uid,
  });
  expect(decoded(token, 'namespace')).toBe('platform');
  expect(decoded(token, 'ca.crt')).toBe(playground.authority);
});

test('issues certificates into secrets, renews them when due, and reports failures', () => {
  const key = 'platform/vault-internal';
  const before = get('cert-manager.io/certificates', key);
  const secret = () => get('/secrets', 'platform/vault-internal-tls');
  const first = new X509Certificate(decoded(secret(), 'tls.crt'));
  expect(first.subjectAltName).toBe('DNS:vault.platform.svc');
  expect(first.verify(first.publicKey)).toBe(true);
  expect(new Date(first.validTo).getTime()).toBe(Date.parse(str(at(before, 'status', 'notAfter'))));
  expect(condition(before, 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
  clock.advance(45 * minute);
  const after = get('cert-manager.io/certificates', key);
  expect(Number(at(after, 'status', 'revision'))).toBe(Number(at(before, 'status', 'revision')) + 1);
  expect(new X509Certificate(decoded(secret(), 'tls.crt')).serialNumber).not.toBe(first.serialNumber);
  expect(condition(get('cert-manager.io/certificates', 'platform/argocd'), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'DoesNotExist',
  });
});

test('scales by ScaledObjects: through an autoscaler, not while paused, and with errors', () => {
  const search = get('keda.sh/scaledobjects', 'shop/search');
  expect(condition(search, 'Ready')).toMatchObject({ status: 'True' });
  const hpa = get('autoscaling/horizontalpodautoscalers', `shop/${str(at(search, 'status', 'hpaName'))}`);
  expect(hpa.metadata.ownerReferences).toMatchObject([{ kind: 'ScaledObject', name: 'search' }]);
  clock.advance(2 * minute);
  const active = (object: Obj) => Date.parse(str(at(object, 'status', 'lastActiveTime')));
  expect(active(get('keda.sh/scaledobjects', 'shop/search'))).toBeGreaterThan(active(search));
  const builder = get('keda.sh/scaledobjects', 'batch/report-builder');
  expect(condition(builder, 'Paused')).toMatchObject({ status: 'True', reason: 'ScaledObjectPaused' });
  expect(at(get('apps/deployments', 'batch/report-builder'), 'spec', 'replicas')).toBe(2);
  expect(condition(get('keda.sh/scaledobjects', 'payments/settlement-worker'), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'TriggerError',
  });
});

test('serves its custom resources, and counts the usage of quotas', async () => {
  const found = await json<{ kind: string; items: Obj[] }>(
    playground,
    'GET',
    '/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects',
  );
  expect([found.kind, found.items.map((item) => item.metadata.name)]).toEqual([
    'ScaledObjectList',
    ['search'],
  ]);
  const quota = get('/resourcequotas', 'shop/team');
  expect(Number(at(quota, 'status', 'used', 'pods'))).toBeGreaterThan(20);
  expect(at(quota, 'status', 'hard', 'pods')).toBe('60');
});

test('has a recurring incident: a release that cannot be pulled, its alarm, its rollback', () => {
  const image = () => {
    const deployment = get('apps/deployments', 'platform/feature-flags');
    return str(recs(at(deployment, 'spec', 'template', 'spec', 'containers'))[0]?.['image']);
  };
  const said = (reason: string) =>
    list('/events').some(
      (event) => event['reason'] === reason && at(event, 'involvedObject', 'name') === 'feature-flags',
    );
  const seen: string[] = [];
  for (let round = 0; round < 80; round++) {
    clock.advance(minute / 2);
    if (seen.at(-1) !== image()) seen.push(image());
  }
  const good = 'registry.acme.example/platform/feature-flags:2.14.0';
  expect(new Set(seen)).toEqual(new Set([good, `${good}-missing`]));
  expect(said('RolloutStuck')).toBe(true);
  expect(said('RolledBack')).toBe(true);
  // The good release stood all the while.
  expect(at(get('apps/deployments', 'platform/feature-flags'), 'status', 'availableReplicas')).toBe(2);
});
