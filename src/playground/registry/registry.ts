import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Custom } from './structural.ts';
import { type Schema, Schemas, type Shape } from './schema.ts';

/** A subresource: "status", "scale", "log". */
export interface Subresource {
  readonly name: string;
  /** Empty group and version: those of the resource. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource in one version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly patchTypes: readonly string[];
  readonly shape: Shape | undefined;
  /** Storage of the objects ("group/plural"), shared by all versions. */
  readonly storage: string;
  /** Set for custom resources. */
  readonly custom?: Custom;
  /** Whether objects are computed on request (metrics) instead of stored. */
  readonly computed?: boolean;
}

interface DiscoveredResource {
  resource: string;
  responseKind: { group: string; version: string; kind: string };
  scope: string;
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  patchTypes: string[];
  subresources?: {
    subresource: string;
    responseKind: { group: string; version: string; kind: string };
    verbs: string[];
  }[];
}
interface ResourceFacts {
  version: Readonly<Record<string, string>>;
  groups: { name: string; versions: { version: string; resources: DiscoveredResource[] }[] }[];
}

/** A group with its versions, preferred first. */
export interface Group {
  readonly name: string;
  readonly versions: { readonly version: string; readonly resources: Resource[] }[];
}

/** Compares versions in Kubernetes' order of preference: v2, v1, v1beta1, v1alpha1, then others by name. */
function byVersion(a: string, b: string): number {
  const rank = (version: string): number[] => {
    const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    if (major === undefined) return [3, 0, 0];
    return [stage === undefined ? 0 : stage === 'beta' ? 1 : 2, -Number(major), -Number(minor ?? 0)];
  };
  const [x, y] = [rank(a), rank(b)];
  const index = x.findIndex((value, position) => value !== y[position]);
  return index < 0 ? (a < b ? -1 : 1) : (x[index] ?? 0) - (y[index] ?? 0);
}

/** Resources that are stored under another group. */
const sharedResources: Readonly<Record<string, string>> = { 'events.k8s.io/events': '/events' };

/** All resources of the server, by path, kind or storage. */
export class Registry {
  readonly schemas: Schemas;
  /** The /version document. */
  readonly version: Readonly<Record<string, string>>;
  readonly groups: Group[] = [];
  /** Groups that were registered after the start. */
  readonly #added = new Set<string>();
  readonly #byPath = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();
  readonly #byStorage = new Map<string, Resource>();

  constructor(facts: ResourceFacts, schemas: Schemas) {
    this.schemas = schemas;
    this.version = facts.version;
    for (const group of facts.groups) {
      const versions = group.versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((resource) => this.#add(describe(group.name, version, resource, schemas))),
      }));
      this.groups.push({ name: group.name, versions });
    }
  }

  #add(resource: Resource): Resource {
    this.#byPath.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
    this.#byKind.set(`${resource.group}/${resource.version}/${resource.kind}`, resource);
    if (!this.#byStorage.has(resource.storage)) this.#byStorage.set(resource.storage, resource);
    return resource;
  }

  /** Registers a resource, replacing one of the same path. Named groups are sorted by name. */
  register(resource: Resource): void {
    this.unregister(resource);
    const groupIndex = this.groups.findIndex((item) => item.name === resource.group);
    const group = this.groups[groupIndex] ?? { name: resource.group, versions: [] };
    if (groupIndex < 0) {
      const insertAt = this.groups.findIndex((item) => this.#added.has(item.name) && item.name > group.name);
      this.groups.splice(insertAt < 0 ? this.groups.length : insertAt, 0, group);
      this.#added.add(group.name);
    }
    const version = group.versions.find((item) => item.version === resource.version);
    if (version !== undefined) version.resources.push(resource);
    else {
      group.versions.push({ version: resource.version, resources: [resource] });
      group.versions.sort((a, b) => byVersion(a.version, b.version));
    }
    this.#add(resource);
    if (resource.custom !== undefined && resource.custom.stored === apiVersionOf(resource)) {
      this.#byStorage.set(resource.storage, resource);
    }
  }

  /** Unregisters a resource. */
  unregister({ group, version, plural }: Pick<Resource, 'group' | 'version' | 'plural'>): void {
    const old = this.find(group, version, plural);
    if (old === undefined) return;
    this.#byPath.delete(`${group}/${version}/${plural}`);
    this.#byKind.delete(`${group}/${version}/${old.kind}`);
    if (this.#byStorage.get(old.storage) === old) {
      this.#byStorage.delete(old.storage);
      const other = Array.from(this.#byPath.values()).find((item) => item.storage === old.storage);
      if (other !== undefined) this.#byStorage.set(other.storage, other);
    }
    const holder = this.groups.find((item) => item.name === group);
    const versionEntry = holder?.versions.find((item) => item.version === version);
    versionEntry?.resources.splice(versionEntry.resources.indexOf(old), 1);
    if (holder === undefined || versionEntry === undefined || versionEntry.resources.length > 0) return;
    holder.versions.splice(holder.versions.indexOf(versionEntry), 1);
    if (holder.versions.length > 0) return;
    this.groups.splice(this.groups.indexOf(holder), 1);
    this.#added.delete(group);
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** The resource of an object's apiVersion and kind. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    return this.#byKind.get(`${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}/${kind}`);
  }

  /** The preferred version of a storage's resource. */
  ofStorage(storage: string): Resource | undefined {
    return this.#byStorage.get(storage);
  }

  hasVersion(group: string, version: string): boolean {
    return this.groups.some(
      (item) => item.name === group && item.versions.some((v) => v.version === version),
    );
  }

  /** All listable resources, one per storage. */
  stored(): Iterable<Resource> {
    return this.#byStorage.values();
  }
}

function describe(group: string, version: string, facts: DiscoveredResource, schemas: Schemas): Resource {
  const { responseKind } = facts;
  return {
    group,
    version,
    plural: facts.resource,
    singular: facts.singularResource,
    kind: responseKind.kind,
    namespaced: facts.scope === 'Namespaced',
    verbs: facts.verbs,
    shortNames: facts.shortNames ?? [],
    categories: facts.categories ?? [],
    patchTypes: facts.patchTypes,
    subresources: new Map(
      (facts.subresources ?? []).map(({ subresource, responseKind: kind, verbs }) => [
        subresource,
        { name: subresource, group: kind.group, version: kind.version, kind: kind.kind, verbs },
      ]),
    ),
    shape: schemas.ofKind(group, version, responseKind.kind),
    storage: sharedResources[`${group}/${facts.resource}`] ?? `${group}/${facts.resource}`,
  };
}

/** The apiVersion of a resource's objects. */
export function apiVersionOf(resource: { group: string; version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** The hash of a resource's storage version in discovery documents. */
export function storageVersionHash({ group, version, kind }: Resource): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

const facts = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../facts/${name}.gen.json`, import.meta.url), 'utf8'));

/** Reads the recorded facts of a real server. */
export function loadRegistry(): Registry {
  const { schemas } = facts('schemas') as { schemas: Record<string, Schema> };
  return new Registry(facts('resources') as ResourceFacts, new Schemas(schemas));
}
