import type { OwnerReference } from './object.ts';

/** An object as far as its owners go. */
interface Owned {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] };
}

/** The owner that controls an object; undefined for one that nobody does. */
export const controllerOf = (object: Owned | undefined): OwnerReference | undefined =>
  object?.metadata?.ownerReferences?.find(({ controller }) => controller === true);

/** Owners, the controlling one first. */
export const controllerFirst = (references: readonly OwnerReference[]): readonly OwnerReference[] =>
  references.length < 2
    ? references
    : references.toSorted((a, b) => Number(b.controller === true) - Number(a.controller === true));
