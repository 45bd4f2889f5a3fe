import { isBuiltInGroup } from './builtin.ts';
import { groupOf } from './refs.ts';

/**
 * A cell of the format `object`. A kind that Kubernetes does not serve itself carries its group, as kubectl writes it:
 * `Job.batch.volcano.sh` is no `Job`.
 * @param apiVersion absent where the reference leaves it out: then the kind is one of Kubernetes' own
 */
export function objectCell(
  apiVersion: string | undefined,
  kind: string,
  name: string,
): readonly [kind: string, name: string] {
  // Clusters may send anything: what is no text names no group.
  const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : '';
  return [isBuiltInGroup(group) || kind === '' ? kind : `${kind}.${group}`, name];
}
