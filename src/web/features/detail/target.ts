import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';

/** The live target of an object's page. */
export function targetOf({ cluster, kind, namespace, name }: ObjectRef): ObjectTarget {
  return { type: 'object', clusterId: Number(cluster), kind, namespace, name };
}
