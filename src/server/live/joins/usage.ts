import type { CellValue } from '../../../contract/live.ts';
import type { KubeList, KubeObject } from '../../../kube/object.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import type { Facts } from '../../../registry/kinds/kind-action.ts';
import type { Column } from '../../../registry/kinds/kind.ts';
import { placeOf } from '../source/projector.ts';

/** Usage of a pod or node: cores and bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
  /** Labels of a pod: they tell later which workload it belonged to. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** PodMetrics or NodeMetrics of metrics.k8s.io. */
export interface ResourceMetrics extends KubeObject {
  /** Of a node. */
  usage?: Readonly<Record<string, string>>;
  /** Of a pod. */
  containers?: readonly { usage?: Readonly<Record<string, string>> }[];
}

const mebibyte = 2 ** 20;

/** Two significant digits, in the unit that people read: tables show no more, so most rows do not change. */
const roundUsage = (value: number, unit = 1) => Number((value / unit).toPrecision(2)) * unit;

/** The usage of each pod or node of a list, by place: that of a pod is the sum of its containers'. */
export function readUsages({ items }: KubeList<ResourceMetrics>): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { metadata, usage, containers } of items ?? []) {
    if (metadata?.name === undefined) continue;
    const parts = containers?.map((container) => container.usage ?? {}) ?? [usage ?? {}];
    const sum = (name: string) => parts.reduce((total, part) => total + (parseQuantity(part[name]) ?? 0), 0);
    const used = { cpu: sum('cpu'), memory: sum('memory') };
    const { labels } = metadata;
    usages.set(
      placeOf(metadata.namespace ?? '', metadata.name),
      labels === undefined || containers === undefined ? used : { ...used, labels },
    );
  }
  return usages;
}

/** The places whose usage reads differently in a table now. */
export function changedPlaces(
  before: ReadonlyMap<string, Usage>,
  after: ReadonlyMap<string, Usage>,
): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(place), after.get(place)];
    const isSame =
      roundUsage(old?.cpu ?? -1) === roundUsage(now?.cpu ?? -1) &&
      roundUsage(old?.memory ?? -1, mebibyte) === roundUsage(now?.memory ?? -1, mebibyte);
    if (!isSame) changed.add(place);
  }
  return changed;
}

/** The bounds of an object's usage: requests and limits of a pod, allocatable resources of a node. */
function boundsOf(
  facts: Facts,
  resource: 'cpu' | 'memory',
): readonly [request: number | null, limit: number | null] {
  const positiveFact = (name: string) => {
    const value = facts[name];
    return typeof value === 'number' && value > 0 ? value : null;
  };
  return [positiveFact(`${resource}Request`), positiveFact(`${resource}Limit`) ?? positiveFact(resource)];
}

/** The cell of a usage column: the usage, with request and limit where the object has one. @param facts of the object */
export function usageCell(usage: Usage, { format }: Pick<Column<never>, 'format'>, facts: Facts): CellValue {
  const resource = format === 'bytes' ? 'memory' : 'cpu';
  const used = resource === 'memory' ? roundUsage(usage.memory, mebibyte) : roundUsage(usage.cpu);
  const [request, limit] = boundsOf(facts, resource);
  return request === null && limit === null ? used : [used, request, limit];
}
