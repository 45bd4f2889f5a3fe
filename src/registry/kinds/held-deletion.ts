import { epochSeconds } from '../../kube/age.ts';
import type { KubeObject } from '../../kube/object.ts';
import { type Attention, settled } from './attention.ts';

/** What well-known finalizers wait for. */
const reasons: Readonly<Record<string, string>> = {
  'kubernetes.io/pvc-protection': 'A pod still uses it.',
  'kubernetes.io/pv-protection': 'A claim is still bound to it.',
  foregroundDeletion: 'What it owns is deleted first.',
  orphan: 'What it owns is released first.',
  'batch.kubernetes.io/job-tracking': 'Its job has not recorded its result yet.',
};

/** The problem of an object that is deleted but still held by a finalizer, settled; undefined if it is not. */
export function heldDeletion({ metadata }: KubeObject): Attention | undefined {
  const since = epochSeconds(metadata?.deletionTimestamp);
  const [first, ...others] = metadata?.finalizers ?? [];
  if (since === null || first === undefined) return undefined;
  const held: Attention = {
    rule: 'object.deletion-held',
    tone: 'warn',
    title: `Its deletion waits for the ${others.length === 0 ? 'finalizer' : 'finalizers'} ${[first, ...others].join(', ')}.`,
    detail: reasons[first] ?? 'Its controller has to remove it: check that it is still running.',
    since,
  };
  return settled(held, since);
}
