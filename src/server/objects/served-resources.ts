import { isPlainObject } from '../../kube/plain.ts';
import { cleanText } from '../../kube/text.ts';
import type { Resource } from '../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';

/** A resource as its cluster's directory names it. */
export interface ServedResource extends Resource {
  /** Read without trusting their types. */
  readonly shortNames: unknown;
  /** Read without trusting their types. */
  readonly categories: unknown;
  /** Whether it has a status subresource. */
  readonly hasStatus: boolean;
  /** All versions in which it is served, the preferred one first. */
  readonly versions: readonly string[];
}

/** The whole directory in one answer, since Kubernetes 1.26; older servers send the groups alone. */
const aggregatedForm = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');
const maxKindLength = 63;

const listIn = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isPlainObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isPlainObject) : [];
};
const textIn = (value: unknown, name: string): string => {
  const text = isPlainObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
};
/** Adds a version of a resource; the first one is the one that the cluster prefers. */
type Add = (resource: Omit<ServedResource, 'versions'>) => void;

/** Reads the resources of one group and version from an entry of the aggregated directory. */
function addAggregated(add: Add, group: string, version: Readonly<Record<string, unknown>>): void {
  for (const one of listIn(version, 'resources')) {
    add({
      group,
      version: textIn(version, 'version'),
      plural: textIn(one, 'resource'),
      kind: cleanText(textIn(one['responseKind'], 'kind')).slice(0, maxKindLength),
      scope: one['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced',
      shortNames: one['shortNames'],
      categories: one['categories'],
      hasStatus: listIn(one, 'subresources').some((below) => below['subresource'] === 'status'),
    });
  }
}

/** Reads the resources of one group and version from its own list, in which subresources stand as `pods/status`. */
function addListed(add: Add, group: string, version: string, list: unknown): void {
  const resources = listIn(list, 'resources');
  const names = new Set(resources.map((one) => textIn(one, 'name')));
  for (const one of resources) {
    const plural = textIn(one, 'name');
    if (plural.includes('/')) continue;
    add({
      group,
      version,
      plural,
      kind: cleanText(textIn(one, 'kind')).slice(0, maxKindLength),
      scope: one['namespaced'] === false ? 'Cluster' : 'Namespaced',
      shortNames: one['shortNames'],
      categories: one['categories'],
      hasStatus: names.has(`${plural}/status`),
    });
  }
}

/**
 * Reads what a cluster serves of some definitions, each in the version that it prefers, by their names: in one request, of
 * older clusters in one for each version of their groups. Throws ClusterProblem.
 * @param names of definitions, which are `plural.group`
 */
export async function readServedResources(
  transport: Transport,
  names: readonly string[],
): Promise<ReadonlyMap<string, ServedResource>> {
  const asked = new Set(names);
  const groups = new Set(names.map((name) => name.slice(name.indexOf('.') + 1)));
  const found = new Map<string, ServedResource>();
  const add: Add = (resource) => {
    const key = `${resource.plural}.${resource.group}`;
    if (!asked.has(key)) return;
    const { versions, ...preferred } = found.get(key) ?? { ...resource, versions: [] };
    found.set(key, { ...preferred, versions: [...versions, resource.version] });
  };
  const directory = await transport.json<unknown>({ path: '/apis', accept: aggregatedForm });
  for (const item of listIn(directory, 'items')) {
    const name = textIn(item['metadata'], 'name');
    if (groups.has(name)) for (const version of listIn(item, 'versions')) addAggregated(add, name, version);
  }
  for (const group of listIn(directory, 'groups')) {
    const name = textIn(group, 'name');
    if (!groups.has(name)) continue;
    const preferred = textIn(group['preferredVersion'], 'version');
    const versions = listIn(group, 'versions').map((one) => textIn(one, 'version'));
    for (const version of new Set([preferred, ...versions]))
      addListed(add, name, version, await readIfServed(transport, `/apis/${name}/${version}`));
  }
  return found;
}

/** One version of a group; undefined for one that is not served any more. */
async function readIfServed(transport: Transport, path: string): Promise<unknown> {
  try {
    return await transport.json<unknown>({ path });
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
    throw error;
  }
}

/** Whether a cluster serves a kind, by its directory of the API. Throws Problem where that cannot be asked. */
export async function isServed(transport: Transport, { group, version, plural }: AnyKind): Promise<boolean> {
  try {
    const { resources = [] } = await transport.json<{ resources?: readonly { name?: string }[] }>({
      path: `/apis/${group}/${version}`,
    });
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 404) return false;
    throw error;
  }
}
