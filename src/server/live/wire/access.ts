import { type Grants, type Reach, requireNeeds, type Rights } from '../../access/grants.ts';
import type { PlacedNeed } from '../../access/held.ts';
import type { Member } from '../../access/person.ts';

/** The rights that a person has on a cluster, as read a moment ago. */
export type Access = Rights;

/**
 * Reads the rights that a person has on a cluster. Throws Problem 404 for a cluster they do not reach, 403 when they lack
 * what is needed.
 * @param required only that they reach the cluster without it
 */
export async function readAccess(
  grants: Grants,
  person: Member,
  clusterId: number,
  required: PlacedNeed | undefined,
): Promise<Reach> {
  const reach = await grants.access(person, clusterId);
  requireNeeds(reach, required === undefined ? [] : [required]);
  return reach;
}
