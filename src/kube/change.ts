/** Content types of the three patches, server-side apply among them where named. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** One change to send to a cluster: plain data, so that it can be shown, tried, repeated and tested. */
export interface KubeChange {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path with every segment encoded. */
  readonly path: string;
  readonly contentType?: (typeof patchTypes)[keyof typeof patchTypes] | 'application/json';
  readonly body?: unknown;
}

/** Names an object on a cluster by its place in the API. */
export interface ObjectAddress {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent for objects of the cluster. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A name as a segment of a path. Half a surrogate pair, which no name has, becomes U+FFFD: it cannot be encoded. */
const segment = (name: string): string => encodeURIComponent(name.toWellFormed());

/** Path of a collection, of one namespace or of all. */
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

/** Path of one object, or of a subresource of it. */
export function objectPath(address: ObjectAddress, subresource?: string): string {
  const path = `${collectionPath(address, address.namespace)}/${segment(address.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
