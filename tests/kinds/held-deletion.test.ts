import { describe, expect, test } from 'vitest';
import { persistentvolumeclaim } from '../../commands/kinds/persistentvolumeclaim.ts';
import { pod } from '../../commands/kinds/pod.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('a deletion that a finalizer holds', () => {
  test('is reported with the finalizer and what it waits for', () => {
    const metadata = { deletionTimestamp, finalizers: ['kubernetes.io/pvc-protection'] };
    expect(persistentvolumeclaim.attention?.({ metadata })).toMatchObject({
      rule: 'object.deletion-held',
      title: 'Its deletion waits for the finalizer kubernetes.io/pvc-protection.',
      detail: 'A pod still uses it.',
      settledAt: Date.parse(deletionTimestamp) / 1000 + 30,
    });
    const own = { deletionTimestamp, finalizers: ['example.org/a', 'example.org/b'] };
    expect(pod.attention?.({ metadata: own })?.title).toBe(
      'Its deletion waits for the finalizers example.org/a, example.org/b.',
    );
  });

  test('is not reported without a finalizer, or for an object that is not deleted', () => {
    expect(persistentvolumeclaim.attention?.({ metadata: { deletionTimestamp } })).toBeUndefined();
    expect(
      persistentvolumeclaim.attention?.({ metadata: { finalizers: ['example.org/a'] } }),
    ).toBeUndefined();
  });
});
