import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';

/** What the API server says to writes that cannot follow what is stored: of a status, of times, of fixed fields. */
let playground: Playground;
const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const merge = 'application/merge-patch+json';
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'a:1' }] },
};
const selector = { matchLabels: { app: 'a' } };

interface Answer {
  readonly code?: number;
  readonly message?: string;
}
const call = (method: string, path: string, body?: object, type?: string) =>
  json<Answer & Record<string, unknown>>(playground, method, path, body, type);

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  await call('POST', `${apps}/deployments`, { metadata: { name: 'web' }, spec: { selector, template } });
  await call('POST', `${apps}/statefulsets`, { metadata: { name: 'db' }, spec: { selector, template } });
  await call('POST', `${core}/pods`, {
    metadata: { name: 'one' },
    spec: { ...template.spec, restartPolicy: 'Never' },
  });
  const state = { terminated: { exitCode: 0, reason: 'Completed' } };
  const status = { name: 'main', ready: false, restartCount: 0, image: 'a:1', imageID: '', state };
  await call('PATCH', `${core}/pods/one/status`, { status: { containerStatuses: [status] } }, merge);
  await call('POST', `${core}/services`, { metadata: { name: 'plain' }, spec: { ports: [{ port: 80 }] } });
  await call('POST', `${core}/configmaps`, { metadata: { name: 'held', finalizers: ['example.net/wait'] } });
  await call('DELETE', `${core}/configmaps/held`);
  await call('POST', '/apis/storage.k8s.io/v1/csidrivers', {
    metadata: { name: 'csi.example.net' },
    spec: {},
  });
});
afterAll(async () => {
  await playground.close();
});

const running = {
  name: 'main',
  ready: true,
  restartCount: 0,
  image: 'a:1',
  imageID: '',
  state: { running: {} },
};

test.each<[string, string, object, string]>([
  [
    'more ready replicas than there are',
    `${apps}/deployments/web/status`,
    { status: { replicas: 1, readyReplicas: 2 } },
    'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
  ],
  [
    'more available replicas than are ready',
    `${apps}/statefulsets/db/status`,
    { status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 } },
    'status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas',
  ],
  [
    'a negative count',
    `${apps}/deployments/web/status`,
    { status: { observedGeneration: -1 } },
    'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'another quality of service',
    `${core}/pods/one/status`,
    { status: { qosClass: 'Guaranteed' } },
    'status.qosClass: Invalid value: "Guaranteed": field is immutable',
  ],
  [
    'a container that ended and runs again',
    `${core}/pods/one/status`,
    { status: { containerStatuses: [running] } },
    'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
  ],
  [
    'an address of a service that has no balancer',
    `${core}/services/plain/status`,
    { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } },
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ],
  [
    'the end of a namespace that is not deleted',
    '/api/v1/namespaces/default/status',
    { status: { phase: 'Terminating' } },
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ],
  [
    'one more finalizer of what is being deleted',
    `${core}/configmaps/held`,
    { metadata: { finalizers: ['example.net/wait', 'example.net/more'] } },
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.net/more"}',
  ],
  [
    'a driver that attaches no more',
    '/apis/storage.k8s.io/v1/csidrivers/csi.example.net',
    { spec: { attachRequired: false } },
    'spec.attachedRequired: Invalid value: false: field is immutable',
  ],
])('refuses %s', async (_what, path, body, sentence) => {
  const answer = await call('PATCH', path, body, merge);
  expect({ code: answer.code, message: answer.message?.replace(/^.* is invalid: /, '') }).toEqual({
    code: 422,
    message: sentence,
  });
});

const event = {
  metadata: { name: 'told' },
  regarding: { kind: 'Pod', name: 'one', namespace: 'default' },
  type: 'Normal',
  reason: 'Told',
  note: 'what happened',
};
const complete = {
  eventTime: '2026-03-01T08:00:00.123456Z',
  action: 'Telling',
  reportingController: 'example.net/teller',
  reportingInstance: 'teller-1',
};

