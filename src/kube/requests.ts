import type { Container, Pod } from './core.ts';
import { parseQuantity } from './quantity.ts';

/** What a pod requests from a node: cores and bytes. */
export interface PodRequests {
  readonly cpu: number;
  readonly memory: number;
}

function requestOf(
  resource: 'cpu' | 'memory',
  { containers = [], initContainers = [], overhead = {} }: Spec,
) {
  const of = (container: Container) => parseQuantity(container.resources?.requests?.[resource]) ?? 0;
  const sum = (all: readonly Container[]) => all.reduce((total, container) => total + of(container), 0);
  // Init containers run one after the other, beside the sidecars that started before them.
  let sidecars = 0;
  let highest = 0;
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') sidecars += of(container);
    highest = Math.max(highest, sidecars + (container.restartPolicy === 'Always' ? 0 : of(container)));
  }
  return Math.max(sum(containers) + sidecars, highest) + (parseQuantity(overhead[resource]) ?? 0);
}

type Spec = NonNullable<Pod['spec']> & { overhead?: Readonly<Record<string, string>> };

/** The limit of a pod's containers in cores or bytes; undefined if one of them has none. */
export function podLimit(
  { containers = [], initContainers = [] }: NonNullable<Pod['spec']>,
  resource: 'cpu' | 'memory',
): number | undefined {
  let total = 0;
  const running = [
    ...containers,
    ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ];
  for (const { resources } of running) {
    const limit = parseQuantity(resources?.limits?.[resource]);
    if (limit === undefined) return undefined;
    total += limit;
  }
  return running.length === 0 ? undefined : total;
}

/**
 * The requests of a pod as the scheduler counts them. Source: kubernetes component-helpers/resource/helpers.go,
 * PodRequests (1.36), without pod-level resources.
 */
export function podRequests({ spec = {} }: Pod): PodRequests {
  return { cpu: requestOf('cpu', spec), memory: requestOf('memory', spec) };
}
