import type { Logger } from 'pino';
import { type JobStep, stepsLimit } from '../../contract/jobs.ts';
import { describeError } from '../kit/describe-error.ts';
import type { Clock } from '../kit/clock.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import type { Database } from '../store/store.ts';
import type { JobHandle } from './job.ts';
import { updateProgress } from './job-rows.ts';

/** Progress is stored and announced at most this often, ms. */
const storeInterval = 500;

/** Inputs of a job's progress. */
export interface JobProgressParts {
  readonly row: JobRow;
  readonly signal: AbortSignal;
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Tells pages that the row changed. */
  readonly announce: (row: JobRow) => Promise<void>;
}

/** Steps and message of a running job, stored at intervals. A write that fails is logged and the job goes on. */
export class JobProgress implements JobHandle {
  readonly signal: AbortSignal;
  readonly #parts: JobProgressParts;
  /** Steps that servers before this one have done. */
  readonly #before: readonly JobStep[];
  #steps: readonly JobStep[];
  #message: string;
  #cancelTimer: (() => void) | undefined;
  /** Writes run one after another, so that an older state never replaces a newer one. */
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: JobProgressParts) {
    this.#parts = parts;
    this.signal = parts.signal;
    this.#message = parts.row.message;
    const stored = parts.row.steps as readonly JobStep[];
    this.#before = stored.filter(({ status }) => status === 'done');
    // Until the job names its parts anew.
    this.#steps = stored;
  }

  get doneBefore(): readonly string[] {
    return this.#before.map(({ name }) => name);
  }

  /** The steps as last reported. */
  get current(): readonly JobStep[] {
    return this.#steps;
  }

  steps(parts: Parameters<JobHandle['steps']>[0]): void {
    const names = new Set(parts.map(({ name }) => name));
    this.#replace([
      ...this.#before.filter(({ name }) => !names.has(name)),
      ...parts.map(
        ({ name, skipped }): JobStep => ({
          name,
          status: skipped === undefined ? 'waiting' : 'skipped',
          message: skipped ?? null,
        }),
      ),
    ]);
  }

  step(name: string, status: JobStep['status'], message?: string): void {
    this.#replace(
      this.#steps.map((step) => (step.name === name ? { name, status, message: message ?? null } : step)),
    );
  }

  message(text: string): void {
    this.#message = withMoves(text, this.#parts.row);
    this.#schedule();
  }

  /** Drops the write that is scheduled and waits for the one that runs: the caller stores the final state. */
  async end(): Promise<void> {
    this.#cancelTimer?.();
    await this.#writing;
  }

  #replace(steps: readonly JobStep[]): void {
    this.#steps = steps.slice(0, stepsLimit);
    this.#schedule();
  }

  #schedule(): void {
    this.#cancelTimer ??= this.#parts.clock.after(storeInterval, () => {
      this.#cancelTimer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    });
  }

  async #write(): Promise<void> {
    const { row, db, log, announce } = this.#parts;
    try {
      await updateProgress(db, row, { steps: this.#steps, message: this.#message });
      await announce(row);
    } catch (error) {
      log.warn({ err: describeError(error), jobId: row.id }, 'Progress of a job could not be stored');
    }
  }
}

/** The message of a job, which tells if it moved. */
export function withMoves(text: string, { moves }: Pick<JobRow, 'moves'>): string {
  if (moves === 0) return text;
  return `${text} ${moves === 1 ? 'Its server stopped once' : `Its servers stopped ${moves} times`}, and another went on with it.`;
}
