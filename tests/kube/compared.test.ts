import { describe, expect, test } from 'vitest';
import { compared, partsOfCompared } from '../../src/kube/compared.ts';

const object = (more: Record<string, unknown>, metadata: Record<string, unknown> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  ...more,
});

describe('an object prepared for comparison', () => {
  test('has no name, namespace, uid, version, managed fields or copies of itself', () => {
    const one = compared(
      object(
        { spec: { replicas: 1 }, status: { replicas: 1 } },
        {
          uid: 'u',
          resourceVersion: '7',
          generation: 3,
          creationTimestamp: '2026-01-01T00:00:00Z',
          managedFields: [{}],
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'x' }],
          labels: { app: 'web', 'controller-uid': 'x' },
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration': '{}',
            'deployment.kubernetes.io/revision': '4',
          },
        },
      ),
    );
    expect(one).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        labels: { app: 'web' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
      },
      spec: { replicas: 1 },
    });
  });

  test('has its status on request', () => {
    expect(compared(object({ status: { replicas: 1 } }), true)).toMatchObject({ status: { replicas: 1 } });
  });

  test.each([
    [
      'a Service’s addresses',
      { apiVersion: 'v1', kind: 'Service' },
      { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] },
      {},
    ],
    [
      'but not that it has none',
      { apiVersion: 'v1', kind: 'Service' },
      { clusterIP: 'None' },
      { clusterIP: 'None' },
    ],
    ['a claim’s volume', { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }, { volumeName: 'pvc-1' }, {}],
    [
      'no field of that name elsewhere',
      { apiVersion: 'x.example/v1', kind: 'Service' },
      { clusterIP: 'a' },
      { clusterIP: 'a' },
    ],
    [
      'the uid that a Job chooses its pods by',
      { apiVersion: 'batch/v1', kind: 'Job' },
      {
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels: { 'controller-uid': 'u', app: 'a' } } },
      },
      { selector: { matchLabels: {} }, template: { metadata: { labels: { app: 'a' } } } },
    ],
  ])('omits what a cluster chooses: %s', (_what, of, spec, left) => {
    expect(compared({ ...of, metadata: { name: 'a' }, spec })['spec']).toEqual(left);
  });

  test('does not depend on the order of fields; lists keep theirs', () => {
    const text = (value: Record<string, unknown>) => JSON.stringify(compared(object({ spec: value })));
    expect(text({ a: 1, b: { c: 1, d: 2 } })).toBe(text({ b: { d: 2, c: 1 }, a: 1 }));
    expect(text({ a: [1, 2] })).not.toBe(text({ a: [2, 1] }));
  });

  test('has as parts its fields and those of the maps among them', () => {
    const parts = partsOfCompared({ kind: 'ConfigMap', data: { 'app.conf': 'x', key: 'y' }, items: [1] });
    expect([...parts.keys()]).toEqual(['kind', 'data["app.conf"]', 'data.key', 'items']);
  });
});
