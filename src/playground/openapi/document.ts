import type { Custom } from '../registry/structural.ts';
import type { Registry, Resource } from '../registry/registry.ts';
import { prefix, type Schema } from '../registry/schema.ts';
import { isRec, type Rec } from '../kit/values.ts';
import { customOperations, type Operation, type Operations, operationFacts } from './operations.ts';
import { parametersOf } from './parameters.ts';

const meta = (name: string) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (text: string) => text.split('.').map(capital).join('');

/** Schemas of a document; collects those that it uses. */
class Components {
  readonly #registry: Registry;
  readonly #optionKinds: readonly unknown[];
  readonly #used = new Map<string, Rec>();

  constructor(registry: Registry, optionKinds: readonly unknown[]) {
    this.#registry = registry;
    this.#optionKinds = optionKinds;
  }

  /** A reference to a schema of the server, which it adds to the document. */
  refer(name: string): Rec {
    if (!this.#used.has(name)) {
      this.#used.set(name, {});
      const found = this.#registry.schemas.byName(name) ?? {};
      const schema = this.#published(found);
      if (name === meta('DeleteOptions')) schema['x-kubernetes-group-version-kind'] = this.#optionKinds;
      this.#used.set(name, schema);
    }
    return { $ref: `${prefix}${name}` };
  }

  /** A reference to a schema that only this document has. */
  define(name: string, schema: () => Rec): Rec {
    if (!this.#used.has(name)) {
      this.#used.set(name, {});
      this.#used.set(name, schema());
    }
    return { $ref: `${prefix}${name}` };
  }

  ofKind(group: string, version: string, kind: string): Rec {
    const name = this.#registry.schemas.nameOf(group, version, kind);
    return name === undefined ? { type: 'object' } : this.refer(name);
  }

  /** A schema as published: a reference with other keywords beside it is wrapped in allOf. */
  #published(schema: Schema): Rec {
    const { properties, items, additionalProperties, ...rest } = schema;
    const result: Rec = { ...rest };
    if (items !== undefined) result['items'] = this.#place(items, false);
    if (isRec(additionalProperties))
      result['additionalProperties'] = this.#place(additionalProperties, false);
    if (properties !== undefined) {
      result['properties'] = Object.fromEntries(
        Object.entries(properties).map(([key, field]) => [key, this.#place(field, true)]),
      );
    }
    return result;
  }

  #place(schema: Schema, isField: boolean): Rec {
    const { $ref, ...rest } = schema;
    if ($ref === undefined) return this.#published(schema);
    const reference = this.refer($ref.slice(prefix.length));
    return isField || Object.keys(rest).length > 0 ? { ...rest, allOf: [reference] } : reference;
  }

