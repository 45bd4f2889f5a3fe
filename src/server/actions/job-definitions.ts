import type { JobName } from '../../registry/kind-action.ts';
import { releaseRollback } from '../helm/rollback.ts';
import { releaseUninstall } from '../helm/uninstall.ts';
import { drain } from '../jobs/drain/drain.ts';
import type { JobDefinition } from '../jobs/job.ts';

/** What each name of a job stands for. */
export const jobDefinitions: Readonly<Record<JobName, JobDefinition>> = {
  drain,
  releaseRollback,
  releaseUninstall,
};
