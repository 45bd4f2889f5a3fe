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
  ['a pod', pod({ deletionTimestamp, deletionGracePeriodSeconds: 30 }), 'it has 30 s to end'],
  [
    'an object with a finalizer',
    pod({ deletionTimestamp, deletionGracePeriodSeconds: 0, finalizers: ['example.org/keep'] }),
    'it waits for the finalizer example.org/keep',
  ],
  [
    'one with many',
    pod({ deletionTimestamp, finalizers: ['foregroundDeletion', 'a/1', 'a/2', 'a/3', 'a/4'] }),
    'it waits for the finalizers a/1, a/2, a/3 and 1 more',
  ],
  [
    'one that goes after what it owns',
    pod({ deletionTimestamp, finalizers: ['foregroundDeletion'] }),
    'it waits for its dependents',
  ],
])('a cluster answers a deletion with %s', (_name, answer, expected) => {
  expect(pendingDeletion(answer)).toBe(expected);
});
