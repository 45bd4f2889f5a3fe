/** Content types of the three patches and of server-side apply. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** One request that changes an object. Plain data, so that it can be displayed, dry-run, repeated and tested. */
export interface KubeChange {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path with every segment URL-encoded. */
  readonly path: string;
  readonly contentType?: (typeof patchTypes)[keyof typeof patchTypes] | 'application/json';
  readonly body?: unknown;
}

/** Identifies an object on a cluster by its place in the API. */
export interface ObjectAddress {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * Encodes a name as a path segment. A lone surrogate, which no valid name has, becomes U+FFFD because it cannot be
 * encoded.
 */
const segment = (name: string): string => encodeURIComponent(name.toWellFormed());

/** Path of a collection in one namespace or in all. */
export function collectionPath(
  resource: Pick<ObjectAddress, 'group' | 'version' | 'plural'>,
  namespace?: string,
): string {
  const base =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  return namespace === undefined || namespace === ''
    ? `${base}/${resource.plural}`
    : `${base}/namespaces/${segment(namespace)}/${resource.plural}`;
}

/** Path of an object or of one of its subresources. */
export function objectPath(address: ObjectAddress, subresource?: string): string {
  const path = `${collectionPath(address, address.namespace)}/${segment(address.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
