import type { Need } from '../../contract/permissions.ts';
import { type Grants, type Reach, requireHeld } from '../access/grants.ts';
import type { Place } from '../access/held.ts';
import type { Member } from '../access/person.ts';

/** What a person may do on a cluster, as read a moment ago. */
export type Access = Reach;

/** What is needed to follow something, and where. */
export interface Requirement {
  readonly need: Need;
  readonly place: Place;
}

/**
 * Reads what a person may do on a cluster. Throws Problem 404 for a cluster they do not reach, 403 when they lack
 * what is needed.
 * @param required only that they reach the cluster without it
 */
export async function readAccess(
  grants: Grants,
  person: Member,
  clusterId: number,
  required: Requirement | undefined,
): Promise<Access> {
  const access = await grants.access(person, clusterId);
  if (required !== undefined) requireHeld(access, required.need, required.place);
  return access;
}
