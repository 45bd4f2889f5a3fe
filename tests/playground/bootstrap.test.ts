import { afterAll, beforeAll, expect, test } from 'vitest';
import { createObject } from '../../src/playground/objects/objects.ts';
import { resourceAt } from '../../src/playground/life/write.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { at, type Obj, recs } from '../../src/playground/kit/values.ts';
import { json, send, stream } from './client.ts';
import { Lab } from './lab.ts';

let playground: Playground;
const rbac = '/apis/rbac.authorization.k8s.io/v1';

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const names = async (path: string) =>
  (await json<{ items: Obj[] }>(playground, 'GET', path)).items.map(({ metadata }) => metadata.name);

test('a server has the default roles, bound to their groups', async () => {
  expect(await names(`${rbac}/clusterroles`)).toEqual(
    expect.arrayContaining([
      'cluster-admin',
      'admin',
      'edit',
      'view',
      'system:basic-user',
      'system:discovery',
    ]),
  );
  const role = await json<Obj>(playground, 'GET', `${rbac}/clusterroles/system:public-info-viewer`);
  expect(role).toMatchObject({
    metadata: {
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    },
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }],
  });
  expect((await send(playground, { method: 'GET', path: '/version', token: null })).status).toBe(200);
  expect((await send(playground, { method: 'GET', path: '/api', token: null })).status).toBe(403);
});

test('each controller of the system has a role and a service account bound to it', async () => {
  const found = (await names(`${rbac}/clusterroles`)).filter((name) =>
    name?.startsWith('system:controller:'),
  );
  expect(found.length).toBeGreaterThan(30);
  const { items } = await json<{ items: Obj[] }>(playground, 'GET', `${rbac}/clusterrolebindings`);
  for (const name of found) {
    const binding = items.find(({ metadata }) => metadata.name === name);
    expect(binding).toMatchObject({
      roleRef: { kind: 'ClusterRole', name },
      subjects: [
        {
          kind: 'ServiceAccount',
          namespace: 'kube-system',
          name: name?.slice('system:controller:'.length),
        },
      ],
    });
  }
  expect(
    await json<Obj>(playground, 'GET', `${rbac}/clusterroles/system:controller:daemon-set-controller`),
  ).toMatchObject({
    rules: expect.arrayContaining([
      { verbs: ['get', 'list', 'watch'], apiGroups: ['apps', 'extensions'], resources: ['daemonsets'] },
    ]),
  });
  expect(await names(`${rbac}/namespaces/kube-system/roles`)).toContain(
    'extension-apiserver-authentication-reader',
  );
});

test('aggregated roles follow their source roles', () => {
  const lab = new Lab();
  const roles = 'rbac.authorization.k8s.io/clusterroles';
  const rulesOf = (name: string) => recs(lab.world.store.get(roles, name)?.['rules']);
  const reads = (name: string, resource: string) =>
    rulesOf(name).some(
      (rule) => (at(rule, 'resources') as string[] | undefined)?.includes(resource) === true,
    );
  expect(reads('view', 'pods/log')).toBe(true);
  expect(reads('view', 'secrets')).toBe(false);
  expect(reads('edit', 'secrets')).toBe(true);
  expect(reads('admin', 'rolebindings')).toBe(true);
  createObject(lab.world, resourceAt(lab.world, roles), '', {
    metadata: { name: 'see-kettles', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: [{ verbs: ['get'], apiGroups: ['example.org'], resources: ['kettles'] }],
  });
  lab.advance(1);
  expect(['view', 'edit', 'admin'].map((name) => reads(name, 'kettles'))).toEqual([true, true, true]);
});

test('every version of every group has its APIService, including those of custom resources', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  expect(await names(path)).toEqual(expect.arrayContaining(['v1.', 'v1.apps', 'v2.autoscaling']));
  expect(await json<Obj>(playground, 'GET', `${path}/v1.apps`)).toMatchObject({
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
    spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
  const definition = {
    metadata: { name: 'kettles.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'kettles', kind: 'Kettle' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await json(playground, 'POST', definitions, definition);
  expect(await names(path)).toContain('v1.example.org');
  await json(playground, 'DELETE', `${definitions}/kettles.example.org`);
  expect(await names(path)).not.toContain('v1.example.org');
});

test('an answer names its flow schema and priority level, a stream as well', async () => {
  const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
  const uid = async (plural: string, name: string) =>
    (await json<Obj>(playground, 'GET', `${flow}/${plural}/${name}`)).metadata.uid;
  const flowOf = (headers: Record<string, unknown>) => [
    headers['x-kubernetes-pf-flowschema-uid'],
    headers['x-kubernetes-pf-prioritylevel-uid'],
  ];
  const exempt = [await uid('flowschemas', 'exempt'), await uid('prioritylevelconfigurations', 'exempt')];
  const pods = '/api/v1/namespaces/default/pods';
  expect(flowOf((await send(playground, { method: 'GET', path: pods })).headers)).toEqual(exempt);
  const opened = await stream(playground, { method: 'GET', path: `${pods}?watch=1` });
  opened.close();
  expect(flowOf(opened.headers)).toEqual(exempt);
  const level = 'global-default';
  const other = [await uid('flowschemas', level), await uid('prioritylevelconfigurations', level)];
  const version = await send(playground, { method: 'GET', path: '/version', token: null });
  expect(flowOf(version.headers)).toEqual(other);
});
