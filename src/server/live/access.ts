import { type Need, orgRoles, type Permission } from '../../contract/permissions.ts';
import type { Grants } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema.ts';

/** A person's permissions on a cluster, as read a moment ago. */
export interface Access {
  readonly cluster: ClusterRow;
  readonly held: ReadonlySet<Permission>;
  /** Owners have what nobody can be granted. */
  readonly isOwner: boolean;
}

/**
 * Reads what a person may do on a cluster. Throws Problem 404 for a cluster they do not reach, 403 when they lack
 * what is needed.
 * @param need only that they reach the cluster without it
 */
export async function readAccess(
  grants: Grants,
  person: Member,
  clusterId: number,
  need: Need | undefined,
): Promise<Access> {
  const cluster =
    need === undefined
      ? await grants.cluster(person, clusterId)
      : await grants.require(person, clusterId, need);
  const held = await grants.permissions(person, clusterId);
  return { cluster, held, isOwner: person.orgRole === orgRoles.Owner };
}

/** Whether somebody with these permissions has what is needed; what is for Owners only nobody has here. */
export function satisfies(held: ReadonlySet<Permission>, need: Need): boolean {
  if (need === 'owner') return false;
  return (typeof need === 'string' ? [need] : need).every((one) => held.has(one));
}

/** Whether somebody with this access has what is needed, what is for Owners only included. */
export const permits = ({ held, isOwner }: Pick<Access, 'held' | 'isOwner'>, need: Need): boolean =>
  need === 'owner' ? isOwner : satisfies(held, need);
