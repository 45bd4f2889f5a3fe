import type { OwnerReference } from './object.ts';

/** The part of an object that names its owners. */
interface Owned {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] };
}

/** The owner that controls an object; undefined if there is none. */
export const controllerOf = (object: Owned | undefined): OwnerReference | undefined =>
  object?.metadata?.ownerReferences?.find(({ controller }) => controller === true);

/** Owner references, the controlling one first. */
export const controllerFirst = (references: readonly OwnerReference[]): readonly OwnerReference[] =>
  references.length < 2
    ? references
    : references.toSorted((a, b) => Number(b.controller === true) - Number(a.controller === true));
