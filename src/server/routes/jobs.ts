import { actionById } from '../../../commands/kinds/index.ts';
import type { Job, jobEndpoints, JobStep } from '../../contract/jobs.ts';
import { orgRoles, type Permission } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { needOf } from '../actions/available.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { satisfies } from '../live/access.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { Services } from '../http/services.ts';
import type { ClusterRow, JobRow } from '../store/schema.ts';

/** Jobs of the server, as each person may see them. */
export function jobHandlers(
  { grants }: Pick<Services, 'grants'>,
  { jobs, kinds }: { readonly jobs: Jobs; readonly kinds: KindCatalogue },
): Handlers<typeof jobEndpoints> {
  /** A person's rights on a job; undefined for one they may not see. */
  const rights = async (row: JobRow, held: ReadonlySet<Permission>, person: Member, cluster: ClusterRow) => {
    const kind = await kinds.find(cluster, row.kind);
    const action = actionById(row.action);
    const isOwner = person.orgRole === orgRoles.Owner;
    if (!isOwner && !satisfies(held, kind.permissions.view)) return undefined;
    return { canCancel: action !== undefined && (isOwner || satisfies(held, needOf(action, kind))) };
  };

  return {
    async jobs(_request, { person, cluster }) {
      const visibleJobs: Job[] = [];
      const held = await grants.permissions(person, cluster.id);
      for (const row of await jobs.list(cluster)) {
        const mine = await rights(row, held, person, cluster);
        if (mine !== undefined) visibleJobs.push(jobOf(row, mine.canCancel));
      }
      return { jobs: visibleJobs };
    },
    async cancelJob({ params }, { person, cluster, audit }) {
      const row = await jobs.find(cluster, params.jobId);
      const held = await grants.permissions(person, cluster.id);
      const mine = row === undefined ? undefined : await rights(row, held, person, cluster);
      if (row === undefined || mine === undefined) {
        throw new Problem({ status: 404, title: 'There is no such job.' });
      }
      const { action, kind, namespace, name } = row;
      await audit.record(`${action}.cancel`, { kind, namespace: namespace || null, names: name });
      const needed = actionById(action);
      if (needed === undefined) throw new Problem({ status: 404, title: 'There is no such job.' });
      await grants.require(person, cluster.id, needOf(needed, await kinds.find(cluster, kind)));
      await jobs.cancel(cluster, row.id, person.name);
      return undefined;
    },
  };
}

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
