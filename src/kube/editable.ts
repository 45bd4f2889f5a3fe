import { isPlainObject } from './plain.ts';

/** Fields of metadata that only the server writes. */
const serverOwnedMetadata: ReadonlySet<string> = new Set([
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
]);

type JsonObject = Readonly<Record<string, unknown>>;

/** The part of an object that people write: without status and server-owned metadata. */
export function editable(object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object;
  return withoutServerMetadata(rest);
}

function withoutServerMetadata(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isPlainObject(metadata)) return object;
  const entries = Object.entries(metadata).filter(([key]) => !serverOwnedMetadata.has(key));
  return { ...object, metadata: Object.fromEntries(entries) };
}

/**
 * An object as it may be sent to be stored, also if it was copied from a cluster: `kubectl create` accepts the same text.
 * The status of a custom resource stays: without a status subresource it is a field like any other, else the cluster
 * drops it.
 * @param group API group of the kind
 */
export function storable(object: JsonObject, group: string): JsonObject {
  const isBuiltIn = !group.includes('.') || group.endsWith('.k8s.io');
  return isBuiltIn ? editable(object) : withoutServerMetadata(object);
}
