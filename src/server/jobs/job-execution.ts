import type { Logger } from 'pino';
import type { JobStatus, JobStep } from '../../contract/jobs.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { Grants, Rights } from '../access/grants.ts';
import type { Member } from '../access/person.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { outlastStoreAbsence } from '../store/absence.ts';
import { isStoreUnavailable } from '../store/problem.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import type { Database } from '../store/store.ts';
import type { PreparedJob } from './job.ts';
import { countSteps, finishJob, settleSteps } from './job-end.ts';
import { JobProgress, withMoves } from './job-progress.ts';
import { whyStop, whyStopBy } from './job-rights.ts';
import { releaseJob } from './job-rows.ts';

/** Message of a job whose server ended before the job did. */
export const interruptedMessage =
  'The server stopped before the job was done. Completed steps remain: check the result, then start again.';

/** Message of a job that ended too many servers, or lost them by chance. */
export const movedTooOftenMessage =
  'Its servers stopped repeatedly before the job was done, so it is not resumed. Completed steps remain: check the result, then start again.';

/** Message of a job that its server had no time to begin. */
export const notBegunMessage = 'The server stopped before the job began. Nothing was done: start it again.';

/** Message of a job whose server ended, until another one goes on with it. */
export const movedMessage = 'Its server stopped. Another one continues it in a moment.';

/** Inputs of a new job. */
export interface JobStart {
  readonly cluster: ClusterRow;
  readonly person: Member;
  /** Id of the action. */
  readonly action: string;
  readonly ref: Ref;
  readonly prepared: PreparedJob;
  /** Network address of the person, for the audit. */
  readonly address: string;
  readonly requestId: string;
}

/**
 * How a job is stopped before its end. `moved`: another server goes on with it, or does already.
 */
type StopStatus = 'cancelled' | 'interrupted' | 'moved';

/** The reason with which a job's signal is aborted. */
class Stop extends Error {
  readonly status: StopStatus;
  /** Why it may not go on, a sentence; undefined where somebody cancelled it. */
  readonly because: string | undefined;
  constructor(status: Stop['status'], because?: string) {
    super(status);
    this.status = status;
    this.because = because;
  }
}

interface Outcome {
  readonly status: JobStatus | 'moved';
  readonly message: string;
}

/** The steps of a job that another server goes on with. */
function keepSteps(steps: readonly JobStep[]): JobStep[] {
  return steps.map((step) =>
    step.status === 'running' ? { ...step, status: 'waiting', message: null } : step,
  );
}

/** Inputs of a job's execution. */
export interface JobExecutionParts {
  readonly row: JobRow;
  readonly start: JobStart;
  readonly db: Database;
  readonly grants: Pick<Grants, 'access'>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Tells pages that the row changed. */
  readonly announce: (row: JobRow) => Promise<void>;
}

/** One job while this server runs it. */
export class JobExecution {
  readonly #parts: JobExecutionParts;
  readonly #abort = new AbortController();
  readonly #progress: JobProgress;

  constructor(parts: JobExecutionParts) {
    this.#parts = parts;
    this.#progress = new JobProgress({ ...parts, signal: this.#abort.signal });
  }

  /** Whether another server can go on with it. */
  get isResumable(): boolean {
    return this.#parts.row.resumption !== null;
  }

  /** The job as this execution knows it, for what may be written of it. */
  get row(): JobRow {
    return this.#parts.row;
  }

  /**
   * Runs the job, then stores and audits how it ended. Never throws: failures are logged. An end that cannot be stored,
   * as where the database is away for too long, is left to whichever server finds the job without a heartbeat.
   */
  async run(): Promise<void> {
    const { row, db, log, clock } = this.#parts;
    // A right may have gone while no server had it.
    if (row.moves > 0) await this.stopIfJudged();
    const { status, message } = await this.#outcome();
    await this.#progress.end();
    const { current } = this.#progress;
    try {
      if (status === 'moved') {
        await releaseJob(db, row, { message, steps: keepSteps(current) });
        return;
      }
      const steps = settleSteps(current);
      const result = { status, message: withMoves(message, row), steps };
      await outlastStoreAbsence(() => finishJob(db, row, result), clock);
    } catch (error) {
      log.error({ err: describeError(error), jobId: row.id, status }, 'The end of a job could not be stored');
    }
  }

  /** Aborts the job; it ends with `status`. The first reason counts. */
  stop(status: StopStatus, because?: string): void {
    this.#abort.abort(new Stop(status, because));
  }

  /** Stops the job on this server, which ends or has it no more: another one goes on with it if it can. */
  leave(): void {
    this.stop(this.isResumable ? 'moved' : 'interrupted');
  }

  /** Stops the job if whoever began it may not go on with it, by grants that are read for it. Never throws. */
  async stopIfJudged(): Promise<void> {
    const { grants, log, row, start } = this.#parts;
    try {
      const because = await whyStop(grants, start);
      if (because !== undefined) this.stop('cancelled', because);
    } catch (error) {
      log.warn(
        { err: describeError(error), jobId: row.id },
        'The rights of a job could not be read; it goes on',
      );
    }
  }

  /** Throws Problem, with a sentence, where whoever began the job may not go on with it by these rights. */
  judge(rights: Rights | undefined): void {
    const because = whyStopBy(rights, this.#parts.start);
    if (because !== undefined) throw new Problem({ status: 403, title: because });
  }

  async #outcome(): Promise<Outcome> {
    try {
      this.#abort.signal.throwIfAborted();
      return { status: 'succeeded', message: await this.#parts.start.prepared.run(this.#progress) };
    } catch (error) {
      // A step may find a right gone before the notice of that comes.
      if (error instanceof Problem) await this.stopIfJudged();
      const reason: unknown = this.#abort.signal.reason;
      return reason instanceof Stop ? this.#stopped(reason) : this.#failed(error);
    }
  }

  #stopped({ status, because }: Stop): Outcome {
    if (status === 'interrupted') return { status, message: interruptedMessage };
    if (status === 'moved') return { status, message: movedMessage };
    const counts = countSteps(this.#progress.current);
    const { afterCancel } = this.#parts.start.prepared;
    if (because === undefined) return { status, message: `Cancelled after ${counts}. ${afterCancel}` };
    return { status, message: `Stopped after ${counts}. ${because} ${afterCancel}` };
  }

  #failed(error: unknown): Outcome {
    if (error instanceof Problem) return { status: 'failed', message: error.title };
    const { log, row } = this.#parts;
    log.error({ err: describeError(error), jobId: row.id, action: row.action }, 'A job failed');
    if (isStoreUnavailable(error))
      return {
        status: 'failed',
        message:
          'The database did not answer for too long. Completed steps remain: check the result, then start again.',
      };
    return { status: 'failed', message: 'Something went wrong on the server; its log has the details.' };
  }
}
