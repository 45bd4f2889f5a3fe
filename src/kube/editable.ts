import { isPlainObject } from './plain.ts';

/** What of metadata the server alone writes: nobody edits it. */
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

/** What of an object people write: without its status, and without what the server alone writes. */
export function editable(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { status: _status, ...rest } = object;
  const { metadata } = rest;
  if (!isPlainObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !serverOwnedMetadata.has(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}
