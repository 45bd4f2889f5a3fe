import { actionById } from '../../../commands/kinds/index.ts';
import { pod as podKind } from '../../../commands/kinds/pod.ts';
import type { Job, JobStep } from '../../contract/jobs.ts';
import type { Need } from '../../contract/permissions.ts';
import type { HeldPermissions, Place } from '../access/held.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import { needOf } from './available.ts';

/** Where a job works: one that is about the cluster, or of which that is not known, on the whole of it. */
export const placesOf = ({ namespaces }: JobRow): readonly Place[] =>
  namespaces === null ? ['cluster'] : namespaces.map((namespace) => ({ namespace }));

/** A person's rights on a job; undefined for one they may not see: its steps name all that it works on. */
export async function rightsOnJob(
  { kinds, held }: { readonly kinds: KindCatalogue; readonly held: HeldPermissions },
  row: JobRow,
  cluster: Pick<ClusterRow, 'id' | 'name'>,
): Promise<{ readonly canCancel: boolean } | undefined> {
  const kind = await kinds.find(cluster, row.kind);
  const action = actionById(row.action);
  const may = (need: Need) => placesOf(row).every((place) => held.may(need, place));
  const canCancel = action !== undefined && (held.isOwner || may(needOf(action, kind)));
  // A drain names the pods of every namespace. Whoever may begin it reads them in its dry run.
  const isDrain = action !== undefined && 'job' in action && action.job === 'drain';
  const areStepsInSight = canCancel || !isDrain || may(podKind.permissions.view);
  if (!held.isOwner && (!may(kind.permissions.view) || !areStepsInSight)) return undefined;
  return { canCancel };
}

/** A job as a person sees it. */
export function presentJob(row: JobRow, canCancel: boolean): Job {
  const { id, action, kind, namespace, name, title, message, startedAt, finishedAt } = row;
  return {
    id,
    action,
    ref: namespace === '' ? { kind, name } : { kind, namespace, name },
    title,
    status: row.status as Job['status'],
    message,
    steps: row.steps as JobStep[],
    startedBy: row.actor,
    startedAt,
    finishedAt,
    isCancelling: row.cancelledBy !== null && row.status === 'running',
    canCancel: canCancel && row.status === 'running',
  };
}
