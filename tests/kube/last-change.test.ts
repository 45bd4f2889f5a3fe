import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../src/kube/apps.ts';
import type { HorizontalPodAutoscaler } from '../../src/kube/autoscaling.ts';
import type { Node } from '../../src/kube/infrastructure.ts';
import { lastCordon, lastEdit, lastRollout, lastScaling } from '../../src/kube/last-change.ts';
import type { KubeObject } from '../../src/kube/object.ts';

const at = (second: number) => new Date(second * 1000).toISOString();
const write = (manager: string, second: number, more: object = {}) => ({
  manager,
  operation: 'Update',
  time: at(second),
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  ...more,
});
const objectOf = (...managedFields: unknown[]): KubeObject => ({
  metadata: { name: 'api', creationTimestamp: at(100), managedFields },
});

describe('the last edit of an object', () => {
  test('is the newest write to its spec, with its manager', () => {
    const object = objectOf(write('helm', 100), write('kubectl-edit', 300), write('argocd', 200));
    expect(lastEdit(object)).toEqual({ what: 'edited', at: 300, by: 'kubectl-edit' });
  });

  test('is its creation if nobody wrote since', () => {
    expect(lastEdit(objectOf(write('helm', 100)))).toEqual({ what: 'created', at: 100, by: 'helm' });
    expect(lastEdit(objectOf())).toEqual({ what: 'created', at: 100 });
    expect(lastEdit({ metadata: { name: 'api' } })).toBeUndefined();
  });

  test('ignores the control plane, subresources, and writes to labels and annotations alone', () => {
    const object = objectOf(
      write('kube-controller-manager', 300),
      write('kubelet', 300),
      write('keda', 300, { subresource: 'scale' }),
      write('argocd', 300, { fieldsV1: { 'f:metadata': { 'f:annotations': {} } } }),
    );
    expect(lastEdit(object)).toEqual({ what: 'created', at: 100 });
  });

  test('ignores malformed managed fields', () => {
    const object = objectOf(
      null,
      'helm',
      write('', 300),
      write('a'.repeat(129), 300),
      write('helm', 300, { time: 'soon' }),
      write('helm', 300, { fieldsV1: 'all' }),
    );
    expect(lastEdit(object)).toEqual({ what: 'created', at: 100 });
    expect(lastEdit({ metadata: { managedFields: 7 } } as unknown as KubeObject)).toBeUndefined();
  });
});

describe('the last change', () => {
  const deployment = (reason: string, second: number): Deployment => ({
    ...objectOf(write('kubectl-edit', 300)),
    status: {
      conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime: at(second) }],
    },
  });

  test('of a Deployment is its finished rollout, or a later write', () => {
    const finished = 'NewReplicaSetAvailable';
    expect(lastRollout(deployment(finished, 330), 14)).toEqual({ what: 'rolled-out', at: 330, to: 14 });
    expect(lastRollout(deployment(finished, 200), 14)?.what).toBe('edited');
    expect(lastRollout(deployment('ReplicaSetUpdated', 330), 14)?.what).toBe('edited');
    // The first revision replaced no other.
    expect(lastRollout(deployment(finished, 330), 1)?.what).toBe('edited');
  });

  test('of an autoscaler is its last scaling, with the new count', () => {
    const object: HorizontalPodAutoscaler = {
      ...objectOf(),
      status: { lastScaleTime: at(400), desiredReplicas: 4 },
    };
    expect(lastScaling(object)).toEqual({ what: 'scaled', at: 400, to: 4 });
    expect(lastScaling(objectOf())).toEqual({ what: 'created', at: 100 });
  });

  test('of a node is its cordoning, if the node records by whom', () => {
    const cordon = write('kubectl-cordon', 500, { fieldsV1: { 'f:spec': { 'f:unschedulable': {} } } });
    const node: Node = { ...objectOf(cordon, write('cilium', 600)), spec: { unschedulable: true } };
    expect(lastCordon(node)).toEqual({ what: 'cordoned', at: 500, by: 'kubectl-cordon' });
    expect(lastCordon({ ...node, spec: {} })).toEqual({ what: 'created', at: 100 });
    expect(lastCordon({ ...objectOf(), spec: { unschedulable: true } })?.what).toBe('created');
  });
});
