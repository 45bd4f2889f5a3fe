import { all, object, pod, type RuleCase, warning } from './rule-case.ts';

const preempted = 'preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.';
/** A pod of which the scheduler says this. */
const refused = (message: string, spec = '', container = '', since = '07:00:00') =>
  pod({
    phase: 'Pending',
    spec,
    container,
    status: `conditions: [{ type: PodScheduled, status: 'False', reason: Unschedulable, message: ${JSON.stringify(message)}, lastTransitionTime: '2026-03-01T${since}Z' }]`,
  }).replace('nodeName: node-1, ', '');
const of = (reasons: string) => `0/4 nodes are available: ${reasons}. ${preempted}`;

const controlPlane = '1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }';
const selector = of(`${controlPlane}, 3 node(s) didn't match Pod's node affinity/selector`);
const taint = of(`${controlPlane}, 3 node(s) had untolerated taint {dedicated: gpu}`);
const spread = of(`${controlPlane}, 3 node(s) didn't match pod anti-affinity rules`);
const ports = of(`${controlPlane}, 3 node(s) didn't have free ports for the requested pod ports`);
const memory = of(`${controlPlane}, 3 Insufficient memory`);
const cordoned = of(`${controlPlane}, 3 node(s) were unschedulable`);
const node = object('v1', 'Node', 'node-1', 'spec: {}', 'labels: { disk: hdd }');
const sized = (allocatable: string): string =>
  object('v1', 'Node', 'node-1', `spec: {}\nstatus: { allocatable: { ${allocatable} } }`);
const tainted = object(
  'v1',
  'Node',
  'node-1',
  'spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }',
);
const cordonedNode = object(
  'v1',
  'Node',
  'node-9',
  'spec: { unschedulable: true }',
  'labels: { disk: nvme }',
);
const selectedCordoned = of(
  "1 node(s) were unschedulable, 3 node(s) didn't match Pod's node affinity/selector",
);

const low = refused(memory).replace(
  'labels: { app: web }, ',
  'labels: { app: web }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: report-5d9, uid: uid-ReplicaSet-report-5d9, controller: true }], ',
);
const taker = pod({ name: 'checkout-0', spec: 'priority: 1000,' });
const preemption = (victim: string) =>
  warning('Pod', victim, 'Preempted', 'Preempted by pod uid-Pod-checkout-0 on node node-2').replace(
    'type: Warning',
    'type: Normal',
  );

