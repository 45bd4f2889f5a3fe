import type { UsageKind } from '../../../contract/usage.ts';
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
 * @param measured what its own usage is measured as; undefined for a workload
 * @param pods how many pods of a workload are measured
 */
export function usageLines(
  measured: UsageKind | undefined,
  object: KubeObject,
  resource: Resource,
  pods: number | undefined,
): readonly UsageLine[] {
  const { spec, status } = object as Templated;
  if (measured === 'node') {
    const value = parseQuantity(status?.allocatable?.[resource]);
    return value === undefined ? [] : [{ label: 'allocatable', value }];
  }
  const template = measured === 'pod' ? spec : spec?.template?.spec;
  if (template === undefined) return [];
  const count = measured === 'pod' ? 1 : (pods ?? 0);
  const request = podRequests({ spec: template })[resource] * count;
  const limit = podLimit(template, resource);
  return [
    ...(request > 0 ? [{ label: 'request', value: request }] : []),
    ...(limit === undefined || count === 0 ? [] : [{ label: 'limit', value: limit * count }]),
  ];
}
