import { and, eq, sql } from 'drizzle-orm';
import type { JobStatus, JobStep } from '../../contract/jobs.ts';
import { type AuditEntry, recordEnded } from '../audit/audit.ts';
import { type JobRow, jobs } from '../store/schema/jobs.ts';
import type { Database, Transaction } from '../store/store.ts';
import { isLeft, isOwn, type JobCluster, movesLimit, ofCluster, type OwnJob } from './job-rows.ts';

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

/** Who began a job, in the audit's words, from where and by which call. */
export type JobStarter = Pick<AuditEntry, 'actor' | 'address' | 'requestId'>;

/** Who began a job, as its row has it. Versions before kept it with what a job goes on by, or not at all. */
function storedStarter({ id, actor, starter, resumption }: JobRow): JobStarter {
  const known = (starter ?? resumption ?? {}) as Partial<JobStarter>;
  return {
    actor: known.actor ?? actor,
    address: known.address ?? 'console',
    requestId: known.requestId ?? `job-${id}`,
  };
}

/** How a job ended. */
export interface JobResult {
  readonly status: JobStatus;
  /** How, a sentence. */
  readonly message: string;
  readonly steps: readonly JobStep[];
}

/**
 * Stores how a job ended, with its row in the audit, and forgets by what another server would have gone on with it; false
 * where it has ended or moved already. So there is one such row, whoever ends it. Throws errors of the database.
 */
export async function finishJob(db: Database, job: OwnJob, result: JobResult): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.select().from(jobs).where(isOwn(job)).for('update');
    if (row !== undefined) await end(tx, row, result);
    return row !== undefined;
  });
}

/**
 * Ends the running jobs of every server that nobody has and none may go on with as interrupted, with their rows in the
 * audit, and returns them. Throws errors of the database.
 */
export async function interruptAbandoned(
  db: Database,
  messages: { readonly abandoned: string; readonly movedTooOften: string },
): Promise<JobRow[]> {
  const interrupted: JobRow[] = [];
  for (;;) {
    // One at a time: what keeps one from being ended keeps none of those before it.
    const row = await db.transaction(async (tx) => {
      const [left] = await tx
        .select()
        .from(jobs)
        .where(isLeft)
        .orderBy(jobs.id)
        .limit(1)
        .for('update', { skipLocked: true });
      if (left === undefined) return undefined;
      return await end(tx, left, {
        status: 'interrupted',
        message: left.moves < movesLimit ? messages.abandoned : messages.movedTooOften,
        steps: settleSteps(left.steps as readonly JobStep[]),
      });
    });
    if (row === undefined) return interrupted;
    interrupted.push(row);
  }
}

/**
 * Cancels the running jobs of a cluster that is about to be removed, of every server, with their rows in the audit, and
 * returns them. Throws errors of the database.
 */
export async function cancelJobsOf(tx: Transaction, cluster: JobCluster): Promise<JobRow[]> {
  const rows = await tx
    .select()
    .from(jobs)
    .where(and(ofCluster(cluster), eq(jobs.status, 'running')))
    .orderBy(jobs.id)
    .for('update');
  const cancelled: JobRow[] = [];
  for (const row of rows) {
    const steps = settleSteps(row.steps as readonly JobStep[]);
    const message = `Cancelled after ${countSteps(steps)}: its cluster was removed.`;
    cancelled.push(await end(tx, row, { status: 'cancelled', message, steps }));
  }
  return cancelled;
}

/** Ends a job whose row is locked. */
async function end(tx: Transaction, row: JobRow, result: JobResult): Promise<JobRow> {
  const { status, steps } = result;
  await tx
    .update(jobs)
    .set({ ...result, finishedAt: sql`now()`, resumption: null, starter: null })
    .where(eq(jobs.id, row.id));
  await recordEnded(
    tx,
    {
      ...storedStarter(row),
      companyId: row.companyId,
      userId: row.userId,
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
    },
    auditStatus(status),
  );
  return { ...row, ...result };
}
