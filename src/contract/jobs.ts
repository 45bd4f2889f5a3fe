import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { refSchema } from './objects.ts';

/** Maximum number of steps of a job that are listed one by one. */
export const stepsLimit = 600;

/**
 * Status of a job's step.
 * - `waiting`: not started
 * - `running`: in progress; `message` says what it waits for
 * - `done`, `failed`
 * - `skipped`: nothing to do; `message` says why
 */
export const stepStatuses = ['waiting', 'running', 'done', 'failed', 'skipped'] as const;
export const jobStepSchema = z.object({
  name: z.string(),
  status: z.enum(stepStatuses),
  message: z.nullable(z.string()),
});
export type JobStep = z.infer<typeof jobStepSchema>;

/**
 * Status of a job.
 * - `interrupted`: the server stopped before the job finished
 */
export const jobStatuses = ['running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Work that the server does step by step in the background: a drain, a rollback of a release. */
export const jobSchema = z
  .object({
    id: z.int(),
    /** Id of the action that started it. */
    action: z.string(),
    ref: refSchema,
    /** The title: `Drain node a`. */
    title: z.string(),
    status: z.enum(jobStatuses),
    /** The progress or result, as a sentence. */
    message: z.string(),
    steps: z.array(jobStepSchema),
    /** The person who started it. */
    startedBy: z.string(),
    /** ISO. */
    startedAt: z.string(),
    /** ISO; null while it runs. */
    finishedAt: z.nullable(z.string()),
    /** Whether somebody asked to stop it. */
    isCancelling: z.boolean(),
    /** Whether the caller may stop it. */
    canCancel: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Job' });
export type Job = z.infer<typeof jobSchema>;

export const jobEndpoints = {
  jobs: endpoint({
    method: 'GET',
    path: '/api/clusters/:clusterId/jobs',
    summary:
      'Jobs of a cluster that are running or ended within a day, newest first, if the caller may view their object and the pods that a drain names',
    access: 'cluster',
    params: clusterParams,
    response: z.object({ jobs: z.array(jobSchema) }),
  }),
  cancelJob: endpoint({
    method: 'POST',
    path: '/api/clusters/:clusterId/jobs/:jobId/cancel',
    summary: 'Cancels a job. Completed steps remain. Needs the same permission as starting it',
    audited: 'cancel a job on {cluster}',
    access: 'cluster',
    params: z.extend(clusterParams, {
      jobId: z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
    }),
    status: 204,
  }),
} as const;
