import { readOnlyReason } from '../../contract/clusters.ts';
import { lacking } from '../../contract/needs.ts';
import { Problem } from '../../contract/problem.ts';
import type { Asker, Grants, Rights } from '../access/grants.ts';
import type { PlacedNeed } from '../access/held.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Whose rights a job lives on. */
export interface JobOnRights {
  /** As it was when the job began. */
  readonly cluster: Pick<ClusterRow, 'id' | 'name' | 'isImpersonating'>;
  readonly person: Asker & Pick<Member, 'name'>;
  readonly prepared: { readonly needs: readonly PlacedNeed[] };
}

/** Why a job may not go on by the grants and settings of this moment, read for it alone. Throws errors of the database. */
export async function whyStop(grants: Pick<Grants, 'access'>, job: JobOnRights): Promise<string | undefined> {
  try {
    return whyStopBy(await grants.access(job.person, job.cluster.id), job);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return whyStopBy(undefined, job);
    throw error;
  }
}

/**
 * Why a job may not go on by rights that its person has on its cluster, as a sentence; undefined while it may.
 * @param rights undefined where they do not reach it
 */
export function whyStopBy(
  rights: Rights | undefined,
  { cluster, person, prepared }: JobOnRights,
): string | undefined {
  const who = `${person.name}, who began it,`;
  if (rights === undefined) return `${who} no longer has access to ${cluster.name}.`;
  const { held } = rights;
  for (const { need, place } of prepared.needs) {
    const [missing] = lacking(need, (one) => held.may(one, place), held.isOwner);
    if (missing === undefined) continue;
    if (missing === 'owner') return `${who} is no longer an Owner of the organisation.`;
    const where = typeof place === 'string' ? '' : ` in the namespace ${place.namespace}`;
    return `${who} no longer has the permission "${missing}" on ${rights.cluster.name}${where}.`;
  }
  if (rights.cluster.isImpersonating && !cluster.isImpersonating)
    return `${rights.cluster.name} now acts as each person, and this was started with the console's credential.`;
  return readOnlyReason(rights.cluster);
}
