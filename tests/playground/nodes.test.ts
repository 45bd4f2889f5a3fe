import { beforeEach, describe, expect, test } from 'vitest';
import { behaviourNote } from '../../src/playground/kit/behaviour.ts';
import { create, resourceAt } from '../../src/playground/life/write.ts';
import { measured, offerMetrics } from '../../src/playground/metrics/serve.ts';
import { at, type Obj, type Rec, rec } from '../../src/playground/kit/values.ts';
import { Lab } from './lab.ts';

let lab: Lab;

beforeEach(() => {
  lab = new Lab();
});

const node = (name: string): Obj => {
  const found = lab.world.store.get('/nodes', name);
  if (found === undefined) throw new Error(`there is no node ${name}`);
  return found;
};

/** Asks something of a node, or nothing any more. */
function ask(name: string, word: string | undefined): void {
  const { annotations = {}, ...metadata } = node(name).metadata;
  const { [behaviourNote]: _old, ...others } = annotations;
  const next = word === undefined ? others : { ...others, [behaviourNote]: word };
  lab.change('/nodes', { ...node(name), metadata: { ...metadata, annotations: next } });
}

const respec = (name: string, fields: Rec) =>
  lab.change('/nodes', { ...node(name), spec: { ...rec(node(name)['spec']), ...fields } });
const taints = (name: string) => at(node(name), 'spec', 'taints');
const podOn = (name: string) => lab.pods('shop').find((pod) => at(pod, 'spec', 'nodeName') === name);