/** Cases of the rules about pods that no node takes. */
export const placementCases: readonly RuleCase[] = [
  {
    rule: 'pod.node-selector',
    broken: all(refused(selector, 'nodeSelector: { disk: nvme },'), node),
    names: /disk=nvme/,
    near: {
      'the nodes are full': all(refused(memory, 'nodeSelector: { disk: hdd },'), node),
      'most nodes are full': refused(
        of("1 node(s) didn't match Pod's node affinity/selector, 3 Insufficient cpu"),
      ),
      'a node that it selects has its ports in use': refused(
        of(
          "3 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't have free ports for the requested pod ports",
        ),
        'nodeSelector: { disk: hdd },',
      ),
      'the node that it selects is cordoned': all(
        refused(selectedCordoned, 'nodeSelector: { disk: nvme },'),
        node,
        cordonedNode,
      ),
      'the node that it selects is tainted': all(
        refused(
          of(
            "1 node(s) had untolerated taint {dedicated: gpu}, 3 node(s) didn't match Pod's node affinity/selector",
          ),
          'nodeSelector: { disk: hdd },',
        ),
        node,
      ),
      'the scheduler has just said so': refused(selector, 'nodeSelector: { disk: nvme },', '', '07:59:58'),
    },
  },
  {
    rule: 'pod.taints',
    broken: refused(taint),
    names: /dedicated: gpu/,
    near: {
      'only the control plane is tainted': refused(memory),
      'its nodes have other labels': refused(selector),
    },
  },
  {
    rule: 'pod.spread',
    broken: refused(spread, 'affinity: { podAntiAffinity: {} },'),
    names: /affinity/,
    near: { 'the ports are taken': refused(ports), 'its nodes have other labels': refused(selector) },
  },
  {
    rule: 'pod.host-port',
    broken: refused(ports, '', 'ports: [{ containerPort: 80, hostPort: 80 }]'),
    names: /host port 80 is already in use/,
    near: { 'the nodes are full': refused(memory, '', 'ports: [{ containerPort: 80, hostPort: 80 }]') },
  },
  {
    rule: 'pod.host-port',
    // As the scheduler says it of the pod of a DaemonSet, which is for one node alone.
    broken: refused(
      of(
        "1 node(s) didn't have free ports for the requested pod ports, 3 node(s) didn't match Pod's node affinity/selector",
      ),
      'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: metadata.name, operator: In, values: [node-1] }] }] } } },',
      'ports: [{ containerPort: 80, hostPort: 80 }, { containerPort: 443, hostPort: 443 }]',
    ),
    names: /one of its host ports, 80, 443, is already in use/,
    near: { 'no node has its labels': refused(selector, 'nodeSelector: { disk: nvme },') },
  },
  {
    rule: 'pod.resources',
    broken: refused(memory, '', 'resources: { requests: { memory: 64Gi } }'),
    names: /memory/,
    near: { 'the nodes are cordoned': refused(cordoned), 'the nodes are tainted': refused(taint) },
  },
  {
    rule: 'pod.resources',
    broken: all(
      refused(memory, '', 'resources: { requests: { memory: 64Gi } }'),
      warning(
        'Pod',
        'web-0',
        'FailedScheduling',
        'Failed to schedule pod, all available instance types exceed limits for nodepool: "default"',
        { from: 'karpenter' },
      ),
    ),
    names: /, and no node is added: all available instance types exceed limits for nodepool: "default"\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.resources',
    broken: all(low, preemption('report-5d9-abc'), taker),
    names:
      /memory left .*: pod checkout-0 of higher priority took the place of pod report-5d9-abc on node node-2/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.resources',
    broken: all(low, preemption('web-77f-xyz'), taker),
    names: /left for what the pod requests\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.node-selector',
    broken: all(refused(selector, 'nodeSelector: { disk: nvme },'), node),
    names: /Without its node selector the pod could run on node node-1\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.taints',
    broken: all(refused(taint), tainted),
    names: /A toleration of dedicated=gpu:NoSchedule would let the pod run on node node-1\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.resources',
    broken: all(refused(memory, '', 'resources: { requests: { memory: 64Gi } }'), sized('memory: 8Gi')),
    names: /A request of at most 8Gi memory would let the pod run on node node-1\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.resources',
    broken: all(
      refused(memory, '', 'resources: { requests: { memory: 64Gi, cpu: 16 } }'),
      sized('memory: 8Gi, cpu: 2'),
    ),
    names: /No single change would let the pod run on node \S+\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.cordoned',
    broken: all(refused(cordoned, 'nodeSelector: { disk: nvme },'), cordonedNode),
    names: /Uncordoning node node-9 would let the pod run on node node-9\.$/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.resources',
    broken: refused(of('4 Too many pods')),
    names: /as many pods as it may/,
    near: { 'it runs': pod({}) },
  },
  {
    rule: 'pod.cordoned',
    broken: refused(cordoned),
    names: /cordoned/,
    near: {
      'one node is cordoned, the others are full': refused(
        of('1 node(s) were unschedulable, 3 Insufficient cpu'),
      ),
    },
  },
  {
    rule: 'pod.cordoned',
    broken: all(refused(selectedCordoned, 'nodeSelector: { disk: nvme },'), node, cordonedNode),
    names: /Node node-9, which could run the pod, is cordoned/,
    near: {
      'the cordoned node has other labels': all(
        refused(selectedCordoned, 'nodeSelector: { disk: tape },'),
        node,
        cordonedNode,
      ),
      'by its affinity it is for another node': all(
        refused(
          selectedCordoned,
          'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: NotIn, values: [nvme, hdd] }] }] } } },',
        ),
        node,
        cordonedNode,
      ),
    },
  },
  {
    rule: 'pod.no-nodes',
    broken: refused('no nodes available to schedule pods'),
    names: /no node/,
    near: { 'there are nodes': refused(memory) },
  },
];
