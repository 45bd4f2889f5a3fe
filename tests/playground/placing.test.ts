import { describe, expect, test } from 'vitest';
import { create, put } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, rec, recs } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

function pod(lab: Lab, name: string, spec: Rec = {}, labels: Record<string, string> = {}): void {
  const { resources, ...rest } = structuredClone(spec);
  create(lab.world, '/pods', 'default', {
    metadata: { name, labels },
    spec: {
      containers: [
        { name: 'main', image: 'example/app:1', ...(resources === undefined ? {} : { resources }) },
      ],
      ...rest,
    },
  });
}
const why = (lab: Lab, name: string) => lab.condition(lab.get('/pods', name), 'PodScheduled')['message'];
const nodeOf = (lab: Lab, name: string) => at(lab.get('/pods', name), 'spec', 'nodeName');
function changeNode(lab: Lab, name: string, spec: Rec, status?: Rec): void {
  const node = lab.world.store.get('/nodes', name) as Obj;
  put(lab.world, '/nodes', {
    ...node,
    spec: { ...rec(node['spec']), ...spec },
    status: { ...rec(node['status']), ...status },
  });
}
const tail = (help: string) => `. no new claims to deallocate, preemption: 0/3 nodes are available: ${help}.`;
const helpless = tail('3 Preemption is not helpful for scheduling');

describe('the scheduler', () => {
  test('reports in one sentence why each node refuses', () => {
    const lab = new Lab();
    changeNode(lab, 'node-1', { unschedulable: true });
    changeNode(lab, 'node-2', { taints: [{ key: 'team', value: 'data', effect: 'NoSchedule' }] });
    lab.advance(1);
    pod(lab, 'picky', { nodeSelector: { disk: 'ssd' } });
    lab.advance(1);
    expect(why(lab, 'picky')).toBe(
      `0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable${helpless}`,
    );
  });

  test('distinguishes resources in use from those that no node has', () => {
    const lab = new Lab();
    for (const name of ['a', 'b', 'c']) pod(lab, name, { resources: { requests: { cpu: '3' } } });
    lab.advance(5);
    pod(lab, 'late', { resources: { requests: { cpu: '2' } } });
    pod(lab, 'odd', {
      resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
    });
    lab.advance(1);
    expect(why(lab, 'late')).toBe(
      `0/3 nodes are available: 3 Insufficient cpu${tail('3 No preemption victims found for incoming pod')}`,
    );
    expect(why(lab, 'odd')).toBe(`0/3 nodes are available: 3 Insufficient example.com/gpu${helpless}`);
    lab.remove('/pods', 'b');
    lab.advance(15);
    expect(nodeOf(lab, 'late')).toBeDefined();
  });

  test('respects affinity, anti-affinity, spread and host ports', () => {
    const lab = new Lab();
    const apart = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'lone' } } },
          ],
        },
      },
    };
    for (const name of ['one', 'two', 'three', 'four']) pod(lab, name, apart, { app: 'lone' });
    lab.advance(5);
    expect(new Set(['one', 'two', 'three'].map((name) => nodeOf(lab, name))).size).toBe(3);
    expect(why(lab, 'four')).toContain("3 node(s) didn't match pod anti-affinity rules");
    const port = { containers: [{ name: 'main', image: 'x', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    for (const name of ['p1', 'p2', 'p3', 'p4']) pod(lab, name, port);
    lab.advance(5);
    expect(why(lab, 'p4')).toContain("3 node(s) didn't have free ports for the requested pod ports");
  });

  test('waits for claims: missing, unbound, or bound once a pod needs them', () => {
    const lab = new Lab();
    const using = (claim: string) => ({
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
    });
    const claim = (name: string, storageClassName: string) =>
      create(lab.world, '/persistentvolumeclaims', 'default', {
        metadata: { name },
        spec: {
          storageClassName,
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
        },
      });
    pod(lab, 'early', using('nowhere'));
    lab.advance(1);
    expect(why(lab, 'early')).toBe(
      '0/3 nodes are available: persistentvolumeclaim "nowhere" not found. not found',
    );
    claim('manual', 'by-hand');
    pod(lab, 'patient', using('manual'));
    lab.advance(2);
    expect(why(lab, 'patient')).toBe(
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
    );
    expect(lab.events('manual')).toContain(
      'Warning ProvisioningFailed: storageclass.storage.k8s.io "by-hand" not found',
    );
    create(lab.world, '/persistentvolumes', '', {
      metadata: { name: 'disk-1' },
      spec: {
        storageClassName: 'by-hand',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '2Gi' },
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path: '/disk' },
      },
    });
    lab.advance(20);
    expect(at(lab.get('/persistentvolumeclaims', 'manual'), 'status', 'capacity', 'storage')).toBe('2Gi');
    expect(nodeOf(lab, 'patient')).toBeDefined();
    create(lab.world, 'storage.k8s.io/storageclasses', '', {
      metadata: { name: 'lazy' },
      provisioner: 'csi.example.net',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    claim('lazy', 'lazy');
    lab.advance(5);
    expect(lab.events('lazy')).toEqual([
      'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
    ]);
    pod(lab, 'first', using('lazy'));
    lab.advance(20);
    expect(at(lab.get('/persistentvolumeclaims', 'lazy'), 'status', 'phase')).toBe('Bound');
    expect(nodeOf(lab, 'first')).toBeDefined();
    lab.remove('/pods', 'patient');
    lab.remove('/persistentvolumeclaims', 'manual');
    lab.advance(60);
    expect(at(lab.world.store.get('/persistentvolumes', 'disk-1'), 'status', 'phase')).toBe('Released');
  });
});