test('an events.k8s.io event names its reporter, and sets no deprecated field', async () => {
  const sentences = async (body: object) =>
    (await call('POST', events, body)).message?.replace(/^.* invalid: /, '');
  expect(await sentences(event)).toBe('eventTime: Required value');
  expect(await sentences({ ...event, eventTime: complete.eventTime })).toBe(
    '[reportingController: Required value, reportingController: Invalid value: "": name part must be non-empty, reportingInstance: Required value, action: Required value]',
  );
  expect(await sentences({ ...event, ...complete, deprecatedCount: 2 })).toBe(
    'count: Invalid value: "": needs to be unset',
  );
  await call('POST', events, { ...event, ...complete });
  expect(await call('GET', `${core}/events/told`)).toMatchObject({
    apiVersion: 'v1',
    message: 'what happened',
    reportingComponent: 'example.net/teller',
    involvedObject: event.regarding,
  });
});

test.each<[string, string]>([
  [
    'yesterday',
    'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  ],
  ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
  ['2026-02-29T00:00:00Z', 'parsing time "2026-02-29T00:00:00Z": day out of range'],
  [
    '2026-01-01T00:00:00',
    'parsing time "2026-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  ],
  ['2026-01-01T00:00:00Z and more', 'parsing time "2026-01-01T00:00:00Z and more": extra text: " and more"'],
])('refuses the time %s', async (creationTimestamp, sentence) => {
  const answer = await call('POST', `${core}/configmaps`, { metadata: { name: 'late', creationTimestamp } });
  expect(answer).toMatchObject({
    code: 400,
    message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${sentence}`,
  });
});

test('formats times in UTC and whole seconds', async () => {
  const at = '2026-03-01T10:00:00.5+02:00';
  const condition = { type: 'Available', status: 'True', lastUpdateTime: at, lastTransitionTime: at };
  const answer = await call(
    'PATCH',
    `${apps}/deployments/web/status`,
    { status: { conditions: [condition] } },
    merge,
  );
  expect(answer['status']).toEqual({
    conditions: [
      {
        type: 'Available',
        status: 'True',
        lastUpdateTime: '2026-03-01T08:00:00Z',
        lastTransitionTime: '2026-03-01T08:00:00Z',
      },
    ],
  });
});

test('refuses a number that does not fit into its field', async () => {
  const spec = { selector, template, replicas: 3_000_000_000 };
  expect(await call('POST', `${apps}/deployments`, { metadata: { name: 'many' }, spec })).toMatchObject({
    code: 400,
    message:
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
  });
});

test('an update of a pod keeps the tolerations and the priority that admission set', async () => {
  const spec = { ...template.spec, restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:2' }] };
  const answer = await call('PUT', `${core}/pods/one`, { metadata: { name: 'one' }, spec });
  expect(answer['spec']).toMatchObject({
    priority: 0,
    tolerations: [{ key: 'node.kubernetes.io/not-ready' }, {}],
  });
});

test('an eviction must name the pod of its path', async () => {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } };
  expect(await call('POST', `${core}/pods/one/eviction`, body)).toMatchObject({
    code: 400,
    message: 'name in URL does not match name in Eviction object',
  });
});

test('a dry run or a refused eviction does not change the pod', async () => {
  await call('POST', `${core}/pods`, { metadata: { name: 'tried' }, spec: template.spec });
  const before = await call('GET', `${core}/pods/tried`);
  const metadata = { name: 'tried' };
  const tried = { status: 'Success', code: 201 };
  expect(await call('POST', `${core}/pods/tried/eviction?dryRun=All`, { metadata })).toMatchObject(tried);
  const deleteOptions = { dryRun: ['All'] };
  expect(await call('POST', `${core}/pods/tried/eviction`, { metadata, deleteOptions })).toMatchObject(tried);
  const another = { preconditions: { uid: 'another' } };
  expect(
    await call('POST', `${core}/pods/tried/eviction`, { metadata, deleteOptions: another }),
  ).toMatchObject({ code: 409 });
  const target = { kind: 'Node', name: 'n' };
  expect(await call('POST', `${core}/pods/tried/binding?dryRun=All`, { metadata, target })).toMatchObject(
    tried,
  );
  expect(await call('GET', `${core}/pods/tried`)).toEqual(before);
  const other = { metadata: { name: 'other' }, target };
  expect(await call('POST', `${core}/pods/tried/binding`, other)).toMatchObject({
    code: 400,
    message: 'name in URL does not match name in Binding object',
  });
});
