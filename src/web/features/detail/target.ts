import type { ObjectRef } from '../../../registry/command.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';

/** What is followed to show an object. */
export function targetOf({ cluster, kind, namespace, name }: ObjectRef): ObjectTarget {
  return { type: 'object', clusterId: Number(cluster), kind, namespace, name };
}