describe('a node', () => {
  test('is tainted while it is cordoned', () => {
    const lab = new Lab();
    changeNode(lab, 'node-1', { unschedulable: true });
    lab.advance(1);
    const taints = () => recs(at(lab.world.store.get('/nodes', 'node-1'), 'spec', 'taints'));
    expect(taints()).toEqual([
      {
        key: 'node.kubernetes.io/unschedulable',
        effect: 'NoSchedule',
        timeAdded: expect.any(String) as string,
      },
    ]);
    changeNode(lab, 'node-1', { unschedulable: false });
    lab.advance(1);
    expect(taints()).toEqual([]);
  });

  test('whose kubelet is silent loses its pods after their toleration time', () => {
    const lab = new Lab();
    lab.deploy('shop', { replicas: 3 });
    lab.advance(20);
    const node = lab.world.store.get('/nodes', 'node-1');
    const conditions = recs(at(node, 'status', 'conditions')).map((item) =>
      item['type'] === 'Ready' ? { ...item, status: 'Unknown', reason: 'NodeStatusUnknown' } : item,
    );
    changeNode(lab, 'node-1', {}, { conditions });
    lab.advance(2);
    const there = () => lab.pods('shop').filter((item) => at(item, 'spec', 'nodeName') === 'node-1');
    expect(there()).toHaveLength(1);
    expect(lab.condition(there()[0] as Obj, 'Ready')['status']).toBe('False');
    const [name] = there().map((item) => item.metadata.name ?? '');
    lab.advance(310);
    expect(lab.events(name ?? '')).toContain(
      `Normal TaintManagerEviction: Marking for deletion Pod default/${name}`,
    );
    expect(there()).toEqual([]);
    expect(lab.statuses('shop')).toEqual(['Running', 'Running', 'Running']);
  });
});

test("a service has Endpoints and slices with its pods' ports, and none without pods", () => {
  const lab = new Lab();
  create(lab.world, '/services', 'default', {
    metadata: { name: 'shop' },
    spec: { selector: { app: 'shop' }, ports: [{ name: 'web', port: 80, targetPort: 'http' }] },
  });
  lab.advance(1);
  const slices = () =>
    lab.world.store
      .list('discovery.k8s.io/endpointslices', 'default/')
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'shop');
  expect(slices().map(({ endpoints, ports }) => ({ endpoints, ports }))).toEqual([
    { endpoints: null, ports: null },
  ]);
  for (const name of ['shop-1', 'shop-2']) {
    const containers = [{ name: 'main', image: 'x', ports: [{ name: 'http', containerPort: 8080 }] }];
    pod(lab, name, { containers }, { app: 'shop' });
  }
  lab.advance(20);
  expect(slices().map(({ ports }) => ports)).toEqual([[{ name: 'web', protocol: 'TCP', port: 8080 }]]);
  expect(recs(slices()[0]?.['endpoints'])).toHaveLength(2);
  const [subset] = recs(lab.get('/endpoints', 'shop')['subsets']);
  expect(subset).toMatchObject({ ports: [{ name: 'web', port: 8080 }] });
  expect(recs(subset?.['addresses'])).toHaveLength(2);
  lab.remove('/services', 'shop');
  lab.advance(5);
  expect(slices()).toEqual([]);
  expect(lab.world.store.get('/endpoints', 'default/shop')).toBeUndefined();
});

