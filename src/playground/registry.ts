import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Schema, Schemas, type Shape } from './schema.ts';

/** A path below an object: "status", "scale", "log". */
export interface Subresource {
  readonly name: string;
  /** Empty group and version: those of the resource. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** One resource the server offers in one version. */
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
  /** Where its objects are kept: versions of one resource share it. */
  readonly storage: string;
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

/** What a group serves under another group's name. */
const shared: Readonly<Record<string, string>> = { 'events.k8s.io/events': '/events' };

/** Every resource the server offers, found by path, kind or storage. */
export class Registry {
  readonly schemas: Schemas;
  /** The /version document. */
  readonly version: Readonly<Record<string, string>>;
  readonly groups: Group[] = [];
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

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** The resource of an object's apiVersion and kind. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    return this.#byKind.get(`${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}/${kind}`);
  }

  /** The preferred version of what is kept at a storage. */
  ofStorage(storage: string): Resource | undefined {
    return this.#byStorage.get(storage);
  }

  hasVersion(group: string, version: string): boolean {
    return this.groups.some(
      (item) => item.name === group && item.versions.some((v) => v.version === version),
    );
  }

  /** All resources that can be listed, one per storage. */
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
    storage: shared[`${group}/${facts.resource}`] ?? `${group}/${facts.resource}`,
  };
}

/** The apiVersion of a resource's objects. */
export function apiVersionOf(resource: { group: string; version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** How discovery marks that two servers keep a kind in the same version. */
export function storageVersionHash({ group, version, kind }: Resource): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

const facts = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./facts/${name}.gen.json`, import.meta.url), 'utf8'));

/** Reads the generated facts of the real server. */
export function loadRegistry(): Registry {
  const { schemas } = facts('schemas') as { schemas: Record<string, Schema> };
  return new Registry(facts('resources') as ResourceFacts, new Schemas(schemas));
}
