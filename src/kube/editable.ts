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

/** The part of an object that people write: without status and server-owned metadata. */
export function editable(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { status: _status, ...rest } = object;
  const { metadata } = rest;
  if (!isPlainObject(metadata)) return rest;
  const entries = Object.entries(metadata).filter(([key]) => !serverOwnedMetadata.has(key));
  return { ...rest, metadata: Object.fromEntries(entries) };
}