test('a namespace that cannot be deleted reports its remaining contents and finalizers', () => {
  const lab = new Lab();
  create(lab.world, '/namespaces', '', { metadata: { name: 'old' } });
  lab.advance(1);
  create(lab.world, '/configmaps', 'old', { metadata: { name: 'kept', finalizers: ['example.net/held'] } });
  const namespace = () => lab.world.store.get('/namespaces', 'old') as Obj;
  put(lab.world, '/namespaces', {
    ...namespace(),
    metadata: { ...namespace().metadata, deletionTimestamp: '2026-03-01T08:00:05Z' },
    status: { phase: 'Terminating' },
  });
  lab.advance(5);
  expect(lab.condition(namespace(), 'NamespaceContentRemaining')).toMatchObject({
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: 'Some resources are remaining: configmaps. has 1 resource instances',
  });
  expect(lab.condition(namespace(), 'NamespaceFinalizersRemaining')).toMatchObject({
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message:
      'Some content in the namespace has finalizers remaining: example.net/held in 1 resource instances',
  });
});

describe('an autoscaler', () => {
  const make = (lab: Lab, behavior?: Rec) => {
    lab.deploy('shop', { replicas: 2, resources: { requests: { cpu: '100m' } } });
    lab.advance(20);
    create(lab.world, 'autoscaling/horizontalpodautoscalers', 'default', {
      metadata: { name: 'shop' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
        ...(behavior === undefined ? {} : { behavior }),
      },
    });
  };
  const use = (lab: Lab, cpu: string) => {
    for (const item of lab.pods('shop')) {
      const annotations = { ...item.metadata.annotations, 'playground/usage': `cpu=${cpu},memory=32Mi` };
      put(lab.world, '/pods', { ...item, metadata: { ...item.metadata, annotations } });
    }
  };
  const replicas = (lab: Lab) => at(lab.deployment('shop'), 'spec', 'replicas');
  const condition = (lab: Lab, type: string) =>
    lab.condition(lab.get('autoscaling/horizontalpodautoscalers', 'shop'), type)['reason'];

  test('grows at once and shrinks only after five minutes of lower load', () => {
    const lab = new Lab();
    make(lab);
    use(lab, '100m');
    lab.advance(16);
    expect(replicas(lab)).toBe(4);
    lab.advance(20);
    use(lab, '10m');
    lab.advance(30);
    expect([replicas(lab), condition(lab, 'AbleToScale')]).toEqual([4, 'ScaleDownStabilized']);
    lab.advance(330);
    expect(replicas(lab)).toBe(1);
  });

  test('follows the policies of its behaviour', () => {
    const lab = new Lab();
    make(lab, { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } });
    use(lab, '400m');
    lab.advance(16);
    expect([replicas(lab), condition(lab, 'ScalingLimited')]).toEqual([3, 'ScaleUpLimit']);
    lab.advance(30);
    use(lab, '400m');
    expect(replicas(lab)).toBe(3);
    lab.advance(45);
    expect(replicas(lab)).toBe(4);
  });

  test('reports metrics that it cannot read', () => {
    const lab = new Lab();
    make(lab);
    const object = lab.get('autoscaling/horizontalpodautoscalers', 'shop');
    const metrics = [
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } } },
    ];
    lab.change('autoscaling/horizontalpodautoscalers', {
      ...object,
      spec: { ...rec(object['spec']), metrics },
    });
    lab.advance(16);
    expect(condition(lab, 'ScalingActive')).toBe('FailedGetExternalMetric');
    expect(lab.events('shop').join('\n')).toMatch(
      /failed to get external metric value: unable to get external metric default\/[\w-]+\/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource/,
    );
    expect(lab.events('shop').some((event) => event.includes('FailedComputeMetricsReplicas'))).toBe(true);
  });
});

test('similar events are combined after ten, equal ones counted, a flood is dropped', () => {
  const lab = new Lab();
  lab.deploy('shop', { replicas: 30 });
  lab.advance(5);
  const told = lab.world.store
    .list('/events', 'default/')
    .filter((event) => at(event, 'involvedObject', 'kind') === 'ReplicaSet');
  const combined = told.find((event) =>
    String(event['message']).startsWith('(combined from similar events): '),
  );
  expect(told).toHaveLength(10);
  expect(combined).toMatchObject({ reason: 'SuccessfulCreate', count: 16, reportingComponent: '' });
});
