import { describe, expect, test } from 'vitest';
import { storable } from '../../src/kube/editable.ts';

describe('an object that is sent to be stored', () => {
  const copied = {
    apiVersion: 'v1',
    kind: 'X',
    metadata: {
      name: 'copied',
      labels: { a: 'b' },
      finalizers: ['example.org/a'],
      uid: 'u',
      resourceVersion: '270',
      generation: 2,
      creationTimestamp: '2026-11-28T14:40:37Z',
      deletionTimestamp: '2026-11-28T14:40:37Z',
      deletionGracePeriodSeconds: 30,
      selfLink: '/x',
      managedFields: [],
    },
    spec: { a: 1 },
    status: { phase: 'Active' },
  };
  const metadata = { name: 'copied', labels: { a: 'b' }, finalizers: ['example.org/a'] };

  test.each(['', 'apps', 'networking.k8s.io'])('has nothing that the cluster writes: group %j', (group) =>
    expect(storable(copied, group)).toEqual({ apiVersion: 'v1', kind: 'X', metadata, spec: { a: 1 } }),
  );

  test('keeps the status of a custom resource, which may be a field like any other', () => {
    const { status } = copied;
    expect(storable(copied, 'example.org')).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      metadata,
      spec: { a: 1 },
      status,
    });
    expect(storable({ kind: 'X' }, 'example.org')).toEqual({ kind: 'X' });
  });
});