describe('a node whose kubelet is silent', () => {
  test('is unknown after 50 s, and its pods are replaced after 300 s and remain until it is back', () => {
    lab.deploy('shop', { replicas: 3 });
    lab.advance(20);
    const pod = podOn('node-1')?.metadata.name ?? '';
    ask('node-1', 'silent');
    lab.advance(40);
    expect(lab.condition(node('node-1'), 'Ready')).toMatchObject({ status: 'True' });
    lab.advance(25);
    for (const type of ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']) {
      expect(lab.condition(node('node-1'), type)).toMatchObject({
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      });
    }
    expect(lab.events('node-1')).toContain('Normal NodeNotReady: Node node-1 status is now: NodeNotReady');
    expect(taints('node-1')).toMatchObject([
      { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
    ]);
    expect(lab.condition(lab.get('/pods', pod), 'Ready')['status']).toBe('False');
    offerMetrics(lab.world);
    const use = (plural: string) =>
      measured(lab.world, resourceAt(lab.world, `metrics.k8s.io/${plural}`), '').map(
        (item) => item.metadata.name,
      );
    expect(use('nodes')).toEqual(['node-2', 'node-3']);
    expect(use('pods')).toHaveLength(2);
    lab.advance(305);
    expect(lab.get('/pods', pod).metadata.deletionTimestamp).toBeDefined();
    expect(lab.condition(lab.get('/pods', pod), 'DisruptionTarget')).toMatchObject({
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    });
    expect(lab.statuses('shop').filter((status) => status === 'Running')).toHaveLength(3);
    lab.advance(600);
    expect(lab.get('/pods', pod).metadata.deletionTimestamp).toBeDefined();
    ask('node-1', undefined);
    lab.advance(10);
    expect(lab.condition(node('node-1'), 'Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    expect(lab.events('node-1')).toContain('Normal NodeReady: Node node-1 status is now: NodeReady');
    expect(taints('node-1')).toBeUndefined();
    expect(lab.pods('shop').map((item) => item.metadata.name)).not.toContain(pod);
  });

  test('keeps its pods when it comes back in time', () => {
    lab.deploy('shop', { replicas: 3 });
    lab.advance(20);
    const pod = podOn('node-1')?.metadata.name ?? '';
    ask('node-1', 'silent');
    lab.advance(120);
    ask('node-1', undefined);
    lab.advance(400);
    expect(lab.get('/pods', pod).metadata.deletionTimestamp).toBeUndefined();
    expect(lab.condition(lab.get('/pods', pod), 'Ready')['status']).toBe('True');
    expect(lab.events(pod)).toContain(
      `Normal TaintManagerEviction: Cancelling deletion of Pod default/${pod}`,
    );
  });
});

test("a node's faults appear in its conditions and taints", () => {
  for (const [word, type, reason, event, key] of [
    ['not-ready', 'Ready', 'KubeletNotReady', 'NodeNotReady', 'not-ready'],
    [
      'memory-pressure',
      'MemoryPressure',
      'KubeletHasInsufficientMemory',
      'NodeHasInsufficientMemory',
      'memory-pressure',
    ],
    ['disk-pressure', 'DiskPressure', 'KubeletHasDiskPressure', 'NodeHasDiskPressure', 'disk-pressure'],
  ] as const) {
    ask('node-2', word);
    lab.advance(2);
    expect(lab.condition(node('node-2'), type)).toMatchObject({ reason });
    expect(lab.events('node-2')).toContain(`Normal ${event}: Node node-2 status is now: ${event}`);
    expect(taints('node-2')).toMatchObject([
      { key: `node.kubernetes.io/${key}` },
      ...(key === 'not-ready' ? [{}] : []),
    ]);
    ask('node-2', undefined);
    lab.advance(2);
    expect(taints('node-2')).toBeUndefined();
  }
});

test.each([
  [
    'memory-pressure',
    'memory',
    /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: 71284Ki\. Container main was using \d+Ki, request is 0, has larger consumption of memory\. $/,
  ],
  [
    'disk-pressure',
    'ephemeral-storage',
    /^The node was low on resource: ephemeral-storage\. Threshold quantity: \d+, available: \d+Ki\. Container main was using \d+Ki, request is 0, has larger consumption of ephemeral-storage\. $/,
  ],
])(
  'a node under %s evicts pods one at a time, first those above their requests',
  (word, resource, message) => {
    lab = new Lab({ nodes: 2 });
    lab.deploy('careful', {
      replicas: 2,
      resources: { requests: { memory: '1Gi', 'ephemeral-storage': '20Gi' } },
    });
    lab.deploy('greedy', { replicas: 4 });
    lab.advance(20);
    const evicted = () => lab.pods().filter((pod) => at(pod, 'status', 'reason') === 'Evicted');
    ask('node-2', word);
    lab.advance(15);
    const [first, ...others] = evicted();
    expect(others).toEqual([]);
    expect(first?.metadata.labels?.['app']).toBe('greedy');
    expect(at(first, 'spec', 'nodeName')).toBe('node-2');
    expect(first?.['status']).toMatchObject({ phase: 'Failed', message: expect.stringMatching(message) });
    expect(lab.condition(first as Obj, 'DisruptionTarget')).toMatchObject({ reason: 'TerminationByKubelet' });
    expect(lab.events('node-2')).toContain(`Warning EvictionThresholdMet: Attempting to reclaim ${resource}`);
    lab.advance(270);
    expect(evicted()).toHaveLength(1);
    lab.advance(30);
    expect(evicted()).toHaveLength(2);
    expect(lab.statuses('greedy').filter((status) => status === 'Running')).toHaveLength(4);
    ask('node-2', undefined);
    lab.advance(900);
    expect(evicted()).toHaveLength(2);
  },
);

test("metrics show a node's lack of memory, and the evicted pods are above their requests", () => {
  lab.deploy('shop', { replicas: 3, resources: { requests: { memory: '512Mi' } } });
  lab.advance(20 * 60);
  ask('node-2', 'memory-pressure');
  offerMetrics(lab.world);
  const [use] = measured(lab.world, resourceAt(lab.world, 'metrics.k8s.io/nodes'), '').filter(
    (item) => item.metadata.name === 'node-2',
  );
  const amount = (quantity: unknown) => Number.parseInt(String(quantity), 10);
  const all = amount(at(node('node-2'), 'status', 'capacity', 'memory'));
  expect(all - amount(at(use, 'usage', 'memory'))).toBe(71_284);
  lab.advance(15);
  const [gone] = lab.pods('shop').filter((pod) => at(pod, 'status', 'reason') === 'Evicted');
  const [, used] = /was using (\d+)Ki, request is 512Mi,/.exec(String(at(gone, 'status', 'message'))) ?? [];
  expect(Number(used)).toBeGreaterThan(512 * 1024);
});

test('a kubelet short of memory admits no best-effort pod, unless it tolerates that', () => {
  ask('node-1', 'memory-pressure');
  lab.advance(2);
  const pod = (name: string, spec: Rec) => {
    create(lab.world, '/pods', 'default', {
      metadata: { name },
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'example/app:1' }], ...spec },
    });
    lab.advance(2);
    return lab.get('/pods', name)['status'];
  };
  expect(pod('idle', {})).toMatchObject({
    phase: 'Failed',
    reason: 'Evicted',
    message: 'Pod was rejected: The node had condition: [MemoryPressure]. ',
  });
  const tolerations = [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' }];
  expect(pod('agent', { tolerations })).toMatchObject({ phase: expect.stringMatching(/Pending|Running/) });
});

test('cordoning, adding and removing a node are reported; its pods are deleted 40 s after it', () => {
  expect(lab.events('node-1')).toContain(
    'Normal RegisteredNode: Node node-1 event: Registered Node node-1 in Controller',
  );
  respec('node-1', { unschedulable: true });
  lab.advance(1);
  respec('node-1', { unschedulable: false });
  lab.advance(1);
  const told = lab.events('node-1').join('\n');
  expect(told).toContain('Node node-1 status is now: NodeNotSchedulable');
  expect(told).toContain('Node node-1 status is now: NodeSchedulable');
  lab.deploy('shop', { replicas: 3 });
  lab.advance(20);
  const pod = podOn('node-1')?.metadata.name ?? '';
  lab.world.store.commit('/nodes', 'node-1', undefined);
  lab.advance(30);
  expect(lab.pods('shop').map((item) => item.metadata.name)).toContain(pod);
  lab.advance(15);
  expect(lab.pods('shop').map((item) => item.metadata.name)).not.toContain(pod);
  expect(lab.events('node-1')).toContain(
    'Normal RemovingNode: Node node-1 event: Removing Node node-1 from Controller',
  );
});
