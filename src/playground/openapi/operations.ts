import { readFileSync } from 'node:fs';
import { apiVersionOf, type Resource } from '../registry/registry.ts';

/** An operation of a path. */
export interface Operation {
  readonly action: string;
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string };
  readonly consumes?: readonly string[];
}

/** Operations by path and method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Facts {
  readonly operations: Operations;
  readonly optionKinds: readonly unknown[];
}

/**
 * Operations of the real server's built-in paths. Read from disk each time, since the file is large and rarely
 * needed.
 */
export function operationFacts(): Facts {
  return JSON.parse(readFileSync(new URL('../facts/operations.gen.json', import.meta.url), 'utf8')) as Facts;
}

const writeMediaTypes = ['application/json', 'application/yaml'];

/** Operations of a custom resource's paths. */
export function customOperations(resource: Resource): Operations {
  const { group, version, kind, plural, namespaced, subresources, patchTypes } = resource;
  const gvk = { group, version, kind };
  const read = (action: string): Operation => ({ action, gvk });
  const write = (action: string): Operation => ({ action, gvk, consumes: writeMediaTypes });
  const patch: Operation = { action: 'patch', gvk, consumes: [...patchTypes].sort() };
  const root = `/apis/${apiVersionOf(resource)}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const sub = { get: read('get'), put: write('put'), patch };
  return {
    ...(namespaced ? { [`${root}/${plural}`]: { get: read('list') } } : {}),
    [collection]: { get: read('list'), post: write('post'), delete: read('deletecollection') },
    [`${collection}/{name}`]: { ...sub, delete: write('delete') },
    ...Object.fromEntries(Array.from(subresources.keys(), (name) => [`${collection}/{name}/${name}`, sub])),
  };
}
