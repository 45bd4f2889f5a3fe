import { describe, expect, test } from 'vitest';
import { namespace } from '../../commands/kinds/namespace.ts';
import { persistentvolume as volume } from '../../commands/kinds/persistentvolume.ts';
import { persistentvolumeclaim as claim } from '../../commands/kinds/persistentvolumeclaim.ts';
import type { PersistentVolumeClaim } from '../../src/kube/storage.ts';

const pending = (annotations: Record<string, string> = {}, storageClassName = 'fast') =>
  ({
    metadata: { name: 'data', creationTimestamp: '2026-01-01T00:00:00Z', annotations },
    spec: { storageClassName },
    status: { phase: 'Pending' },
  }) satisfies PersistentVolumeClaim;

describe('a claim without a volume', () => {
  test('is healthy while it waits for a pod, as its class demands', () => {
    expect(claim.status?.(pending())).toEqual({ tone: 'idle', label: 'Waits for a pod' });
    expect(claim.attention?.(pending())).toBeUndefined();
  });

  test('is a problem once a node was selected, if its volume should exist, or if it has no class', () => {
    for (const object of [
      pending({ 'volume.kubernetes.io/selected-node': 'node-1' }),
      pending({ 'volume.kubernetes.io/storage-provisioner': 'disks.example.org' }),
      pending({}, ''),
    ]) {
      expect(claim.status?.(object).tone).toBe('warn');
      expect(claim.attention?.(object)?.rule).toBe('persistentvolumeclaim.pending');
    }
  });

  test('is a problem if the cluster says that it cannot be provisioned', () => {
    const warnings = [{ reason: 'ProvisioningFailed', message: 'storageclass "fast" not found' }];
    expect(claim.attention?.(pending(), { warnings })?.detail).toBe('storageclass "fast" not found');
  });
});

test.each([
  [claim.id, claim],
  [volume.id, volume],
  [namespace.id, namespace],
] as const)('a phase that is not known is amber: %s', (_id, { status }) => {
  expect(status?.({ status: { phase: 'Migrating' } } as object)).toEqual({
    tone: 'warn',
    label: 'Migrating',
  });
  expect(status?.({})).toEqual({ tone: 'warn', label: 'Unknown' });
});
