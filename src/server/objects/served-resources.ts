import { isPlainObject } from '../../kube/plain.ts';
import { cleanText } from '../../kube/text.ts';
import type { Resource } from '../../registry/kinds/builtin.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';

/** A resource as its cluster's directory names it. */
export interface ServedResource extends Resource {
  /** Read without trusting their types. */
  readonly shortNames: unknown;
  /** Read without trusting their types. */
  readonly categories: unknown;
  /** Whether it has a status subresource. */
  readonly hasStatus: boolean;
  /** Whether its objects can be listed. */
  readonly isListed: boolean;
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
const hasVerb = ({ verbs }: Readonly<Record<string, unknown>>, verb: string): boolean =>
  Array.isArray(verbs) && verbs.includes(verb);
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
      isListed: hasVerb(one, 'list'),
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
      isListed: hasVerb(one, 'list'),
    });
  }
}

/** The resources to read of a directory. */
interface Wanted {
  readonly hasGroup: (group: string) => boolean;
  /** @param name `plural.group` */
  readonly has: (name: string) => boolean;
  /** Whether a group whose own server does not answer is left out; without it that is an error. */
  readonly isPartEnough?: boolean;
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
  return await readDirectory(transport, {
    hasGroup: (group) => groups.has(group),
    has: (name) => asked.has(name),
  });
}

/** The resources that a cluster serves, by their names, each with all its versions. Throws ClusterProblem. */
export async function readDirectory(
  transport: Transport,
  { hasGroup, has, isPartEnough = false }: Wanted,
): Promise<ReadonlyMap<string, ServedResource>> {
  const found = new Map<string, ServedResource>();
  const add: Add = (resource) => {
    const key = `${resource.plural}.${resource.group}`;
    if (!has(key)) return;
    const { versions, ...preferred } = found.get(key) ?? { ...resource, versions: [] };
    found.set(key, { ...preferred, versions: [...versions, resource.version] });
  };
  const directory = await transport.json<unknown>({ path: '/apis', accept: aggregatedForm });
  for (const item of listIn(directory, 'items')) {
    const name = textIn(item['metadata'], 'name');
    if (hasGroup(name)) for (const version of listIn(item, 'versions')) addAggregated(add, name, version);
  }
  for (const group of listIn(directory, 'groups')) {
    const name = textIn(group, 'name');
    if (!hasGroup(name)) continue;
    const preferred = textIn(group['preferredVersion'], 'version');
    const versions = listIn(group, 'versions').map((one) => textIn(one, 'version'));
    for (const version of new Set([preferred, ...versions])) {
      const list = await readIfServed(transport, `/apis/${name}/${version}`, isPartEnough);
      addListed(add, name, version, list);
    }
  }
  return found;
}

/**
 * One version of a group; undefined for one that is not served any more.
 * @param isPartEnough the same where its server does not answer
 */
async function readIfServed(transport: Transport, path: string, isPartEnough: boolean): Promise<unknown> {
  try {
    return await transport.json<unknown>({ path });
  } catch (error) {
    const status = error instanceof ClusterProblem ? error.upstream.status : undefined;
    if (status === 404 || (isPartEnough && status !== undefined)) return undefined;
    throw error;
  }
}
