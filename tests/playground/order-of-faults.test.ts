import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { json } from './client.ts';

/** Objects with several faults: which the API server tells, in its order, and what it leaves unsaid. */

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const core = '/api/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1/namespaces/default';
const port = { port: 80 };
const address = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const name = (kind: 'label' | 'subdomain') =>
  kind === 'label'
    ? "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
    : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

test.each<[string, string, object, string]>([
  [
    'a service whose address is none: nothing else is looked at',
    `${core}/services`,
    { clusterIP: 'x', ports: [{ ...port, name: 'A' }] },
    `Service "x" is invalid: spec.clusterIPs[0]: Invalid value: "x": ${address}`,
  ],
  [
    'a service whose ports share a name, one after the other',
    `${core}/services`,
    {
      ports: [
        { ...port, name: 'A' },
        { port: 81, name: 'a' },
        { port: 0, name: 'a' },
      ],
    },
    `Service "x" is invalid: [spec.ports[0].name: Invalid value: "A": ${name('label')}, spec.ports[2].name: Duplicate value: "a", spec.ports[2].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[2].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]`,
  ],
  [
    'a service of another name that wants families of addresses',
    `${core}/services`,
    { type: 'ExternalName', externalName: 'a.example.com', ipFamilies: ['IPv4'] },
    'Service "x" is invalid: spec.ipFamilies: Forbidden: may not be set for ExternalName services',
  ],
  [
    'a service reached from the machine itself',
    `${core}/services`,
    { ports: [port], externalIPs: ['127.0.0.1', 'x'] },
    `Service "x" is invalid: [spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), spec.externalIPs[1]: Invalid value: "x": ${address}]`,
  ],
  [
    'a claim of less than nothing, of two sources',
    `${core}/persistentvolumeclaims`,
    {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '-1Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    },
    'PersistentVolumeClaim "x" is invalid: [spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero, spec: Invalid value: {}: must match dataSourceRef]',
  ],
  [
    'a volume that holds something else',
    '/api/v1/persistentvolumes',
    { accessModes: ['ReadWriteOnce'], capacity: { b: '1', a: '0' }, csi: { driver: 'A_', volumeHandle: '' } },
    `PersistentVolume "x" is invalid: [spec.capacity: Unsupported value: {"a":"0","b":"1"}: supported values: "storage", spec.capacity[a]: Invalid value: "0": must be greater than zero, spec.csi.driver: Invalid value: "A_": ${name('subdomain')}, spec.csi.volumeHandle: Required value]`,
  ],
  [
    'an ingress with a path of no type: what stands behind it is not looked at',
    `${networking}/ingresses`,
    { ingressClassName: 'A_', rules: [{ http: { paths: [{ path: 'x', backend: {} }] } }] },
    `Ingress.networking.k8s.io "x" is invalid: [spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified, spec.ingressClassName: Invalid value: "A_": ${name('subdomain')}]`,
  ],
  [
    'an ingress to an object of no kind',
    `${networking}/ingresses`,
    { defaultBackend: { resource: { kind: '', name: 'a/b' } } },
    `Ingress.networking.k8s.io "x" is invalid: [spec.defaultBackend.resource.kind: Required value, spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/']`,
  ],
  [
    'a policy that excepts what it does not hold',
    `${networking}/networkpolicies`,
    {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8'] } }] }],
    },
    'NetworkPolicy.networking.k8s.io "x" is invalid: [spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`, spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`]',
  ],
  [
    'a deployment of an unknown strategy, whose pods end and have no image',
    '/apis/apps/v1/namespaces/default/deployments',
    {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'c' }] },
      },
      strategy: { type: 'X' },
    },
    'Deployment.apps "x" is invalid: [spec.template.spec.containers[0].image: Required value, spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always", spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"]',
  ],
  [
    'a stateful set that misses nobody at a time',
    '/apis/apps/v1/namespaces/default/statefulsets',
    {
      selector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
      template: { metadata: { labels: { a: 'b' } } },
      updateStrategy: { rollingUpdate: { maxUnavailable: 0 } },
    },
    'StatefulSet.apps "x" is invalid: [spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0, spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is \'In\' or \'NotIn\', spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"In"}]}]',
  ],
  [
    'a job that selects its pods itself and says none',
    '/apis/batch/v1/namespaces/default/jobs',
    {
      manualSelector: true,
      completionMode: 'X',
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    },
    'Job.batch "x" is invalid: [spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed", spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`]',
  ],
  [
    'an autoscaler of nothing, by metrics that say too little',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    {
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      maxReplicas: 0,
      metrics: [
        { type: '' },
        { type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'Value', value: '1' } } },
      ],
    },
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: [spec.maxReplicas: Invalid value: 0: must be greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.metrics[0].type: Required value: must specify a metric source type, spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource", spec.metrics[1].pods.metric.name: Invalid value: "a/b": may not contain \'/\', spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue]',
  ],
  [
    'a limit of pods with usual amounts, and one of a share below all',
    `${core}/limitranges`,
    {
      limits: [
        { type: 'Pod', default: { cpu: '1' }, max: { foo: '1' } },
        { type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } },
      ],
    },
    'LimitRange "x" is invalid: [spec.limits[0].max[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, spec.limits[0].max[foo]: Invalid value: "foo": must be a standard resource for containers, spec.limits[0].default: Forbidden: may not be specified when `type` is \'Pod\', spec.limits[1].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1]',
  ],
  [
    'a quota of a scope without a value',
    `${core}/resourcequotas`,
    {
      hard: { pods: '1' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] },
    },
    "ResourceQuota \"x\" is invalid: spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
  ],
])('%s', async (_what, path, spec, message) => {
  const answer = await json<{ message: string }>(playground, 'POST', path, { metadata: { name: 'x' }, spec });
  expect(answer.message).toBe(message);
});

test('a claim has both of its source fields, and loses an unsupported source', async () => {
  const create = async (name: string, fields: object) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields };
    const path = `${core}/persistentvolumeclaims`;
    const answer = await json<{ spec: { dataSource?: object; dataSourceRef?: object } }>(
      playground,
      'POST',
      path,
      { metadata: { name }, spec },
    );
    return [answer.spec.dataSource, answer.spec.dataSourceRef];
  };
  const other = { kind: 'PersistentVolumeClaim', name: 'o' };
  const made = { apiGroup: 'example.com', kind: 'Image', name: 'o' };
  expect(await create('a', { dataSource: other })).toEqual([other, other]);
  expect(await create('b', { dataSourceRef: made })).toEqual([made, made]);
  expect(await create('c', { dataSource: { kind: 'Pod', name: 'o' } })).toEqual([undefined, undefined]);
});
