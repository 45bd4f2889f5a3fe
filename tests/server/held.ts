import type { Permission } from '../../src/contract/permissions.ts';
import { createHeld, type HeldPermissions, type Namespaces } from '../../src/server/access/held.ts';

/** What somebody may do who holds these permissions. @param within where they hold them */
export function heldOf(
  permissions: Iterable<Permission>,
  { isOwner = false, within = 'all' }: { readonly isOwner?: boolean; readonly within?: Namespaces } = {},
): HeldPermissions {
  return createHeld(new Map([...permissions].map((name) => [name, within])), isOwner);
}
