import { readOnlyReason } from '../../contract/clusters.ts';
import { lacking } from '../../contract/needs.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Asker, Grants } from '../access/grants.ts';
import type { Place } from '../access/held.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** What a job needs of whoever began it, as long as it runs. */
export interface JobNeed {
  readonly need: Need;
  readonly place: Place;
}

/** Whose rights a job lives on. */
export interface JobOnRights {
  /** As it was when the job began. */
  readonly cluster: Pick<ClusterRow, 'id' | 'name' | 'isImpersonating'>;
  readonly person: Asker & Pick<Member, 'name'>;
  readonly prepared: { readonly needs: readonly JobNeed[] };
}

/**
 * Why a job may not go on by the grants and settings of this moment, as a sentence; undefined while it may. Throws errors
 * of the database.
 */
export async function whyStop(
  grants: Pick<Grants, 'access'>,
  { cluster, person, prepared }: JobOnRights,
): Promise<string | undefined> {
  const who = `${person.name}, who began it,`;
  let reach;
  try {
    reach = await grants.access(person, cluster.id);
  } catch (error) {
    if (error instanceof Problem && error.status === 404)
      return `${who} no longer has access to ${cluster.name}.`;
    throw error;
  }
  const { held } = reach;
  for (const { need, place } of prepared.needs) {
    const [missing] = lacking(need, (one) => held.may(one, place), held.isOwner);
    if (missing === undefined) continue;
    if (missing === 'owner') return `${who} is no longer an Owner of the organisation.`;
    const where = typeof place === 'string' ? '' : ` in the namespace ${place.namespace}`;
    return `${who} no longer has the permission "${missing}" on ${reach.cluster.name}${where}.`;
  }
  if (reach.cluster.isImpersonating && !cluster.isImpersonating)
    return `${reach.cluster.name} now acts as each person, and this was started with the console's credential.`;
  return readOnlyReason(reach.cluster);
}
