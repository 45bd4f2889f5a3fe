import type { JobName } from '../../registry/kind-action.ts';
import { drain } from './drain/drain.ts';
import type { JobDefinition } from './job.ts';

/** What each name of a job stands for. */
export const jobDefinitions: Readonly<Record<JobName, JobDefinition>> = { drain };
