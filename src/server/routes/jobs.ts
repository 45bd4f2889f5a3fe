import { actionById } from '../../../commands/kinds/index.ts';
import type { Job, jobEndpoints } from '../../contract/jobs.ts';
import { Problem } from '../../contract/problem.ts';
import { needOf } from '../actions/available.ts';
import { placesOf, presentJob, rightsOnJob } from '../actions/job-sight.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** Jobs of the server, as each person may see them. */
export function jobHandlers({
  grants,
  jobs,
  kinds,
}: Pick<RouteParts, 'grants' | 'jobs' | 'kinds'>): Handlers<typeof jobEndpoints> {
  return {
    async jobs(_request, { person, cluster }) {
      const visibleJobs: Job[] = [];
      const held = await grants.held(person, cluster.id);
      for (const row of await jobs.list(cluster)) {
        const mine = await rightsOnJob({ kinds, held }, row, cluster);
        if (mine !== undefined) visibleJobs.push(presentJob(row, mine.canCancel));
      }
      return { jobs: visibleJobs };
    },
    async cancelJob({ params }, { person, cluster, audit }) {
      const row = await jobs.find(cluster, params.jobId);
      const held = await grants.held(person, cluster.id);
      const mine = row === undefined ? undefined : await rightsOnJob({ kinds, held }, row, cluster);
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
