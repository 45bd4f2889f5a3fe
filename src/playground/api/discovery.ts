import { type Group, type Registry, type Resource, storageVersionHash } from '../registry/registry.ts';
import type { Rec } from '../kit/values.ts';

const groupVersion = (group: string, version: string) => (group === '' ? version : `${group}/${version}`);

/** GET /api: the versions of the core group. */
export function coreVersions(host: string): Rec {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
  };
}

function describeGroup(group: Group): Rec {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: groupVersion(group.name, version),
    version,
  }));
  return { name: group.name, versions, preferredVersion: versions[0] };
}

/** GET /apis: every named group. */
export function groupList(registry: Registry): Rec {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: registry.groups.filter((group) => group.name !== '').map(describeGroup),
  };
}

/** GET /apis/{group}; undefined when there is no such group. */
export function oneGroup(registry: Registry, name: string): Rec | undefined {
  const group = registry.groups.find((item) => item.name === name);
  return group === undefined || name === ''
    ? undefined
    : { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

/** GET /api/v1 and /apis/{group}/{version}: the resources of one version; undefined when it is not served. */
export function resourceList(registry: Registry, name: string, version: string): Rec | undefined {
  const found = registry.groups
    .find((group) => group.name === name)
    ?.versions.find((item) => item.version === version);
  if (found === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    ...(name === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion(name, version),
    resources: found.resources.flatMap(describeResource),
  };
}

function describeResource(resource: Resource): Rec[] {
  const stored = resource.verbs.includes('list') && resource.verbs.includes('create');
  const main = {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length === 0 ? {} : { shortNames: [...resource.shortNames] }),
    ...(resource.categories.length === 0 ? {} : { categories: [...resource.categories] }),
    ...(stored ? { storageVersionHash: storageVersionHash(resource) } : {}),
  };
  const below = [...resource.subresources.values()].map((sub) => ({
    name: `${resource.plural}/${sub.name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(sub.version === '' ? {} : { group: sub.group, version: sub.version }),
    kind: sub.kind,
    verbs: [...sub.verbs],
  }));
  return [main, ...below];
}

/** The aggregated form of /api (core) or /apis (named groups). */
export function aggregated(registry: Registry, core: boolean): Rec {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: registry.groups
      .filter((group) => (group.name === '') === core)
      .map((group) => ({
        metadata: group.name === '' ? {} : { name: group.name },
        versions: group.versions.map(({ version, resources }) => ({
          version,
          resources: resources.map(aggregateResource),
          freshness: 'Current',
        })),
      })),
  };
}

function aggregateResource(resource: Resource): Rec {
  return {
    resource: resource.plural,
    responseKind: { group: '', version: '', kind: resource.kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length === 0 ? {} : { shortNames: [...resource.shortNames] }),
    ...(resource.categories.length === 0 ? {} : { categories: [...resource.categories] }),
    ...(resource.subresources.size === 0
      ? {}
      : {
          subresources: [...resource.subresources.values()].map((sub) => ({
            subresource: sub.name,
            responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
            verbs: [...sub.verbs],
          })),
        }),
  };
}
