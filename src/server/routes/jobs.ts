import { actionById } from '../../../commands/kinds/index.ts';
import { pod as podKind } from '../../../commands/kinds/pod.ts';
import type { Job, jobEndpoints, JobStep } from '../../contract/jobs.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { HeldPermissions, Place } from '../access/held.ts';
import { needOf } from '../actions/available.ts';
import type { Handlers } from '../http/handlers.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import type { RouteParts } from './parts.ts';

/** Jobs of the server, as each person may see them. */
export function jobHandlers({
  grants,
  jobs,
  kinds,
}: Pick<RouteParts, 'grants' | 'jobs' | 'kinds'>): Handlers<typeof jobEndpoints> {
  /** A person's rights on a job; undefined for one they may not see: its steps name all that it works on. */
  const rights = async (row: JobRow, held: HeldPermissions, cluster: ClusterRow) => {
    const kind = await kinds.find(cluster, row.kind);
    const action = actionById(row.action);
    const may = (need: Need) => placesOf(row).every((place) => held.may(need, place));
    const canCancel = action !== undefined && (held.isOwner || may(needOf(action, kind)));
    // A drain names the pods of every namespace. Whoever may begin it reads them in its dry run.
    const isDrain = action !== undefined && 'job' in action && action.job === 'drain';
    const areStepsInSight = canCancel || !isDrain || may(podKind.permissions.view);
    if (!held.isOwner && (!may(kind.permissions.view) || !areStepsInSight)) return undefined;
    return { canCancel };
  };

  return {
    async jobs(_request, { person, cluster }) {
      const visibleJobs: Job[] = [];
      const held = await grants.held(person, cluster.id);
      for (const row of await jobs.list(cluster)) {
        const mine = await rights(row, held, cluster);
        if (mine !== undefined) visibleJobs.push(jobOf(row, mine.canCancel));
      }
      return { jobs: visibleJobs };
    },
    async cancelJob({ params }, { person, cluster, audit }) {
      const row = await jobs.find(cluster, params.jobId);
      const held = await grants.held(person, cluster.id);
      const mine = row === undefined ? undefined : await rights(row, held, cluster);
      if (row === undefined || mine === undefined) {
        throw new Problem({ status: 404, title: 'There is no such job.' });
      }
      const { action, kind, namespace, name } = row;
      await audit.record(`${action}.cancel`, { kind, namespace: namespace || null, names: name });
      const needed = actionById(action);
      if (needed === undefined) throw new Problem({ status: 404, title: 'There is no such job.' });
      const need = needOf(needed, await kinds.find(cluster, kind));
      for (const place of placesOf(row)) await grants.require(person, cluster.id, need, place);
      await jobs.cancel(cluster, row.id, person.name);
      return undefined;
    },
  };
}

/** Where a job works: one that is about the cluster, or of which that is not known, on the whole of it. */
const placesOf = ({ namespaces }: JobRow): readonly Place[] =>
  namespaces === null ? ['cluster'] : namespaces.map((namespace) => ({ namespace }));

function jobOf(row: JobRow, canCancel: boolean): Job {
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
