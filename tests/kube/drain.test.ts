import { expect, test } from 'vitest';
import type { Pod } from '../../src/kube/core.ts';
import { drainClass } from '../../src/kube/drain.ts';

const owned = (kind: string, more: Partial<Pod> = {}): Pod => ({
  metadata: {
    name: 'a',
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'owner', uid: '1', controller: true }],
  },
  ...more,
});
const volumes = [{ name: 'data', emptyDir: {} }] as object[];

test.each<[string, Pod, ReturnType<typeof drainClass>]>([
  ['of a ReplicaSet', owned('ReplicaSet'), 'evict'],
  ['with an emptyDir', owned('ReplicaSet', { spec: { volumes } }), 'data'],
  [
    'with an emptyDir that is over',
    owned('Job', { spec: { volumes }, status: { phase: 'Succeeded' } }),
    'evict',
  ],
  ['of a DaemonSet', owned('DaemonSet', { spec: { volumes } }), 'daemon'],
  ['of a DaemonSet that failed', owned('DaemonSet', { status: { phase: 'Failed' } }), 'evict'],
  ['of nobody', { metadata: { name: 'a' } }, 'unmanaged'],
  ['of nobody that is over', { metadata: { name: 'a' }, status: { phase: 'Failed' } }, 'evict'],
  ['of its node', owned('Node'), 'mirror'],
  ['of a file', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }, 'mirror'],
  ['that goes already', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'leaving'],
  ['of no shape at all', {}, 'unmanaged'],
])('the drain class is right for a pod %s', (_what, pod, wanted) => {
  expect(drainClass(pod)).toBe(wanted);
});
