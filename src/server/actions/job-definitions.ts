import type { JobName } from '../../registry/kinds/kind-action.ts';
import { releaseRollback } from '../helm/rollback.ts';
import { releaseUninstall } from '../helm/uninstall.ts';
import { drain } from '../jobs/drain/drain.ts';
import type { JobDefinition } from '../jobs/job.ts';

/** The definition of each job, by its name. */
export const jobDefinitions: Readonly<Record<JobName, JobDefinition>> = {
  drain,
  releaseRollback,
  releaseUninstall,
};
