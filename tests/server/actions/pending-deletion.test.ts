import { expect, test } from 'vitest';
import { pendingDeletion } from '../../../src/server/actions/pending-deletion.ts';

const deletionTimestamp = '2026-11-29T10:00:00Z';
const pod = (metadata: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', ...metadata },
});

test.each([
  ['a status', { kind: 'Status', status: 'Success', details: { name: 'web' } }, undefined],
  ['the object as it was', pod({ finalizers: ['example.org/keep'] }), undefined],
  ['no object', 'ok', undefined],
  ['a pod killed at once', pod({ deletionTimestamp, deletionGracePeriodSeconds: 0 }), undefined],
  [
    'a pod',
    pod({ deletionTimestamp, deletionGracePeriodSeconds: 30 }),
    'Its processes have up to 30 s to stop.',
  ],
  [
    'an object with a finalizer',
    pod({ deletionTimestamp, deletionGracePeriodSeconds: 0, finalizers: ['example.org/keep'] }),
    'Its deletion waits for the finalizer example.org/keep.',
  ],
  [
    'one that goes after what it owns',
    pod({ deletionTimestamp, finalizers: ['foregroundDeletion'] }),
    'Its deletion waits for the finalizer foregroundDeletion.',
  ],
])('a cluster answers a deletion with %s', (_name, answer, expected) => {
  expect(pendingDeletion(answer)).toBe(expected);
});
