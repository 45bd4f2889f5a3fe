import type { ObjectRef } from '../../../registry/command.ts';
import type { KindFacts } from '../../../registry/kind-facts.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';

/** What is followed to show an object. */
export function targetOf(
  { id }: Pick<KindFacts, 'id'>,
  { cluster, namespace, name }: ObjectRef,
): ObjectTarget {
  return { type: 'object', clusterId: Number(cluster), kind: id, namespace, name };
}
