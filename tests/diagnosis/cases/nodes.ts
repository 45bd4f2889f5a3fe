import { but, object, type RuleCase } from './rule-case.ts';

/** A node with these conditions: type, status, and what the kubelet says. */
const node = (...conditions: readonly (readonly [string, string, string?])[]) =>
  object(
    'v1',
    'Node',
    'node-1',
    `spec: {}\nstatus: { conditions: [${conditions.map(([type, status, message = 'kubelet is posting ready status']) => `{ type: ${type}, status: '${status}', reason: Kubelet, message: ${JSON.stringify(message)}, lastTransitionTime: '2026-03-01T07:00:00Z' }`).join(', ')}] }`,
  );
const ready = ['Ready', 'True'] as const;

const pressureCases: readonly RuleCase[] = (
  [
    ['node.memory-pressure', 'MemoryPressure', /short of memory/],
    ['node.disk-pressure', 'DiskPressure', /short of disk space/],
    ['node.pid-pressure', 'PIDPressure', /too many processes/],
    ['node.network-unavailable', 'NetworkUnavailable', /no network/],
  ] as const
).map(([rule, type, names]) => ({
  rule,
  broken: node(ready, [type, 'True']),
  names,
  near: { 'it has not': node(ready, [type, 'False']), 'it is not known': node(ready, [type, 'Unknown']) },
}));

/** Cases of the rules about nodes. */
export const nodeCases: readonly RuleCase[] = [
  ...pressureCases,
  {
    rule: 'node.not-ready',
    broken: node(['Ready', 'Unknown', 'Kubelet stopped posting node status.']),
    names: /node-1 is not ready: its kubelet stopped posting status more than \w+ ago/,
    near: {
      'it is': node(ready),
      'it is cordoned': but(node(ready), 'spec: {}', 'spec: { unschedulable: true }'),
    },
  },
  {
    rule: 'node.not-ready',
    broken: node(['Ready', 'False', 'container runtime network not ready: cni plugin not initialized']),
    names: /node-1 has not been ready for \w+: .* cni plugin not initialized/,
    near: { 'it is again': node(ready) },
  },
  {
    rule: 'node.cordoned',
    broken: but(node(ready), 'spec: {}', 'spec: { unschedulable: true }'),
    names: /cordoned/,
    near: { 'it was uncordoned': but(node(ready), 'spec: {}', 'spec: { unschedulable: false }') },
  },
];
