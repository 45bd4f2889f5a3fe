import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { podLimit, podRequests } from '../../../kube/requests.ts';

/** A request or a limit. */
export interface UsageLine {
  readonly label: string;
  readonly value: number;
}

type Resource = 'cpu' | 'memory';
type PodSpec = NonNullable<Pod['spec']>;

interface Templated extends KubeObject {
  readonly spec?: PodSpec & { readonly template?: { readonly spec?: PodSpec } };
  readonly status?: { readonly allocatable?: Readonly<Record<string, string>> };
}

/**
 * Requests and limits of an object, in cores or bytes: of a pod its own, of a node what pods may take, of a workload
 * those of its measured pods together.
 * @param pods how many pods of a workload are measured
 */
export function usageLines(
  kindId: string,
  object: KubeObject,
  resource: Resource,
  pods: number | undefined,
): readonly UsageLine[] {
  const { spec, status } = object as Templated;
  if (kindId === 'node') {
    const value = parseQuantity(status?.allocatable?.[resource]);
    return value === undefined ? [] : [{ label: 'allocatable', value }];
  }
  const template = kindId === 'pod' ? spec : spec?.template?.spec;
  if (template === undefined) return [];
  const count = kindId === 'pod' ? 1 : (pods ?? 0);
  const request = podRequests({ spec: template })[resource] * count;
  const limit = podLimit(template, resource);
  return [
    ...(request > 0 ? [{ label: 'request', value: request }] : []),
    ...(limit === undefined || count === 0 ? [] : [{ label: 'limit', value: limit * count }]),
  ];
}
