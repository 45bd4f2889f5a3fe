import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import type { Obj } from '../../src/playground/kit/values.ts';
import { json } from './client.ts';

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

interface Refusal {
  readonly code?: number;
  readonly message?: string;
}

const merge = 'application/merge-patch+json';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] };
const indexed = { completionMode: 'Indexed', completions: 3 };
const policy = (rule: object) => ({ podFailurePolicy: { rules: [rule] } });
const rule = 'spec.podFailurePolicy.rules[0]';

test.each<[string, object, string]>([
  [
    'an index that fails without a limit for indexes',
    policy({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }),
    `${rule}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
  ],
  [
    'a rule about nothing',
    policy({ action: 'FailJob' }),
    `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
  ],
  [
    'a success that is a failure',
    policy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }),
    `${rule}.onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`,
  ],
  [
    'codes out of order',
    policy({ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 1] } }),
    `${rule}.onExitCodes.values: Invalid value: [2,1]: must be ordered`,
  ],
  [
    'a container that is not there',
    policy({ action: 'FailJob', onExitCodes: { containerName: 'b', operator: 'In', values: [1] } }),
    `${rule}.onExitCodes.containerName: Invalid value: "b": must be one of the container or initContainer names in the pod template`,
  ],
  [
    'replacing pods before they failed under a failure policy',
    {
      ...policy({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
      podReplacementPolicy: 'TerminatingOrFailed',
    },
    'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
  ],
  [
    'early success without indexes',
    { successPolicy: { rules: [{ succeededCount: 1 }] } },
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
  ],
  [
    'indexes beyond the last',
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-9' }] } },
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-9": error parsing succeededIndexes: too large index: "9"',
  ],
  [
    'more successes than named indexes',
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }] } },
    'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
  ],
  [
    'a limit for indexes without indexes',
    { backoffLimitPerIndex: 1 },
    'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
  ],
  [
    'failed indexes without a limit for each',
    { ...indexed, maxFailedIndexes: 1 },
    'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
  ],
  [
    'a manager without a domain',
    { managedBy: 'me' },
    'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
])('a job with %s is refused', async (_what, spec, why) => {
  const body = { metadata: { name: 'x' }, spec: { template: { spec: pod }, ...spec } };
  const answer = await json<Refusal>(playground, 'POST', jobs, body);
  expect(answer).toMatchObject({ code: 422, message: `Job.batch "x" is invalid: ${why}` });
});

test("a job's scheduling fields may change while it is suspended and never ran; nothing else of its pods may", async () => {
  const spec = { suspend: true, template: { spec: pod } };
  await json(playground, 'POST', jobs, { metadata: { name: 'later' }, spec });
  const patch = (body: object) => json<Obj & Refusal>(playground, 'PATCH', `${jobs}/later`, body, merge);
  const placed = await patch({ spec: { template: { spec: { nodeSelector: { disk: 'fast' } } } } });
  expect(placed['spec']).toMatchObject({ template: { spec: { nodeSelector: { disk: 'fast' } } } });
  const other = await patch({ spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } });
  expect(other).toMatchObject({ code: 422 });
  expect(other.message).toMatch(
    /^Job\.batch "later" is invalid: spec\.template: Invalid value: \{"labels":\{.*"Spec":\{"Volumes":null,.*: field is immutable$/,
  );
  await patch({ spec: { suspend: false } });
  const late = await patch({ spec: { template: { spec: { nodeSelector: null } } } });
  expect(late).toMatchObject({ code: 422 });
});

test('a claim and a volume report the refused change line by line', async () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } };
  await json(playground, 'POST', claims, { metadata: { name: 'c' }, spec });
  const wish = { spec: { accessModes: ['ReadWriteMany'] } };
  const claim = await json<Refusal>(playground, 'PATCH', `${claims}/c`, wish, merge);
  expect(claim.message).toBe(
    'PersistentVolumeClaim "c" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -1,6 +1,6 @@\n {\n  "AccessModes": [\n-  "ReadWriteOnce"\n+  "ReadWriteMany"\n  ],\n  "Selector": null,\n  "Resources": {\n',
  );
  const volumes = '/api/v1/persistentvolumes';
  const made = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
  await json(playground, 'POST', volumes, { metadata: { name: 'v' }, spec: made });
  const moved = { spec: { hostPath: { path: '/y' } } };
  const volume = await json<Refusal>(playground, 'PATCH', `${volumes}/v`, moved, merge);
  expect(volume.message).toContain(
    'spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n',
  );
});

test('a service keeps its allocations while its type changes, and loses those that its new type lacks', async () => {
  const services = '/api/v1/namespaces/default/services';
  const create = (name: string, clusterIP: string) =>
    json<Obj & Refusal>(playground, 'POST', services, {
      metadata: { name },
      spec: { clusterIP, ports: [{ port: 80 }] },
    });
  const patch = (spec: object) =>
    json<Obj & { spec: { ports: { nodePort?: number }[]; clusterIP?: string } }>(
      playground,
      'PATCH',
      `${services}/a`,
      { spec },
      merge,
    );
  await create('a', '10.96.7.7');
  expect((await create('b', '10.96.7.7')).message).toBe(
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.7.7"]: failed to allocate IP 10.96.7.7: provided IP is already allocated',
  );
  const open = await patch({ type: 'NodePort' });
  const port = open.spec.ports[0]?.nodePort;
  expect(port).toBeGreaterThanOrEqual(30_000);
  const renamed = await patch({ ports: [{ port: 80, name: 'web' }] });
  expect(renamed.spec.ports).toMatchObject([{ port: 80, name: 'web', nodePort: port }]);
  const closed = await patch({ type: 'ClusterIP' });
  expect(closed.spec).toMatchObject({ clusterIP: '10.96.7.7' });
  expect(closed.spec.ports[0]?.nodePort).toBeUndefined();
  const elsewhere = await patch({ type: 'ExternalName', externalName: 'example.org' });
  expect(elsewhere.spec.clusterIP).toBeUndefined();
  expect((await create('b', '10.96.7.7')).spec).toMatchObject({ clusterIP: '10.96.7.7' });
  const addresses = await json<{ items: Obj[] }>(playground, 'GET', '/apis/networking.k8s.io/v1/ipaddresses');
  expect(addresses.items.find(({ metadata }) => metadata.name === '10.96.7.7')?.['spec']).toEqual({
    parentRef: { resource: 'services', namespace: 'default', name: 'b' },
  });
});