  all(): Rec {
    return Object.fromEntries(Array.from(this.#used).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const reversed = (group: string) => group.split('.').reverse().join('.');

function customKind(components: Components, resource: Resource, custom: Custom): Rec {
  const { group, version, kind } = resource;
  const objectMeta = { allOf: [components.refer(meta('ObjectMeta'))] };
  return components.define(`${reversed(group)}.${version}.${kind}`, () => ({
    ...custom.schema,
    properties: {
      ...custom.schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: objectMeta,
    },
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
  }));
}

function customList(components: Components, resource: Resource, custom: Custom): Rec {
  const { group, version, kind } = resource;
  return components.define(`${reversed(group)}.${version}.${kind}List`, () => ({
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: customKind(components, resource, custom) },
      kind: { type: 'string' },
      metadata: { allOf: [components.refer(meta('ListMeta'))] },
    },
    'x-kubernetes-group-version-kind': [{ group, kind: `${kind}List`, version }],
  }));
}

const methodVerbs: Readonly<Record<string, string>> = {
  list: 'list',
  get: 'read',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
  watch: 'watch',
  watchlist: 'watch',
};
const codes: Readonly<Record<string, readonly number[]>> = {
  post: [200, 201, 202],
  put: [200, 201],
  delete: [200, 202],
};
const statusTexts: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/** A path below a group version that is being described. */
interface PathContext {
  readonly group: string;
  readonly version: string;
  readonly path: string;
  readonly resource: Resource | undefined;
  /** "scale" below an object. */
  readonly sub: string;
}

function operationId(context: PathContext, method: string, operation: Operation): string {
  const { group, version, path, resource, sub } = context;
  const api = `${group === '' ? 'Core' : camel(group.replace(/\.k8s\.io$/, ''))}${capital(version)}`;
  const namespaced = path.includes('{namespace}') ? 'Namespaced' : '';
  const kind = resource?.kind ?? operation.gvk.kind;
  const acrossNamespaces =
    operation.action.endsWith('list') && namespaced === '' && resource?.namespaced === true
      ? 'ForAllNamespaces'
      : '';
  const collection = operation.action === 'deletecollection' ? 'Collection' : '';
  const list = operation.action === 'watchlist' ? 'List' : '';
  const verb =
    operation.action === 'connect' ? 'connect' : (methodVerbs[operation.action] ?? operation.action);
  const through = operation.action === 'connect' ? capital(method) : '';
  return `${verb}${api}${through}${collection}${namespaced}${kind}${list}${capital(sub)}${acrossNamespaces}`;
}

function describe(components: Components, context: PathContext, method: string, operation: Operation): Rec {
  const { action, gvk, consumes } = operation;
  const { group, version, resource, sub } = context;
  const custom = resource?.custom;
  const scaled = sub === 'scale' && custom !== undefined;
  const objectSchema = () =>
    scaled
      ? components.ofKind('autoscaling', 'v1', 'Scale')
      : custom !== undefined && resource !== undefined
        ? customKind(components, resource, custom)
        : components.ofKind(gvk.group, gvk.version, gvk.kind);
  const answered = () => {
    if (action === 'delete' || action === 'deletecollection') return components.refer(meta('Status'));
    if (action === 'connect') return { type: 'string' };
    if (action.startsWith('watch')) return components.refer(meta('WatchEvent'));
    if (action !== 'list') return objectSchema();
    if (custom !== undefined && resource !== undefined) return customList(components, resource, custom);
    return components.ofKind(gvk.group, gvk.version, `${gvk.kind}List`);
  };
  const bodySchema = () => {
    if (action === 'patch') return components.refer(meta('Patch'));
    return action.startsWith('delete') ? components.refer(meta('DeleteOptions')) : objectSchema();
  };
  const produced = custom === undefined ? builtInTypes(action) : ['application/json', 'application/yaml'];
  const content = (types: readonly string[], schema: Rec) =>
    Object.fromEntries(types.map((type) => [type, { schema }]));
  const tag = group === '' ? 'core' : camel(group.replace(/\.k8s\.io$/, ''));
  const body = action.startsWith('delete') ? (consumes ?? (custom === undefined ? ['*/*'] : [])) : consumes;
  return {
    tags: [`${tag.charAt(0).toLowerCase()}${tag.slice(1)}_${version}`],
    operationId: operationId(context, method, operation),
    ...(body === undefined || body.length === 0
      ? {}
      : {
          requestBody: {
            content: content(body, bodySchema()),
            ...(action.startsWith('delete') ? {} : { required: true }),
          },
        }),
    responses: {
      ...Object.fromEntries(
        (codes[action] ?? [200]).map((code) => [
          code,
          { description: statusTexts[code], content: content(produced, answered()) },
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  };
}

function builtInTypes(action: string): string[] {
  if (action === 'connect') return ['*/*'];
  const plain = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
  const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
  return action === 'list' || action.startsWith('watch') ? [...plain, ...streams] : plain;
}

/** A path item; parameters shared by all operations are listed at the path. */
function describePath(
  components: Components,
  context: PathContext,
  operations: Readonly<Record<string, Operation>>,
): Rec {
  const entries = Object.entries(operations).map(([method, operation]) => ({
    method,
    operation,
    parameters: parametersOf(context.path, operation.action, context.resource?.custom !== undefined),
  }));
  const shared = Array.from(entries[0]?.parameters.keys() ?? []).filter((name) =>
    entries.every(({ parameters }) => parameters.has(name)),
  );
  const common = shared.map((name) => entries[0]?.parameters.get(name));
  const described = entries.map(({ method, operation, parameters }) => {
    const ownParameters = Array.from(parameters).flatMap(([name, item]) =>
      shared.includes(name) ? [] : [item],
    );
    const text = describe(components, context, method, operation);
    return [method, { ...text, ...(ownParameters.length === 0 ? {} : { parameters: ownParameters }) }];
  });
  return { ...Object.fromEntries(described), ...(common.length === 0 ? {} : { parameters: common }) };
}

/** The OpenAPI v3 document of a group version; undefined when it serves nothing. */
export function versionDocument(registry: Registry, group: string, version: string): Rec | undefined {
  const served = registry.groups
    .find((item) => item.name === group)
    ?.versions.find((item) => item.version === version);
  if (served === undefined) return undefined;
  const custom = served.resources.filter((resource) => resource.custom !== undefined);
  const facts = operationFacts();
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const builtIn = Object.entries(facts.operations).filter(([path]) => path.startsWith(`${root}/`));
  const operations: Operations = Object.assign(Object.fromEntries(builtIn), ...custom.map(customOperations));
  const components = new Components(registry, facts.optionKinds);
  const paths = Object.entries(operations)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, methods]) => {
      const parts = path.slice(root.length + 1).split('/');
      if (parts[0] === 'watch') parts.shift();
      if (parts[0] === 'namespaces' && parts.length > 2 && parts[1] === '{namespace}') parts.splice(0, 2);
      const [plural = '', , sub = ''] = parts;
      const resource = registry.find(group, version, plural);
      return [path, describePath(components, { group, version, path, resource, sub }, methods)] as const;
    });
  return {
    openapi: '3.0.0',
    info:
      custom.length > 0
        ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' }
        : { title: 'Kubernetes', version: registry.version['gitVersion'] },
    paths: Object.fromEntries(paths),
    components: { schemas: components.all() },
  };
}
