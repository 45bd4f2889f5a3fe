import type { Obj } from '../kit/values.ts';
import { type Entry, readEntries, writeEntries } from './manage.ts';
import { difference, type FieldSet, intersection, isEmpty, leaf, node } from './set.ts';

/** A Scale's version, as its owners note it. */
export const scaleVersion = 'autoscaling/v1';
const inScale = pathSet('.spec.replicas');

/** The set of one path of plain fields (".spec.replicas"). */
function pathSet(path: string): FieldSet {
  const fields = path.replace(/^\./, '').split('.');
  return fields.reduceRight<FieldSet>((set, field) => node(false, [[`f:${field}`, set]]), leaf);
}

/** Owners are told apart by these; who applies is the same one through every version. */
const identity = ({ manager, operation, apiVersion, subresource }: Entry) =>
  JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);

/**
 * Notes those who own the replicas of an object as owners of its Scale's. `path`: where the object has its replicas.
 * In place. Source: apimachinery managedfields.ScaleHandler.ToSubresource.
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
 * Notes the owners of a Scale as owners of the replicas of the object it is of; those who own them no more lose them.
 * `before`: the object as it was; `apiVersion`: as it is asked for. In place. Source: ScaleHandler.ToParent.
 */
export function ownScaled(object: Obj, before: Obj, scale: Obj, path: string, apiVersion: string): void {
  const replicas = pathSet(path);
  const owners = readEntries(scale);
  const known = readEntries(before);
  const had = new Set(known.map(identity));
  const has = new Set(owners.map(identity));
  const kept = known.map((entry) =>
    has.has(identity(entry)) ? entry : { ...entry, set: difference(entry.set, replicas) },
  );
  // When they came to own them is not noted.
  const come = owners
    .filter((entry) => !had.has(identity(entry)))
    .map((entry) => ({ ...entry, apiVersion, time: undefined, set: replicas }));
  writeEntries(object, [...kept, ...come]);
}
