import type { Need, Permission } from './permissions.ts';

type All = Permission | readonly Permission[];

/** Everything that can be asked of a person: one permission, all of a list, any of several, or to be an Owner. */
export type Requirement = Need | { readonly any: readonly All[] };

/** Whether a person holds a permission in the place in question. */
export type Holds = (permission: Permission) => boolean;

/** Whether somebody has what is required. Nothing to choose from is for Owners, who have every permission. */
export function satisfies(requirement: Requirement, holds: Holds, isOwner: boolean): boolean {
  if (requirement === 'owner') return isOwner;
  if (typeof requirement === 'string') return holds(requirement);
  if ('any' in requirement)
    return requirement.any.length === 0
      ? isOwner
      : requirement.any.some((one) => satisfies(one, holds, isOwner));
  return requirement.every(holds);
}

/**
 * The permissions that a person lacks for a requirement; none where it is satisfied. Of several alternatives the one they are
 * closest to, the first of those that are equally close.
 */
export function lacking(
  requirement: Requirement,
  holds: Holds,
  isOwner: boolean,
): readonly (Permission | 'owner')[] {
  if (requirement === 'owner') return isOwner ? [] : ['owner'];
  if (typeof requirement === 'string') return holds(requirement) ? [] : [requirement];
  if ('any' in requirement) {
    const [first, ...others] = requirement.any.map((one) => lacking(one, holds, isOwner));
    if (first === undefined) return lacking('owner', holds, isOwner);
    return others.reduce((closest, other) => (other.length < closest.length ? other : closest), first);
  }
  return requirement.filter((one) => !holds(one));
}
