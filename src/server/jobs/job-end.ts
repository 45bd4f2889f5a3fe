import type { JobStatus, JobStep } from '../../contract/jobs.ts';
import type { Audit } from '../audit/audit.ts';
import type { JobRow } from '../store/schema/jobs.ts';

/** The status that the audit records, as an HTTP status code. */
const auditStatus = (status: JobStatus) => (status === 'succeeded' ? 200 : status === 'failed' ? 500 : 499);

const countOf = (steps: readonly JobStep[], status: JobStep['status']) =>
  steps.filter((step) => step.status === status).length;

/** `1 of 3 steps`, for the message of a job that was stopped. */
export function countSteps(steps: readonly JobStep[]): string {
  return `${countOf(steps, 'done')} of ${steps.length} steps`;
}

/** The steps of a job that has ended: none of them runs or waits any more. */
export function settleSteps(steps: readonly JobStep[]): JobStep[] {
  return steps.map((step) =>
    step.status === 'running' || step.status === 'waiting'
      ? { ...step, status: 'skipped', message: step.status === 'running' ? 'Stopped.' : 'Not started.' }
      : step,
  );
}

/** How a job ended, and who began it, in the audit's words. */
export interface JobEnd {
  readonly status: JobStatus;
  readonly steps: readonly JobStep[];
  readonly by: {
    readonly userId: number | null;
    readonly actor: string;
    readonly address: string;
    readonly requestId: string;
  };
}

/** Writes the end of a job into the audit. Throws errors of the database. */
export async function recordJobEnd(audit: Audit, row: JobRow, { status, steps, by }: JobEnd): Promise<void> {
  const entry = await audit.begin({
    companyId: row.companyId,
    userId: by.userId,
    actor: by.actor,
    action: `${row.action}.end`,
    clusterId: row.clusterId,
    subject: {
      jobId: row.id,
      kind: row.kind,
      namespace: row.namespace || null,
      names: row.name,
      outcome: status,
      done: countOf(steps, 'done'),
      failed: countOf(steps, 'failed'),
      ...(row.moves === 0 ? {} : { moves: row.moves }),
    },
    address: by.address,
    requestId: by.requestId,
  });
  await entry.finish(auditStatus(status));
}
