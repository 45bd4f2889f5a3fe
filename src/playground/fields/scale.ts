import type { Obj } from '../kit/values.ts';
import { type Entry, readEntries, writeEntries } from './manage.ts';
import { difference, type FieldSet, intersection, isEmpty, leaf, node } from './set.ts';

/** apiVersion of a Scale in its managed fields. */
export const scaleVersion = 'autoscaling/v1';
const inScale = pathSet('.spec.replicas');

/** The set of one path of plain fields, such as ".spec.replicas". */
function pathSet(path: string): FieldSet {
  const fields = path.replace(/^\./, '').split('.');
  return fields.reduceRight<FieldSet>((set, field) => node(false, [[`f:${field}`, set]]), leaf);
}

/** Identifies a manager's entry; applies of one manager are the same entry in every version. */
const identity = ({ manager, operation, apiVersion, subresource }: Entry) =>
  JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);

/**
 * Copies the entries that own an object's replicas to its Scale. `path`: of the replicas in the object. In place.
 * Source: apimachinery managedfields.ScaleHandler.ToSubresource.
 */
export function ownScale(scale: Obj, object: Obj, path: string): void {
  const replicas = pathSet(path);
  const owners = readEntries(object).filter(({ set }) => !isEmpty(intersection(set, replicas)));
  writeEntries(
    scale,
    owners.map((entry) => ({ ...entry, apiVersion: scaleVersion, set: inScale })),
  );
}

/**
 * Copies the entries of a Scale to the replicas of its object; entries missing from the Scale lose them.
 * `before`: the object's previous state; `apiVersion`: of the request. In place. Source: ScaleHandler.ToParent.
 */
export function ownScaled(object: Obj, before: Obj, scale: Obj, path: string, apiVersion: string): void {
  const replicas = pathSet(path);
  const owners = readEntries(scale);
  const oldEntries = readEntries(before);
  const oldIds = new Set(oldEntries.map(identity));
  const newIds = new Set(owners.map(identity));
  const keptEntries = oldEntries.map((entry) =>
    newIds.has(identity(entry)) ? entry : { ...entry, set: difference(entry.set, replicas) },
  );
  // New entries have no time.
  const addedEntries = owners
    .filter((entry) => !oldIds.has(identity(entry)))
    .map((entry) => ({ ...entry, apiVersion, time: undefined, set: replicas }));
  writeEntries(object, [...keptEntries, ...addedEntries]);
}
